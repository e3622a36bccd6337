import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import type { Records } from "../records";
import type { Dashboard } from "./dashboardRecords";

/** Where a dashboard is, and what it may refer to there. */
export interface Place {
  records: Records;
  serviceId: string;
  dashboardIds: ReadonlySet<string>;
  newId(): string;
}

/** How a server reads and shows dashboards. */
export interface DashboardRules {
  /** The bodies of create and update. */
  readonly bodies: { readonly create: TSchema; readonly update: TSchema };
  /**
   * What a valid body changes in a dashboard, or sets in a new one.
   * @throws ApiError 400 for a body that breaks rules across members
   */
  changeOf(body: unknown, place: Place, old?: Dashboard): Omit<Dashboard, "id" | "serviceId">;
  /** A dashboard as answers show it. */
  show(dashboard: Dashboard): object;
}

const TileSeries = Type.Object(
  {
    type: Type.String(),
    dataSource: Type.Optional(Type.String()),
    aggFn: Type.Optional(Type.String()),
    where: Type.Optional(Type.String()),
    groupBy: Type.Optional(Type.Array(Type.String())),
    sourceId: Type.Optional(Type.String()),
    field: Type.Optional(Type.String()),
    whereLanguage: Type.Optional(Type.Unsafe<"lucene" | "sql">({ enum: ["lucene", "sql"] })),
    level: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    alias: Type.Optional(Type.String()),
    metricName: Type.Optional(Type.String()),
    metricDataType: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const DashboardBody = Type.Object(
  {
    name: Type.String(),
    tiles: Type.Array(
      Type.Object(
        {
          id: Type.Optional(Type.String()),
          name: Type.String(),
          x: Type.Number({ minimum: 0, maximum: 23 }),
          y: Type.Number({ minimum: 0 }),
          w: Type.Number({ minimum: 1, maximum: 24 }),
          h: Type.Number({ minimum: 1 }),
          asRatio: Type.Optional(Type.Boolean()),
          series: Type.Optional(Type.Array(TileSeries, { minItems: 1 })),
          config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        },
        { additionalProperties: false },
      ),
    ),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);

type TileBody = Static<typeof DashboardBody>["tiles"][number];

/** The rules of the API document. The server assigns the ids of tiles; omitted tags stay. */
export const neutralDashboards: DashboardRules = {
  bodies: { create: DashboardBody, update: DashboardBody },
  changeOf(body, { newId }, old) {
    const { name, tiles, tags = old?.tags ?? [] } = body as Static<typeof DashboardBody>;
    checkTiles(tiles);
    return { name, tiles: withServerIds(tiles, newId, old?.tiles), tags };
  },
  show: ({ serviceId, ...dashboard }) => dashboard,
};

/** Objects with the ids that those before them have, and new ids for all others. */
export function withServerIds<Item extends { id?: string }>(
  items: readonly Item[],
  newId: () => string,
  old: readonly { id: string }[] = [],
): (Item & { id: string })[] {
  const known = new Set(old.map(({ id }) => id));
  return items.map((item) => ({
    ...item,
    id: item.id !== undefined && known.has(item.id) ? item.id : newId(),
  }));
}

/** Checks rules that span several members. */
function checkTiles(tiles: TileBody[]): void {
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
