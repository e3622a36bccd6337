/** The class of every picture. All other classes of pictures are only valid inside it. */
export const pictureClass = "pipestack-picture";

type Colours = { readonly [name: string]: string };

const light: Colours = {
  ground: "#f5f6f8",
  tile: "#ffffff",
  edge: "#d9dde4",
  ink: "#1b2430",
  muted: "#5c6775",
  faint: "#e7eaef",
  hatch: "#dbe0e7",
  alert: "#b3273f",
  alertGround: "#fcecee",
  warning: "#95590a",
  warningGround: "#fbe3b4",
  added: "#20753f",
  removed: "#b3273f",
  moved: "#2559b8",
  resized: "#2559b8",
  changed: "#7a3fa8",
};

const dark: Colours = {
  ground: "#11151a",
  tile: "#1a2027",
  edge: "#323b47",
  ink: "#e7ebf0",
  muted: "#9ba7b5",
  faint: "#262e38",
  hatch: "#2b343f",
  alert: "#ff8b98",
  alertGround: "#3a2027",
  warning: "#f0bd62",
  warningGround: "#4a3a1c",
  added: "#6fce8f",
  removed: "#ff8b98",
  moved: "#8ab4ff",
  resized: "#8ab4ff",
  changed: "#cfa3f5",
};

/** The colours of lines and bars, on light and on dark background. */
const series = [
  ["#2f6bd0", "#79a8ff"],
  ["#d0702a", "#f2a065"],
  ["#1f8a7d", "#5cc7b8"],
  ["#a8478d", "#e08fc8"],
  ["#6d5bc7", "#a99bf5"],
  ["#94791a", "#d8bf5f"],
  ["#4f8330", "#98c97b"],
  ["#6b7788", "#a7b2c0"],
] as const;

/** The number of colours, which is also the maximum number of drawn lines. */
export const seriesColours = series.length;

const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Style rules that are the same on light and on dark background. */
const shapes = `
.P{font-family:${sans};font-size:12px}
.P .heading{font-size:11px;font-weight:700;letter-spacing:.08em}
.P .name{font-size:20px;font-weight:650}
.P .tile-name{font-size:13.5px;font-weight:600}
.P .tile-name.small{font-size:11.5px}
.P .filter{font-family:${mono};font-size:11px}
.P .small{font-size:10.5px}
.P .strong{font-weight:600}
.P .tag{font-size:10.5px;font-weight:650}
.P .line,.P .threshold,.P .hatch,.P .axis,.P .frame{fill:none}
.P .line{stroke-width:1.75;stroke-linejoin:round;stroke-linecap:round}
.P .line.dot{stroke-width:4}
.P .line.sketch{stroke-width:3}
.P .limit{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
.P .warning.hatch{stroke-opacity:.4}
.P .threshold{stroke-width:1.25;stroke-dasharray:5 3}
.P .band{fill-opacity:.08}
.P .bar{fill-opacity:.85}
.P .frame.dashed{stroke-dasharray:5 4}
.P .frame.marked{stroke-width:2}`;

function colours(of: Colours, index: 0 | 1): string {
  const marks = ["added", "removed", "moved", "resized", "changed"].map(
    (mark) => `.P .${mark}.frame{stroke:${of[mark]}}.P .${mark}.pill{fill:${of[mark]}}`,
  );
  const lines = series.map(
    (colour, at) => `.P .s${at}{stroke:${colour[index]}}.P .f${at}{fill:${colour[index]}}`,
  );
  return [
    `.P .ground{fill:${of.ground}}.P .tile{fill:${of.tile};stroke:${of.edge}}.P .frame{stroke:${of.edge}}`,
    `.P .ink{fill:${of.ink}}.P .muted{fill:${of.muted}}.P .on-pill{fill:${of.tile}}`,
    `.P .axis,.P .sketch{stroke:${of.faint}}.P .limit{stroke:${of.tile}}.P .hatch{stroke:${of.hatch}}.P .chip{fill:${of.faint}}`,
    // Only alerts that fire are red.
    `.P .alert.ink{fill:${of.muted}}.P .alert.chip{fill:${of.faint}}.P .threshold{stroke:${of.alert}}`,
    `.P .band{fill:${of.alert}}.P .firing.chip{fill:${of.alert}}.P .firing.ink{fill:${of.tile}}`,
    `.P .warning.ink{fill:${of.warning}}.P .warning.chip{fill:${of.warningGround}}`,
    `.P .warning.frame,.P .warning.hatch{stroke:${of.warning}}`,
    ...marks,
    ...lines,
  ].join("\n");
}

/** Style rules for all pictures of a page. If the reader prefers a dark page, the dark colours apply. */
export const pictureStyle = `${shapes}
${colours(light, 0)}
@media (prefers-color-scheme:dark){
${colours(dark, 1)}
}`.replaceAll(".P", `.${pictureClass}`);
