import { createHash } from "node:crypto";
import { type Content, element, Markup, pictureClass, pictureStyle, sourceOf } from "../../drawing";

/** A dashboard on the HTML page of `pipestack draw`, or the changes of a dashboard. */
export interface Section {
  readonly name: string;
  /** The address of the dashboard's page in the console. */
  readonly url?: string;
  /** The dashboard's picture for wide screens, as SVG without style rules. */
  readonly wide: string;
  /** The dashboard's picture for narrow screens, as SVG without style rules. */
  readonly narrow: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly changes: readonly string[];
  readonly tiles: readonly string[];
}

export interface PageContent {
  readonly title: string;
  readonly origin: string;
  readonly sections: readonly Section[];
  /** The alerts that are on none of the drawn dashboards, with the addresses of the pages of their tiles and searches. */
  readonly alerts: readonly Line[];
  readonly alertChanges: readonly string[];
}

/** A line of a list on the HTML page, possibly with a link. */
type Line = string | { readonly text: string; readonly url?: string };

/**
 * Below this screen width in pixels, the HTML page shows the pictures for narrow screens, since two dashboards side by side
 * would be too small to read.
 */
const narrow = 820;

const style = `
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:#f5f6f8;color:#1b2430;font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
header,main{max-width:1520px;margin:0 auto;padding:0 20px}
header{padding-top:24px}
h1{font-size:22px;margin:0}
h2{font-size:18px;margin:0;overflow-wrap:anywhere}
p{margin:4px 0}
.muted{color:#5c6775}
nav ul{display:flex;flex-wrap:wrap;gap:6px 14px;padding:0;margin:12px 0 0;list-style:none}
a{color:#2559b8;overflow-wrap:anywhere}
section{margin:28px 0 40px}
ul.changes{margin:8px 0;padding-inline-start:20px}
li{overflow-wrap:anywhere}
.picture{margin:10px 0}
.picture svg.${pictureClass}{display:block;width:100%;height:auto}
.tags span{display:inline-block;max-width:100%;overflow-wrap:anywhere;margin:0 6px 4px 0;padding:0 9px;border-radius:10px;background:#e7eaef;color:#5c6775;font-size:13px}
details{margin-top:6px}
summary{cursor:pointer;width:fit-content}
a:focus-visible,summary:focus-visible{outline:2px solid currentColor;outline-offset:2px}
.narrow{display:none}
@media (max-width:${narrow}px){.wide{display:none}.narrow{display:block;max-width:480px}header,main{padding:0 12px}header{padding-top:16px}}
@media (prefers-color-scheme:dark){body{background:#11151a;color:#e7ebf0}.muted{color:#9ba7b5}.tags span{background:#262e38;color:#9ba7b5}a{color:#8ab4ff}}
@media print{details{display:none}}
${pictureStyle}`;

/** Makes the page of `pipestack draw`, which contains all that it shows: its content security policy allows no requests. */
export function documentOf({ title, origin, sections, alerts, alertChanges }: PageContent): string {
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const head = element(
    "head",
    {},
    element("meta", { charset: "utf-8" }),
    element("meta", { "http-equiv": "Content-Security-Policy", content: policy }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    element("title", {}, title),
    element("style", {}, new Markup(style)),
  );
  const body = element(
    "body",
    {},
    element(
      "header",
      {},
      element("h1", { dir: "auto" }, title),
      element("p", { class: "muted" }, origin),
      contents(sections),
    ),
    element(
      "main",
      {},
      sections.length === 0 ? element("p", {}, "No dashboards.") : undefined,
      sections.map(drawSection),
      alerts.length + alertChanges.length > 0
        ? element(
            "section",
            {},
            element("h2", {}, "Alerts on none of these dashboards"),
            [alertChanges, alerts].filter(({ length }) => length > 0).map((lines) => list(lines, "changes")),
          )
        : undefined,
    ),
  );
  return `<!doctype html>\n${sourceOf(element("html", { lang: "en" }, head, body))}\n`;
}

function contents(sections: readonly Section[]): Content {
  if (sections.length < 2) return undefined;
  const links = sections.map(({ name }, index) =>
    element("li", {}, element("a", { href: `#dashboard-${index + 1}`, dir: "auto" }, name)),
  );
  return element("nav", { "aria-label": "Dashboards" }, element("ul", {}, links));
}

function drawSection(section: Section, index: number): Markup {
  const { name, url, tags, summary, changes, tiles } = section;
  return element(
    "section",
    { id: `dashboard-${index + 1}` },
    element("h2", { dir: "auto" }, link(name, url)),
    tags.length > 0
      ? element(
          "p",
          { class: "tags" },
          tags.map((tag) => element("span", { dir: "auto" }, tag)),
        )
      : undefined,
    element("p", { class: "muted", dir: "auto" }, summary),
    changes.length > 0 ? list(changes, "changes") : undefined,
    element("div", { class: "picture wide" }, new Markup(section.wide)),
    element("div", { class: "picture narrow" }, new Markup(section.narrow)),
    tiles.length > 0
      ? element("details", {}, element("summary", {}, "Tiles as text"), list(tiles, "tiles"))
      : undefined,
  );
}

function inLines(text: string): Content {
  return text.split("\n").flatMap((line, index) => (index === 0 ? [line] : [element("br"), line]));
}

/** A link on the HTML page without a referrer, so that the console does not learn the address of the page. */
function link(content: Content, url: string | undefined): Content {
  return url === undefined ? content : element("a", { href: url, rel: "noreferrer" }, content);
}

function list(lines: readonly Line[], className: string): Markup {
  return element(
    "ul",
    { class: className },
    lines.map((line) => {
      const { text, url } = typeof line === "string" ? { text: line } : line;
      return element("li", { dir: "auto" }, link(inLines(text), url));
    }),
  );
}
