import { connections } from "./connections";
import { isVariable } from "./dashboardParts";
import type { DashboardFilter, TileBody } from "./dashboardRecords";
import type { Place } from "./dashboardRules";
import { sources } from "./sources";

type Config = Record<string, unknown>;

interface Link {
  type: string;
  target?: { mode: string; id?: string };
}

/**
 * Returns the server's message if tiles or filters refer to missing objects; undefined if they do not. The message names only
 * objects of one kind, such as sources.
 */
export function failureOfReferences(
  tiles: readonly TileBody[],
  filters: readonly Omit<DashboardFilter, "id">[],
  { records, serviceId, dashboardIds }: Place,
): string | undefined {
  const sourcesById = new Map(records.ofService(sources, serviceId).map((source) => [source.id, source]));
  const configs = tiles.flatMap(({ config }): Config[] => (config ? [config] : []));
  const links = configs.flatMap(({ onClick }): Link[] => (onClick ? [onClick as Link] : []));
  const targets = (type: string) =>
    links.flatMap((link) =>
      link.type === type && link.target?.mode === "id" ? [String(link.target.id)] : [],
    );
  const named = [
    ...tiles.flatMap(({ series = [] }) => series.map(({ sourceId }) => sourceId)),
    ...configs.map(({ sourceId }) => sourceId),
    ...targets("search"),
    ...filters.map(({ sourceId }) => sourceId),
  ].filter((id): id is string => typeof id === "string" && !isVariable(id));
  const ofKind = (ids: unknown[], ...kinds: string[]) =>
    ids
      .filter((id) => !isVariable(id))
      .map(String)
      .filter((id) => !kinds.includes(sourcesById.get(id)?.kind ?? ""));
  const reached = new Set(records.ofService(connections, serviceId).map(({ id }) => id));
  const queries = configs.filter(({ configType }) => configType === "sql");
  const withFormulas = configs.filter(({ formulas }) => Array.isArray(formulas) && formulas.length > 0);
  const heatmaps = configs.filter(({ displayType }) => displayType === "heatmap");
  const problems: [string, string[]][] = [
    ["Could not find the following source IDs", named.filter((id) => !sourcesById.has(id))],
    [
      "Could not find the following connection IDs",
      queries
        .map(({ connectionId }) => String(connectionId))
        .filter((id) => !reached.has(id) && !isVariable(id)),
    ],
    [
      "The following source IDs do not match the specified connections",
      queries
        .filter(
          ({ sourceId, connectionId }) =>
            sourceId &&
            ![sourceId, connectionId].some(isVariable) &&
            sourcesById.get(String(sourceId))?.connection !== connectionId,
        )
        .map(({ sourceId }) => String(sourceId)),
    ],
    [
      "Heatmap tiles require a Trace source. The following source IDs are not Trace sources",
      ofKind(
        heatmaps.filter(({ heatmapMode }) => heatmapMode !== "series").map(({ sourceId }) => sourceId),
        "trace",
      ),
    ],
    [
      "Series heatmap tiles require a Trace, Log, or Metric source. The following source IDs are not Trace, Log, or Metric sources",
      ofKind(
        heatmaps.filter(({ heatmapMode }) => heatmapMode === "series").map(({ sourceId }) => sourceId),
        ...["trace", "log", "metric"],
      ),
    ],
    [
      "Tiles with formulas require a Metric, Log, or Trace source. The following source IDs are not formula-capable",
      ofKind(
        withFormulas.map(({ sourceId }) => sourceId),
        "metric",
        "log",
        "trace",
      ),
    ],
    [
      "PROMETHEUS_LABEL filters require a PromQL source. The following source IDs are not PromQL sources",
      ofKind(
        filters.filter(({ type }) => type === "PROMETHEUS_LABEL").map(({ sourceId }) => sourceId),
        "promql",
      ),
    ],
    [
      "PromQL tiles require a PromQL source. The following source IDs are not PromQL sources",
      ofKind(
        configs.filter(({ configType }) => configType === "promql").map(({ sourceId }) => sourceId),
        "promql",
      ),
    ],
    [
      "Could not find the following onClick dashboard IDs",
      targets("dashboard").filter((id) => !dashboardIds.has(id)),
    ],
    [
      "The following onClick search source IDs are not log or trace sources",
      ofKind(targets("search"), "log", "trace"),
    ],
  ];
  const [problem] = problems.filter(([, ids]) => ids.length > 0);
  return problem && `${problem[0]}: ${[...new Set(problem[1])].join(", ")}`;
}
