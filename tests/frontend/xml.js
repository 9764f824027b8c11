// A strict reader of small XML documents: it throws where a program would refuse the file.

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"' };
const TAG = /<(\/?)([a-z]+)((?:\s[\w:-]+="[^"<]*")*)(\/?)>/y;

/**
 * @param {string} xml
 * @returns {{name: string, attributes: Record<string, string>, text: string}[]} elements in the order they begin
 */
export function readXml(xml) {
  if (!xml.isWellFormed()) throw new Error("half a surrogate pair");
  const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.exec(xml);
  if (forbidden) throw new Error(`XML cannot hold U+${forbidden[0].codePointAt(0).toString(16)}`);
  const body = xml.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, "");
  const elements = [];
  const open = [];
  for (let at = 0; at < body.trimEnd().length; ) {
    if (body[at] !== "<") {
      const end = body.indexOf("<", at);
      if (open.length === 0 || end < 0) throw new Error("text outside of the root");
      open.at(-1).text += plain(body.slice(at, end));
      at = end;
      continue;
    }
    TAG.lastIndex = at;
    const found = TAG.exec(body);
    if (!found) throw new Error(`no tag at ${body.slice(at, at + 60)}`);
    const [whole, closing, name, attributes, alone] = found;
    at += whole.length;
    if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    if (open.length === 0 && elements.length > 0) throw new Error("two roots");
    const pairs = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, plain(value)]);
    if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`${name} has an attribute twice`);
    elements.push({ name, attributes: Object.fromEntries(pairs), text: "" });
    if (!alone) open.push(elements.at(-1));
  }
  if (open.length > 0) throw new Error(`<${open.at(-1).name}> stays open`);
  return elements;
}

/** @param {string} text */
function plain(text) {
  return text.replace(/&(\w*;?)/g, (whole, name) => {
    const sign = ENTITIES[name.slice(0, -1)];
    if (!name.endsWith(";") || !sign) throw new Error(`no such entity: ${whole}`);
    return sign;
  });
}
