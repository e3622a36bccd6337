import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Converter, ReflectionKind } from "typedoc";
import { inCheckout } from "../checkout.mjs";

/**
 * Lists the documents of the documentation site by the sections of docs/README.md, in the order of that page.
 * @returns {Map<string, string[]>}
 */
export function groups() {
  const sections = readFileSync(inCheckout("docs", "README.md"), "utf8").split(/^## /m).slice(1);
  return new Map(
    sections.map((section, index) => {
      const [title = "", ...rows] = section.split("\n");
      const pages = rows.map((row) => /^\| \[[^\]]+\]\((\S+\.md)\)/.exec(row)?.[1]);
      const paths = pages.filter((page) => page !== undefined).map((page) => join("docs", page));
      const pagePaths = paths.filter((path) => path !== "README.md");
      return [title, index === 0 ? ["docs/README.md", ...pagePaths] : pagePaths];
    }),
  );
}

/**
 * Gives each document of the documentation site the title of its heading, instead of typedoc's default, the file path, and
 * sorts it into its section.
 * @param {import("typedoc").Application} app
 */
export function nameDocuments(app) {
  const sections = [...groups()];
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const [group] = sections.find(([, pages]) => pages.includes(`${document.name}.md`)) ?? [
      document.name.startsWith("docs/internals/decisions/") ? "Decisions" : "Reference",
    ];
    document.frontmatter.group = group;
    const heading = /^# (.+)$/m.exec(document.content[0]?.text ?? "");
    if (heading?.[1]) document.name = heading[1];
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) module.name = "TypeScript";
  });
}
