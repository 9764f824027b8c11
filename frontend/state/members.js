// Heads and layers as a person writes them: "L3", "L3 H1", "L7-9", "3.1", several with commas between.

/** How it is explained beside the box. */
export const EXAMPLE = "L3, L5 H2, L7-9";
const PART = /^L?(\d{1,4})(?:\s*[-–]\s*L?(\d{1,4})|\s*[.H]\s*(\d{1,4}))?$/i;

/**
 * @param {string} text
 * @param {{n_layers: number, n_heads: number}} shape
 * @returns {{cells: Member[], problem: string}} the problem is "" when all of it was understood
 */
export function readMembers(text, { n_layers, n_heads }) {
  /** @type {Map<string, Member>} */
  const cells = new Map();
  const parts = text.split(",").map((part) => part.trim()).filter(Boolean);
  if (parts.length === 0) return { cells: [], problem: `Write heads or layers, such as ${EXAMPLE}.` };
  for (const part of parts) {
    const match = PART.exec(part);
    if (!match) return { cells: [], problem: `“${part}” is not a head or layer; write them as ${EXAMPLE}.` };
    const [from, to] = [Number(match[1]), Number(match[2] ?? match[1])];
    const head = match[3] === undefined ? null : Number(match[3]);
    if (to < from) return { cells: [], problem: `“${part}” runs backwards: write the lower number first.` };
    if (to >= n_layers) return { cells: [], problem: `There is no L${to}: layers are 0 to ${n_layers - 1}.` };
    if (head !== null && head >= n_heads) return { cells: [], problem: `There is no H${head}: heads are 0 to ${n_heads - 1}.` };
    for (let layer = from; layer <= to; layer += 1) cells.set(`${layer}.${head ?? "*"}`, { layer, head });
  }
  return { cells: [...cells.values()], problem: "" };
}
