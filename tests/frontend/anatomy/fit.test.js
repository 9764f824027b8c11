// Sizes and places of figures: within the room, aligned, of one length for each axis.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fit, lengthOf } from "../../../frontend/anatomy/fit.js";

const figure = (id, rows, columns, rowAxis = "token", columnAxis = "dimension") => ({ id, rows, columns, rowAxis, columnAxis, least: 44 });
const ROOM = { width: 880, height: 450, wraps: false, rowLabels: 60, columnLabels: 40 };
/** A product as it is drawn: the right factor above, the left one beside. */
const PRODUCT = [
  [{ op: "Q × Kᵀ", figure: null }, { op: "", figure: figure("k", 16, 11, "head_dimension", "token") }],
  [{ op: "", figure: figure("q", 11, 16, "token", "head_dimension") }, { op: "=", figure: figure("s", 11, 11, "token", "token") }],
];

/** Whether every box is inside the room. */
const isWithin = ({ boxes }, room) => [...boxes.values()].every(({ x, y, width, height, labels }) => x - labels >= 0 && y >= 0 && x + width <= room.width && y + height <= room.height);

test("figures keep within the room and do not lie on each other", () => {
  const found = fit(PRODUCT, true, ROOM);
  assert.ok(isWithin(found, ROOM));
  const boxes = [...found.boxes.values()];
  boxes.forEach((one, at) =>
    boxes.slice(at + 1).forEach((other) => {
      const isApart = one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y;
      assert.ok(isApart);
    }),
  );
});

test("in a grid rows of the left factor are beside those of the product, columns of the right one above its own", () => {
  const { boxes } = fit(PRODUCT, true, ROOM);
  const [q, k, s] = ["q", "k", "s"].map((id) => boxes.get(id));
  assert.deepEqual([q.y, q.row, q.height], [s.y, s.row, s.height]);
  assert.deepEqual([k.x, k.column, k.width], [s.x, s.column, s.width]);
  assert.equal(s.columnLabels, 0, "the names are above the upper figure alone");
  assert.deepEqual([q.labels, s.labels], [60, 0]);
});

test("the same axis has the same length in all figures of a step", () => {
  const rows = [[figure("a", 11, 64), figure("b", 11, 64)], [figure("c", 64, 16, "dimension", "head_dimension"), figure("d", 11, 64)]].map((row) => row.map((one) => ({ op: "", figure: one })));
  const { boxes } = fit(rows, false, ROOM);
  assert.equal(new Set(["a", "b", "d"].map((id) => boxes.get(id).width)).size, 1);
  assert.equal(new Set(["a", "b", "d"].map((id) => boxes.get(id).height)).size, 1);
});

test("columns become whole pixels, and share one only where even that is too wide", () => {
  const wide = fit([[{ op: "", figure: figure("w", 5, 576) }]], false, ROOM).boxes.get("w");
  assert.ok(Number.isInteger(wide.column) && wide.width === 576 * wide.column);
  const shared = fit([[{ op: "", figure: figure("h", 5, 4096) }]], false, ROOM).boxes.get("h");
  assert.ok(shared.column < 1 && Number.isInteger(Math.round(1 / shared.column)) && shared.width <= ROOM.width);
  assert.equal(lengthOf(1536, 1 / 3), 512);
});

test("rows of a narrow window are broken instead", () => {
  const room = { ...ROOM, width: 340, height: Infinity, wraps: true };
  const found = fit(PRODUCT, true, room);
  assert.ok([...found.boxes.values()].every(({ x, width }) => x + width <= room.width));
  assert.ok(found.boxes.get("q").y < found.boxes.get("s").y);
});

test("rows of tokens stay legible even where the picture becomes higher than its room", () => {
  const rows = Array.from({ length: 9 }, (_, at) => [{ op: "", figure: figure(`f${at}`, 40, 64) }]);
  const found = fit(rows, false, { ...ROOM, height: 200 });
  assert.ok(found.height > 200 && [...found.boxes.values()].every(({ row }) => row >= 3));
});
