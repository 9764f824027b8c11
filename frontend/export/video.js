// Recording a canvas as a WebM video, in the time that it takes to watch it.

const TYPE = "video/webm";
const FRAMES_A_SECOND = 25;
const LAST_MS = 600; // the last picture stays
const BITS_A_SECOND = 4_000_000;

/** Whether this browser can. */
export function canRecord() {
  return typeof MediaRecorder === "function" && MediaRecorder.isTypeSupported(TYPE) && "captureStream" in HTMLCanvasElement.prototype;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number} ms how long the video is
 * @param {(part: number) => boolean} draw the picture at a part of it, 0 to 1; false stops the recording
 * @returns {Promise<Blob | null>} null: it was stopped
 */
export async function recordVideo(canvas, ms, draw) {
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES_A_SECOND), { mimeType: TYPE, videoBitsPerSecond: BITS_A_SECOND });
  /** @type {Blob[]} */
  const parts = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const ended = new Promise((resolve, reject) => {
    recorder.addEventListener("stop", () => resolve(null));
    recorder.addEventListener("error", () => reject(new Error("The browser stopped recording.")));
  });
  draw(0);
  recorder.start();
  const started = performance.now();
  let isWanted = true;
  for (let part = 0; part < 1 && isWanted; part = (performance.now() - started) / ms) {
    isWanted = draw(part);
    await new Promise((resolve) => setTimeout(resolve, 1000 / FRAMES_A_SECOND));
  }
  // A picture is in the video only from the next one on: the last one is drawn again.
  for (let rest = 0; isWanted && rest < LAST_MS; rest += 1000 / FRAMES_A_SECOND) {
    isWanted = draw(1);
    await new Promise((resolve) => setTimeout(resolve, 1000 / FRAMES_A_SECOND));
  }
  recorder.stop();
  await ended;
  return isWanted ? new Blob(parts, { type: TYPE }) : null;
}
