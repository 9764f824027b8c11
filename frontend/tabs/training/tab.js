// The tab Training: small models that are trained, and how their heads come to specialise.

import { TRAINING_CHOICES } from "../../training/choices.js";
import { films } from "../../training/film.js";
import { records } from "../../training/record.js";
import { runs, tasks } from "../../training/runs.js";
import { sweeps } from "../../training/sweeps.js";
import { createTraining } from "./training.js";

/** @type {Tab} */
export const trainingTab = {
  id: "training",
  label: "Training",
  fills: "page",
  choices: TRAINING_CHOICES,
  resources: [tasks, runs, records, films, sweeps],
  create: createTraining,
};
