// Runs the packed code of a snapshot. It is in the file as it is here, so it must import nothing.

(async () => {
  const packed = document.getElementById("code")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const script = document.createElement("script");
  script.textContent = await new Response(inflated).text();
  document.body.append(script);
})().catch(() => {
  const banner = document.getElementById("banner");
  if (!banner) return;
  banner.textContent = "This browser is too old for this file: open it in one from 2024 or later.";
  banner.hidden = false;
});
