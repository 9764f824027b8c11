// Taking a run along: its record as JSON, its scores as CSV, and the film of its maps as a video.

import { FILM_SIZE, drawFilm } from "../../drawing/training_film.js";
import { filmFile, pointsFile, recordFile } from "../../export/run_files.js";
import { saveFile } from "../../export/saving.js";
import { canRecord, recordVideo } from "../../export/video.js";
import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { button } from "../../views/parts/button.js";
import { codesAt, shownFilm } from "../../training/film.js";
import { shownRecord } from "../../training/record.js";
import { lossText, numberWords } from "../../training/runs.js";

const FILM_MS = 8000;
const CANNOT = "This browser cannot record WebM videos; Chrome, Edge and Firefox can.";

/** @param {Store} store @returns {{root: HTMLElement, said: HTMLElement, views: PageView[]}} */
export function createRunSaving(store) {
  /** @type {Theme | null} */
  let theme = null;
  let isRecording = false;
  const said = element("p", { class: "quiet run-saving", role: "status" });
  const withRecord = (/** @type {(record: RunRecord) => void} */ save) => () => {
    const record = shownRecord(store.state);
    if (record !== null) save(record);
  };
  const film = button("plain", "Film (WebM video, 8 s)", () => void saveFilm());
  const json = button("plain", "Record (JSON)", withRecord((record) => saveFile(recordFile(record))));
  const csv = button("plain", "Scores at checkpoints (CSV)", withRecord((record) => saveFile(pointsFile(record))));
  const root = element("details", { class: "drop overlay" }, element("summary", { class: "chip small" }, "Save…"), element("div", { class: "drop-body overlay-list" }, film, json, csv));

  async function saveFilm() {
    const [record, shown] = [shownRecord(store.state), shownFilm(store.state)];
    root.removeAttribute("open");
    if (!canRecord()) return setText(said, CANNOT);
    if (record === null || shown === null || theme === null) return setText(said, "There are no maps to record yet.");
    if (isRecording) return;
    isRecording = true;
    const canvas = element("canvas", FILM_SIZE);
    const { steps } = shown;
    const used = theme;
    try {
      const video = await recordVideo(canvas, FILM_MS, (part) => {
        const frame = Math.min(steps.length - 1, Math.floor(part * steps.length));
        drawFilm(canvas, pictureOf(record, shown, frame), used);
        setText(said, `Recording the film: ${Math.floor((Math.min(1, part) * FILM_MS) / 1000)} of ${FILM_MS / 1000} s`);
        return true;
      });
      if (video !== null) saveFile(filmFile(record, video));
      setText(said, "The film is saved.");
    } catch (error) {
      setText(said, `The film could not be recorded: ${error instanceof Error ? error.message : error}`);
    }
    isRecording = false;
  }

  /** @type {PageView} */
  const view = {
    reads: (state, current) => [current, shownRecord(state)?.id],
    render(state, current) {
      theme = current;
      root.hidden = shownRecord(state) === null;
      if (!isRecording) setText(said, "");
    },
  };
  return { root, said, views: [view] };
}

/** @param {RunRecord} record @param {Film} film @param {number} frame @returns {import("../../drawing/training_film.js").FilmPicture} */
function pictureOf(record, film, frame) {
  const at = record.points.findIndex(({ step }) => step === film.steps[frame]);
  const point = record.points[at];
  const loss = point ? ` · held-out loss ${lossText(point.loss)} · ${Math.round(100 * point.accuracy)} % right` : "";
  return {
    title: record.name,
    words: `Step ${numberWords(film.steps[frame])} of ${numberWords(record.settings.steps)}${loss}`,
    names: film.tokens.map(({ text }) => text),
    n_layers: film.n_layers,
    n_heads: film.n_heads,
    mapOf: (layer, head) => codesAt(film, frame, { layer, head }),
    labelOf(layer, head) {
      const roles = point?.roles.filter((role) => role.layer === layer && role.head === head).map(({ label }) => label) ?? [];
      return [headName(layer, head), ...roles].join(" · ");
    },
    curve: record.points.map(({ step, loss: y }) => ({ x: step, y })),
    lines: record.lines.map(({ value, label }) => ({ y: value, text: label })),
    at,
  };
}
