// Plotly: fetched when first needed, because it is large.

import { element } from "../page/dom.js";

const ADDRESS = "/vendor/plotly.min.js";
/** Under this id Plotly would write the rules of its street maps into the page, unless there is an element with it. */
const MAP_RULES = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";

/** @type {Promise<any> | null} */
let library = null;

/** Plotly, fetched once. @returns {Promise<any>} */
export function loadPlotly() {
  library ??= new Promise((resolve, reject) => {
    const script = element("script", {
      src: ADDRESS,
      onload: () => resolve(/** @type {any} */ (window).Plotly),
      onerror: () => {
        library = null;
        script.remove();
        reject(new Error("The server did not send the chart library."));
      },
    });
    document.head.append(element("meta", { id: MAP_RULES }), script);
  });
  return library;
}
