// Icons of our own: strokes of 2 px in a square of 24, in the colour of the text around them.
import { svg } from "./dom.js";

/** @type {Record<string, string>} */
const STROKES = {
  undo: "M9 7 4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.600 10.800c.6.5 1 1.200 1.100 2.200h5c.1-1 .5-1.700 1.100-2.200A6 6 0 0 0 12 3z",
  leave: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  log: "M5 6h14M5 12h14M5 18h9",
  line: "M3 16h18M6 16v-4M12 16V8M18 16v-6",
  cards:
    "M4 7l8-3 3 .9M9 7h9a1.500 1.500 0 0 1 1.500 1.500v10A1.500 1.500 0 0 1 18 20H9a1.500 1.500 0 0 1-1.500-1.500v-10A1.500 1.500 0 0 1 9 7z",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c1-4 4-6 8-6s7 2 8 6",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5",
  again: "M19 12a7 7 0 1 1-2-5M19 3v4h-4",
  play: "M7 4v16l12-8z",
  fast: "M4 6v12l8-6zM13 6v12l8-6z",
  share:
    "M8 12l8-5M8 12l8 5M6 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM18 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM18 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  more: "M6 9l6 6 6-6",
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l5 5 9-11",
  dots: "M5 12h.01M12 12h.01M19 12h.01",
  home: "M4 11l8-7 8 7M6 10v9h12v-9M10 19v-5h4v5",
  target: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 12h.01",
  flame: "M12 3c1 4 5 5.500 5 10a5 5 0 0 1-10 0c0-2 1-3.200 2-4 .2 1.600 1 2.400 2 2.500C11.500 9 10.500 6 12 3z",
  dice: "M5 5h14v14H5zM9 9h.01M15 15h.01M15 9h.01M9 15h.01M12 12h.01",
};

/**
 * @param {string} name
 * @param {number} [size]
 */
export function stroke(name, size = 20) {
  /** @type {Attributes} */
  const look = {
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 2,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  return svg(
    "svg",
    { viewBox: "0 0 24 24", width: size, height: size, class: "nl-stroke", "aria-hidden": "true", ...look },
    svg("path", { d: STROKES[name] }),
  );
}
