import { type Static, Type } from "@sinclair/typebox";
import { badRequest, notFound } from "../apiError";
import { isObjectId, newObjectId } from "../identifiers";
import { idParameters, type RouteContext } from "../routeContext";
import { type Resource, serves } from "./resource";

/** A series of a tile. The members from `sourceId` on are the product's own. */
export interface TileSeries {
  type: string;
  dataSource?: string;
  aggFn?: string;
  where?: string;
  groupBy?: string[];
  sourceId?: string;
  field?: string;
  whereLanguage?: "lucene" | "sql";
  /** The quantile, 0 to 1. */
  level?: number;
  alias?: string;
  metricName?: string;
  metricDataType?: string;
}

export interface Tile {
  id: string;
  name: string;
  x: number;
  y: number;
  w: number;
  h: number;
  asRatio?: boolean;
  /** A tile has either series or `config`. */
  series?: TileSeries[];
  /** In newer servers takes the place of `series` and `asRatio`. Kept as sent. */
  config?: Record<string, unknown>;
}

/** A dashboard of a service; answers omit `serviceId`. */
export interface Dashboard {
  id: string;
  serviceId: string;
  name: string;
  tiles: Tile[];
  tags: string[];
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

/** The dashboards of a service: list, create, get, replace and delete. The server assigns tile ids. */
export const dashboards = {
  place: "stack",
  operations: ["listDashboards", "createDashboard", "getDashboard", "updateDashboard", "deleteDashboard"],
  path: () => "dashboards",

  seed: (): Dashboard[] => [],
  onConsole: (dashboard: Dashboard) => dashboard,

  routes({ api, store, answers, envelope }: RouteContext, path: string): void {
    const show = ({ serviceId, ...dashboard }: Dashboard) => answers.show("dashboard", dashboard);
    const one = { schema: { params: idParameters } };
    const find = (id: string, serviceId: string): Dashboard => {
      if (!isObjectId(id)) throw badRequest("Invalid dashboard id");
      const dashboard = store.of(dashboards).get(id);
      if (dashboard?.serviceId !== serviceId) throw notFound("Not Found", "text");
      return dashboard;
    };

    api.get(path, serves("listDashboards"), async (request) =>
      envelope(request, store.ofService(dashboards, request.service.id).map(show)),
    );

    api.post(path, { ...serves("createDashboard"), schema: { body: DashboardBody } }, async (request) => {
      const { name, tiles, tags = [] } = request.body;
      checkTiles(tiles);
      const dashboard = {
        id: newObjectId(),
        serviceId: request.service.id,
        name,
        tiles: tiles.map((tile): Tile => ({ ...tile, id: newObjectId() })),
        tags,
      };
      store.of(dashboards).set(dashboard.id, dashboard);
      return envelope(request, show(dashboard));
    });

    api.get(`${path}/:id`, { ...one, ...serves("getDashboard") }, async (request) =>
      envelope(request, show(find(request.params.id, request.service.id))),
    );

    api.put(
      `${path}/:id`,
      { ...serves("updateDashboard"), schema: { ...one.schema, body: DashboardBody } },
      async (request) => {
        const dashboard = find(request.params.id, request.service.id);
        const { name, tiles, tags = dashboard.tags } = request.body;
        checkTiles(tiles);
        const known = new Set(dashboard.tiles.map((tile) => tile.id));
        dashboard.name = name;
        dashboard.tags = tags;
        dashboard.tiles = tiles.map(
          ({ id, ...tile }): Tile => ({
            id: id !== undefined && known.has(id) ? id : newObjectId(),
            ...tile,
          }),
        );
        store.changed(dashboards, dashboard.id);
        return envelope(request, show(dashboard));
      },
    );

    api.delete(`${path}/:id`, { ...one, ...serves("deleteDashboard") }, async (request) => {
      const dashboard = find(request.params.id, request.service.id);
      store.of(dashboards).delete(dashboard.id);
      store.changed(dashboards, dashboard.id);
      return envelope(request);
    });
  },
} as const satisfies Resource;

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
