import { oneOf, oneOfKinds } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";

const template = { minLength: 1, longest: 10_000 };

const targets = {
  id: Type.Object({
    /** The click target is named by its id. */
    mode: Type.Literal("id"),
    /** Id of the source that the click searches, or of the dashboard that it opens. It must exist. */
    id: Type.String({ minLength: 1 }),
  }),
  template: Type.Object({
    /** The click target is named by a template. */
    mode: Type.Literal("template"),
    /** Template of the click target's name; `{{column}}` stands for a value of the clicked row. */
    template: Type.String(template),
  }),
};

/** The target of a click on a table row: an id, or a template of the name. */
export type OnClickTarget = Static<typeof targets.id> | Static<typeof targets.template>;

const target = oneOfKinds<OnClickTarget>(Object.values(targets));

const filter = Type.Object({
  /** Kind of the filter that a click sets: always `expressionTemplate`. */
  kind: Type.Literal("expressionTemplate", { rule: "expressionTemplate" }),
  /** Column or expression that the click's filter compares. */
  expression: Type.String(template),
  /** Template of the value with which the click's filter compares. */
  template: Type.String(template),
});

const search = {
  /** The click opens a search in a data source. */
  type: Type.Literal("search"),
  /** Data source that the click searches. */
  target,
  /** Template of the filter expression that the click sets. */
  whereTemplate: Type.Optional(Type.String({ longest: 10_000 })),
  /** Language of the click's filter `whereTemplate`: `lucene` or `sql`. */
  whereLanguage: Type.Optional(oneOf(["lucene", "sql"])),
  /** Further filters that the click sets, at most 50. */
  filters: Type.Optional(Type.Array(filter, { most: 50 })),
};

const dashboard = {
  ...search,
  /** The click opens a dashboard. */
  type: Type.Literal("dashboard"),
};

const external = {
  /** Opens a page. */
  type: Type.Literal("external"),
  /** Template of the address of the page that the click opens. */
  urlTemplate: Type.String(template),
};

const kinds = {
  search: Type.Object(search),
  dashboard: Type.Object(dashboard),
  external: Type.Object(external),
};

/** The target of a click on a row of a table: it opens a search, a dashboard, or another page. */
export type TileOnClick =
  | Static<typeof kinds.search>
  | Static<typeof kinds.dashboard>
  | Static<typeof kinds.external>;

export const tileOnClick = oneOfKinds<TileOnClick>(Object.values(kinds));
