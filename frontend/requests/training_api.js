// The REST side of training: starting, stopping, resuming and deleting runs.

import { post, request } from "./api.js";

/**
 * @typedef {{what: "start", settings: Record<string, string | number>} | {what: "stop" | "resume" | "delete", run: string}} RunOrder
 */

/** @param {RunOrder} order @returns {Promise<import("../training/runs.js").RunSummary | null>} the run; null: it is deleted */
export async function requestRun(order) {
  if (order.what === "start") return (await post("/learn/runs", order.settings)).json();
  const path = `/learn/runs/${encodeURIComponent(order.run)}`;
  if (order.what !== "delete") return (await post(`${path}/${order.what}`, {})).json();
  await request(path, { method: "DELETE" });
  return null;
}
