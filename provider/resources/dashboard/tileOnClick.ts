import { oneOf, oneOfKinds } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";

const template = { minLength: 1, longest: 10_000 };

const targets = {
  id: Type.Object({
    /** Names the target by its id. */
    mode: Type.Literal("id"),
    /** Id of the source that is searched, or of the dashboard. It must exist. */
    id: Type.String({ minLength: 1 }),
  }),
  template: Type.Object({
    /** Names the target by a template. */
    mode: Type.Literal("template"),
    /** Template of the name of the target; `{{column}}` stands for a value of the row. */
    template: Type.String(template),
  }),
};

/** The target of a click: an id, or a template of the name. */
export type OnClickTarget = Static<typeof targets.id> | Static<typeof targets.template>;

const target = oneOfKinds<OnClickTarget>(Object.values(targets));

const filter = Type.Object({
  /** Always `expressionTemplate`. */
  kind: Type.Literal("expressionTemplate", { rule: "expressionTemplate" }),
  /** Column or expression that is filtered. */
  expression: Type.String(template),
  /** Template of the value that the filter compares with. */
  template: Type.String(template),
});

const search = {
  /** Opens a search in a source. */
  type: Type.Literal("search"),
  /** Source that is searched. */
  target,
  /** Template of the filter that is set. */
  whereTemplate: Type.Optional(Type.String({ longest: 10_000 })),
  /** Language of `whereTemplate`: `lucene` or `sql`. */
  whereLanguage: Type.Optional(oneOf(["lucene", "sql"])),
  /** Further filters that are set, at most 50. */
  filters: Type.Optional(Type.Array(filter, { most: 50 })),
};

const dashboard = {
  ...search,
  /** Opens a dashboard. */
  type: Type.Literal("dashboard"),
};

const external = {
  /** Opens a page. */
  type: Type.Literal("external"),
  /** Template of the page's address. */
  urlTemplate: Type.String(template),
};

const kinds = {
  search: Type.Object(search),
  dashboard: Type.Object(dashboard),
  external: Type.Object(external),
};

/** The target of a click on a row of a table: a search, a dashboard, or another page. */
export type TileOnClick =
  | Static<typeof kinds.search>
  | Static<typeof kinds.dashboard>
  | Static<typeof kinds.external>;

export const tileOnClick = oneOfKinds<TileOnClick>(Object.values(kinds));
