// The tab Anatomy: how attention is computed, step by step, with what it costs, exercises and times.

import { calculation, presets, sizesChoice } from "../../anatomy/calculator.js";
import { editsChoice } from "../../anatomy/edits.js";
import { exercises, verdicts } from "../../anatomy/exercises.js";
import { loopChoice } from "../../anatomy/loops.js";
import { traces, trailChoice } from "../../anatomy/trail.js";
import { catalogue, partChoice, walkAnswer, walkChoice } from "../../anatomy/walk.js";
import { createAnatomy } from "./anatomy.js";

/** @type {Tab} */
export const anatomyTab = {
  id: "anatomy",
  label: "Anatomy",
  fills: "page",
  choices: [partChoice, walkChoice, editsChoice, trailChoice, sizesChoice, loopChoice],
  resources: [catalogue, walkAnswer, traces, exercises, verdicts, presets, calculation],
  create: createAnatomy,
};
