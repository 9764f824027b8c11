// Which way each arrow key goes.

/** Rows down and columns right, by the key's name. @type {Record<string, [number, number]>} */
export const ARROW_STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
