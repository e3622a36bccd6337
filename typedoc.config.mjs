import { groups, nameDocuments } from "./toolchain/site/documents.mjs";

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "pipestack",
  tsconfig: "toolchain/site/tsconfig.json",
  entryPoints: ["dist/provider/index.d.ts"],
  projectDocuments: [...groups().values()]
    .flat()
    .concat("docs/internals/decisions/[!R]*.md", "dist/reference/README.md"),
  plugin: [nameDocuments],
  customJs: "toolchain/site/site.js",
  customCss: "toolchain/site/site.css",
  out: "docs/site",
  readme: "README.md",
  // The pages have headings of their own.
  headings: { readme: false, document: false },
  navigation: { includeGroups: true },
  groupOrder: [...groups().keys(), "Decisions", "Reference", "Modules"],
  searchInDocuments: true,
  highlightLanguages: [
    "typescript",
    "tsx",
    "javascript",
    "json",
    "yaml",
    "bash",
    "python",
    "go",
    "hcl",
    "sql",
    "diff",
    "csharp",
    "java",
  ],
  excludeInternal: true,
  disableSources: true,
  excludeExternals: true,
  githubPages: false,
  validation: { notExported: false, invalidLink: true, notDocumented: false },
  treatWarningsAsErrors: true,
};
