// Drawing as SVG: well-formed whatever is written, placed as a canvas places it, text as text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { generator } from "../random.js";
import { drawn, measure, surface } from "../small_sheet.js";
import { readXml } from "../xml.js";

const numbersOf = (path) => path.match(/-?[\d.]+/g).map(Number);

test("any text can be written and is read back as it was, but for what XML cannot hold", () => {
  const random = generator(4);
  const pieces = ["<b>", "&amp;", "]]>", '"', "'", "\u0000", "\u0007", "\uFFFE", "\uD800", "שלום", "👩‍👧", "  two", "-->"];
  for (let round = 0; round < 200; round += 1) {
    const text = Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)).join("");
    const context = surface();
    context.font = `600 12px "A & B", serif`;
    context.fillText(text, 1, 2);
    const held = text.replace(/\p{Surrogate}|[\u0000-\u0008\uFFFE]/gu, "\uFFFD");
    const written = context.document({ width: 10, height: 10, title: text, description: text });
    const [, title, description, element] = readXml(written);
    assert.deepEqual([title.text, description.text, element.text], [held, held, held]);
    assert.equal(element.attributes["font-family"], `"A & B", serif`);
  }
});

test("places are turned when they are drawn, the last turn first", () => {
  const context = surface();
  context.translate(10, 20);
  context.rotate(Math.PI / 2);
  context.beginPath();
  context.moveTo(1, 0);
  context.bezierCurveTo(0, 1, 2, 0, 0, 0);
  context.lineWidth = 3;
  context.setLineDash([4, 1]);
  context.stroke();
  const [{ attributes }] = drawn(context);
  assert.deepEqual(numbersOf(attributes.d), [10, 21, 9, 20, 10, 22, 10, 20]);
  assert.equal(attributes["stroke-width"], "3");
  assert.equal(attributes["stroke-dasharray"], "4 1");
});

test("a rectangle is the same shape upright and turned, and leaves the path alone", () => {
  const context = surface();
  context.beginPath();
  context.rect(0, 0, 4, 2);
  context.fillRect(50, 50, 1, 1);
  context.rotate(Math.PI / 2);
  context.rect(0, 0, 4, 2);
  context.fill();
  const [alone, both] = drawn(context).map(({ attributes }) => attributes.d);
  assert.equal(alone, "M50 50h1v1h-1z");
  assert.equal(both, "M0 0h4v2h-4zM0 0L0 4L-2 4L-2 0z");
});

test("restore brings back everything that save kept", () => {
  const context = surface();
  const look = () => {
    const { fillStyle, strokeStyle, globalAlpha, lineWidth, font, textAlign, textBaseline, direction, matrix, dashes } = context;
    return [fillStyle, strokeStyle, globalAlpha, lineWidth, font, textAlign, textBaseline, direction, matrix, dashes];
  };
  const before = look();
  context.save();
  context.translate(3, 4);
  context.setLineDash([1]);
  const changed = { fillStyle: "red", strokeStyle: "red", globalAlpha: 0.5, lineWidth: 9, font: "9px serif" };
  Object.assign(context, changed, { textAlign: "right", textBaseline: "middle", direction: "rtl" });
  look().forEach((value, at) => assert.notDeepEqual(value, before[at]));
  context.restore();
  assert.deepEqual(look(), before);
});

test("text that runs from right to left stays on the side it was put", () => {
  const anchorOf = (textAlign, direction) => {
    const context = surface();
    Object.assign(context, { textAlign, direction });
    context.fillText("x", 0, 0);
    return drawn(context)[0].attributes["text-anchor"] ?? "start";
  };
  assert.equal(anchorOf("left", "ltr"), "start");
  assert.equal(anchorOf("left", "rtl"), "end");
  assert.equal(anchorOf("right", "rtl"), "start");
  assert.equal(anchorOf("right", "ltr"), "end");
  assert.equal(anchorOf("center", "rtl"), "middle");
  assert.equal(anchorOf("end", "rtl"), "end");
});

test("turned text has its own turn, about the place where it begins", () => {
  const context = surface();
  context.font = "20px serif";
  context.textBaseline = "middle";
  context.translate(30, 40);
  context.rotate(-Math.PI / 2);
  context.fillText("up", 0, 0);
  const { x, y, transform } = drawn(context)[0].attributes;
  assert.deepEqual([x, y, transform], ["37", "40", "rotate(-90 37 40)"]);
  assert.equal(context.measureText("up").width, measure("up", "20px serif"));
});

test("a text wider than it may be is squeezed, a narrower one is not", () => {
  const context = surface();
  context.font = "10px serif";
  const { width } = context.measureText("L10 H10");
  context.fillText("L10 H10", 0, 0, width - 1);
  context.fillText("L10 H10", 0, 0, width);
  const [squeezed, whole] = drawn(context).map(({ attributes }) => attributes);
  assert.deepEqual([squeezed.textLength, squeezed.lengthAdjust], [String(width - 1), "spacingAndGlyphs"]);
  assert.equal(whole.textLength, undefined);
});

test("colours are written as every program knows them, with what shines through apart", () => {
  const context = surface();
  for (const colour of ["rgb(1 2 255)", "rgb(1, 2, 255)", "rgba(1, 2, 255, 0.5)", "#0102ff"]) {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
  }
  context.globalAlpha = 0.25;
  context.fillRect(0, 0, 1, 1);
  const found = drawn(context).map(({ attributes }) => [attributes.fill, attributes["fill-opacity"]]);
  assert.deepEqual(found, [
    ["#0102ff", undefined],
    ["#0102ff", undefined],
    ["#0102ff", "0.5"],
    ["#0102ff", undefined],
    ["#0102ff", "0.25"],
  ]);
});

test("rectangles have hard edges so that neighbours touch, round shapes have not", () => {
  const context = surface();
  context.fillRect(0, 0, 1, 1);
  context.beginPath();
  context.roundRect(0, 0, 10, 6, 20);
  context.fill();
  const [rectangle, round] = drawn(context).map(({ attributes }) => attributes);
  assert.equal(rectangle["shape-rendering"], "crispEdges");
  assert.equal(round["shape-rendering"], undefined);
  assert.match(round.d, /A3 3 0 0 1/, "a radius is no more than half the height");
});
