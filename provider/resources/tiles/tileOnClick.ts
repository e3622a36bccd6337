import { enums } from "../../api/enums.golden";
import { oneOf, oneOfKinds } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";

const template = { minLength: 1, longest: 10_000 };

const targets = {
  id: Type.Object({
    /** How the target of a click on a table row is named: by its id. */
    mode: Type.Literal("id"),
    /**
     * Id of the data source that a click on a table row searches, or of the dashboard that it opens. The data source or
     * dashboard must exist.
     */
    id: Type.String({ minLength: 1 }),
  }),
  template: Type.Object({
    /** How the target of a click on a table row is named: by a template of its name. */
    mode: Type.Literal("template"),
    /**
     * Template of the name of the data source or dashboard that a click on a table row opens; `{{column}}` stands for a value
     * of the row.
     */
    template: Type.String(template),
  }),
};

/** The target of a click on a table row: an id, or a template of the name. */
export type OnClickTarget = Static<typeof targets.id> | Static<typeof targets.template>;

const target = oneOfKinds<OnClickTarget>(Object.values(targets));

const filter = Type.Object({
  /** Kind of a filter that a click on a table row sets: always `expressionTemplate`. */
  kind: Type.Literal("expressionTemplate", { rule: "expressionTemplate" }),
  /** Column or expression that is compared by a filter which a click on a table row sets. */
  expression: Type.String(template),
  /** Template of the value in the comparison of a filter that a click on a table row sets. */
  template: Type.String(template),
});

const search = {
  /** A click on a table row opens a search in a data source. */
  type: Type.Literal("search"),
  /** Data source that a click on a table row searches, or dashboard that it opens. */
  target,
  /** Template of the filter expression that a click on a table row sets. */
  whereTemplate: Type.Optional(Type.String({ longest: 10_000 })),
  /** Language of `whereTemplate`, the filter that a click on a table row sets: `lucene` or `sql`. */
  whereLanguage: Type.Optional(oneOf(enums.whereLanguage)),
  /** Further filters that a click on a table row sets, at most 50. */
  filters: Type.Optional(Type.Array(filter, { most: 50 })),
};

const dashboard = {
  ...search,
  /** A click on a table row opens a dashboard. */
  type: Type.Literal("dashboard"),
};

const external = {
  /** A click on a table row opens a page. */
  type: Type.Literal("external"),
  /** Template of the address of the page that a click on a table row opens. */
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
