// The page as files: nothing from outside, nothing inline, no markup made from text, files that stay small.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../frontend/", import.meta.url);
const files = readdirSync(root, { recursive: true })
  .filter((name) => /\.(js|css|html|svg)$/.test(name))
  .map((name) => ({ name, text: readFileSync(new URL(name, root), "utf8") }));
const ofKind = (kind) => files.filter(({ name }) => name.endsWith(`.${kind}`));

test("no file names an outside address", () => {
  for (const { name, text } of files) {
    const addresses = text
      .replace("http://www.w3.org/2000/svg", "")
      .match(/(https?:|wss?:)?\/\/[\w-]+\.[\w.]+/g);
    assert.equal(addresses, null, name);
  }
});

test("no script writes markup or runs text", () => {
  for (const { name, text } of ofKind("js")) {
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, name);
  }
});

test("the page holds no inline script, style or handler, so the content policy can forbid them", () => {
  for (const { name, text } of ofKind("html")) {
    assert.doesNotMatch(text, /\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)/, name);
  }
});

test("every file that another one asks for is there", () => {
  for (const { name, text } of ofKind("js")) {
    for (const [, path] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
      assert.ok(existsSync(new URL(path, new URL(name, root))), `${name} asks for ${path}`);
    }
  }
  for (const [, path] of readFileSync(new URL("index.html", root), "utf8").matchAll(/(?:src|href)="(?!\/)([^"]+)"/g)) {
    assert.ok(existsSync(new URL(path, root)), `index.html asks for ${path}`);
  }
});

/** Elements that scripts make, and by which words they get their ids. */
const MADE = { grid: 'name(at === 0 ? "grid"' };

test("every element that a script takes by its id is in the page, or made by one of them", () => {
  const html = readFileSync(new URL("index.html", root), "utf8");
  for (const { name, text } of ofKind("js")) {
    for (const [, id] of text.matchAll(/byId\("([^"]+)"/g)) {
      const isMade = id in MADE && ofKind("js").some((script) => script.text.includes(MADE[id]));
      assert.ok(isMade || html.includes(`id="${id}"`), `${name} takes #${id}`);
    }
  }
});

test("no file is longer than 300 lines and each script begins with what it is for", () => {
  for (const { name, text } of files) assert.ok(text.split("\n").length <= 301, name);
  for (const { name, text } of ofKind("js")) assert.match(text, /^\/\/ \S/, name);
});
