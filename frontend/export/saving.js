// Saving files from the page.

/** @param {import("./formats.js").ExportFile} file */
export function saveFile({ name, content }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]));
  link.download = name;
  link.click();
  // The browser reads the file later: its address must live that long.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
export function pngOf(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((file) => {
      if (file) resolve(file);
      else reject(new RangeError("The browser could not make this picture: choose a smaller size, or SVG."));
    }, "image/png");
  });
}
