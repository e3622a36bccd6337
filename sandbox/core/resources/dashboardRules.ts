import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import type { Records } from "../records";
import type { Dashboard } from "./dashboardRecords";
import { closed, words } from "./jsonSchema";

/** The records that a dashboard may refer to, and the generator of new ids. */
export interface Place {
  records: Records;
  serviceId: string;
  dashboardIds: ReadonlySet<string>;
  newId(): string;
}

/** The rules by which a server of one dialect validates and shows dashboards. */
export interface DashboardRules {
  /**
   * The schemas of the request bodies that create and update dashboards. Absent if the API documents of ClickHouse Cloud and
   * HyperDX have these schemas.
   */
  readonly bodies?: { readonly create: TSchema; readonly update: TSchema };
  changeOf(body: unknown, place: Place, old?: Dashboard): Omit<Dashboard, "id" | "serviceId">;
  show(dashboard: Dashboard): object;
}

const text = Type.String();
const TileSeries = closed(
  { type: text },
  {
    ...{ dataSource: text, aggFn: text, where: text, sourceId: text, field: text },
    groupBy: Type.Array(text),
    whereLanguage: words("lucene", "sql"),
    level: Type.Number({ minimum: 0, maximum: 1 }),
    ...{ alias: text, metricName: text, metricDataType: text },
  },
);

const DashboardTile = closed(
  {
    name: text,
    x: Type.Number({ minimum: 0, maximum: 23 }),
    y: Type.Number({ minimum: 0 }),
    w: Type.Number({ minimum: 1, maximum: 24 }),
    h: Type.Number({ minimum: 1 }),
  },
  {
    id: text,
    asRatio: Type.Boolean(),
    series: Type.Array(TileSeries, { minItems: 1 }),
    config: Type.Record(text, Type.Unknown()),
  },
);

const DashboardBody = closed({ name: text, tiles: Type.Array(DashboardTile) }, { tags: Type.Array(text) });

/**
 * The rules for dashboards in the dialect `neutral`, as in the API document. The server assigns the ids of tiles; an update
 * keeps tags that its body omits.
 */
export const neutralDashboards: DashboardRules = {
  bodies: { create: DashboardBody, update: DashboardBody },
  changeOf(body, { newId }, old) {
    const { name, tiles, tags = old?.tags ?? [] } = body as Static<typeof DashboardBody>;
    checkTiles(tiles);
    return { name, tiles: withServerIds(tiles, newId, old?.tiles), tags };
  },
  show: ({ serviceId, ...dashboard }) => dashboard,
};

/** Keeps the id of each object (such as a tile) in a request body if it is among the old ids, and gives the others new ids. */
export function withServerIds<Item extends { id?: string }>(
  items: readonly Item[],
  newId: () => string,
  old: readonly { id: string }[] = [],
): (Item & { id: string })[] {
  const ids = new Set(old.map(({ id }) => id));
  return items.map((item) => ({
    ...item,
    id: item.id !== undefined && ids.has(item.id) ? item.id : newId(),
  }));
}

function checkTiles(tiles: Static<typeof DashboardTile>[]): void {
  const ids = new Set<string>();
  tiles.forEach(({ id, series, config }, tileIndex) => {
    if ((series === undefined) === (config === undefined))
      throw badRequest(`tiles.${tileIndex} must have either series or config`);
    if (id !== undefined && ids.has(id))
      throw badRequest(`tiles.${tileIndex}.id is the id of another tile, too`);
    if (id !== undefined) ids.add(id);
    series?.forEach(({ type, groupBy }, index) => {
      if (groupBy === undefined && type !== "number") {
        throw badRequest(`tiles.${tileIndex}.series.${index}.groupBy is required unless type is number`);
      }
    });
  });
}
