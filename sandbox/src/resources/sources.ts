import { seededCredentials } from "../credentials";
import type { RouteContext } from "../routeContext";
import { type Resource, serves } from "./resource";

/** A data source of a service; answers omit `serviceId`. */
export interface Source {
  id: string;
  serviceId: string;
  name: string;
  kind: "log" | "trace" | "metric";
  connection: string;
  from: { databaseName: string; tableName: string };
  timestampValueExpression: string;
}

/** The data sources of a service: list. */
export const sources = {
  place: "stack",
  operations: ["listSources"],
  path: () => "sources",

  seed(): Source[] {
    const { serviceId } = seededCredentials;
    const connection = "65f1c0a2b3d4e5f607182900";
    const table = (tableName: string) => ({ databaseName: "otel", tableName });
    return [
      {
        id: "65f1c0a2b3d4e5f607182911",
        serviceId,
        name: "Logs",
        kind: "log",
        connection,
        from: table("otel_logs"),
        timestampValueExpression: "Timestamp",
      },
      {
        id: "65f1c0a2b3d4e5f607182912",
        serviceId,
        name: "Traces",
        kind: "trace",
        connection,
        from: table("otel_traces"),
        timestampValueExpression: "Timestamp",
      },
      {
        id: "65f1c0a2b3d4e5f607182913",
        serviceId,
        name: "Metrics",
        kind: "metric",
        connection,
        from: table("otel_metrics"),
        timestampValueExpression: "TimeUnix",
      },
    ];
  },

  onConsole: ({ id, serviceId, name, kind }: Source) => ({ id, serviceId, name, kind }),

  routes({ api, store, envelope }: RouteContext, path: string): void {
    api.get(path, serves("listSources"), async (request) =>
      envelope(
        request,
        store.ofService(sources, request.service.id).map(({ serviceId, ...source }) => source),
      ),
    );
  },
} as const satisfies Resource;
