import { mistakesIn, readDashboards } from "../../../drawing";
import { nameIn } from "../../hosts/names";
import { type Data, isObject } from "../../values/data";
import { containsUnknown } from "../../values/unknown";
import type { Result } from "../alerts/backtest";
import { share } from "../alerts/report";

/** The rules, each with its sentence for the documents. */
export const rules = {
  "tile-place": "Tiles overlap, or reach beyond the grid.",
  "tile-unit": "A tile shows numbers without a unit (`numberFormat`).",
  "alert-note": "An alert has neither a `note` nor a `message` for the person on call.",
  "alert-channel": "An alert has no webhook, or one that the service does not have.",
  "gone-reference": "Something refers to an object that the service does not have.",
  "threshold-never": "An alert would never have fired in the time of `--backtest`.",
  "threshold-always": "An alert would have fired all the time of `--backtest`.",
} as const;

export type LintRule = keyof typeof rules;

export interface LintFinding {
  readonly rule: LintRule;
  /** `Dashboard` or `Alert`. */
  readonly type: string;
  /** Name of the resource in the program, or of the object where the service is looked at. */
  readonly name: string;
  /** Name of the tile, where it is about one. */
  readonly tile?: string;
  readonly message: string;
}

/** Ids of the objects of one kind that exist; undefined where nobody can list them. */
type Ids = ReadonlySet<string> | undefined;

/** The objects to check, in the words of programs: a value that is not known yet is a symbol. */
export interface Linted {
  readonly dashboards: readonly Data[];
  readonly alerts: readonly Data[];
  /** The ids of the service and the program, by kind. */
  readonly existing: {
    readonly [kind in "sources" | "connections" | "webhooks" | "searches" | "dashboards" | "tiles"]: Ids;
  };
  /** When the alerts would have fired, if that was asked for. */
  readonly results?: readonly Result[];
}

/** All findings, those of one resource together. */
export function findingsIn({ dashboards, alerts, existing, results = [] }: Linted): readonly LintFinding[] {
  return [
    ...dashboards.flatMap((dashboard) => [
      ...placesIn(dashboard),
      ...tilesOf(dashboard).flatMap((tile) => [
        ...unitOf(dashboard, tile),
        ...referencesOf(dashboard, tile, existing),
      ]),
    ]),
    ...alerts.flatMap((alert) => [
      ...noteOf(alert),
      ...channelOf(alert, existing.webhooks),
      ...watchedObjects(alert, existing),
      ...results.filter((result) => result.alert === alert).flatMap(firingOf),
    ]),
  ];
}

function placesIn(dashboard: Data): LintFinding[] {
  const read = readDashboards({ dashboards: [dashboard], alerts: [] }).dashboards;
  return read
    .flatMap(mistakesIn)
    .map((message) => ({ ...nameOf("Dashboard", dashboard), rule: "tile-place", message }));
}

/** Kinds of tile whose values are numbers with a unit. */
const measuring = ["line", "stacked_bar", "number", "bar", "table", "pie", "heatmap"];

/** A count needs no unit, and the API document has none. */
function unitOf(dashboard: Data, tile: Data): LintFinding[] {
  const { config } = tile;
  if (!isObject(config) || !measuring.includes(String(config.displayType))) return [];
  const select = Array.isArray(config.select) ? config.select.filter(isObject) : [];
  const isCounting = ({ aggFn }: Data) => ["count", "count_distinct", "none"].includes(String(aggFn));
  const isBare = (item: Data) => !isCounting(item) && !item.numberFormat;
  if (config.numberFormat || config.asRatio || !select.some(isBare)) return [];
  const message = "shows numbers without a unit; declare numberFormat";
  return [{ ...ofTile(dashboard, tile), rule: "tile-unit", message }];
}

function referencesOf(dashboard: Data, tile: Data, existing: Linted["existing"]): LintFinding[] {
  const { config = {}, series } = tile as { config?: Data; series?: unknown };
  const configs = [config, ...(Array.isArray(series) ? series.filter(isObject) : [])];
  const place = ofTile(dashboard, tile);
  return [
    ...configs.flatMap(({ sourceId }) => danglingReference(place, "source", sourceId, existing.sources)),
    ...danglingReference(place, "connection", config.connectionId, existing.connections),
  ];
}

function noteOf(alert: Data): LintFinding[] {
  const { note, message } = alert;
  if (note || message || containsUnknown([note, message])) return [];
  const words = "has neither a note nor a message for the person on call";
  return [{ ...nameOf("Alert", alert), rule: "alert-note", message: words }];
}

function channelOf(alert: Data, webhooks: Ids): LintFinding[] {
  const { channel, channels } = alert;
  const allChannels = [...(Array.isArray(channels) ? channels : []), channel].filter(isObject);
  const place = { ...nameOf("Alert", alert), rule: "alert-channel" as const };
  if (allChannels.length === 0 && !containsUnknown([channel, channels]))
    return [{ ...place, message: "has no channel, so it notifies nobody; declare channel" }];
  return allChannels.flatMap(({ webhookId }) =>
    danglingReference(place, "webhook", webhookId, webhooks).map(({ message }) => ({ ...place, message })),
  );
}

function watchedObjects(alert: Data, existing: Linted["existing"]): LintFinding[] {
  const place = nameOf("Alert", alert);
  const { source, chartConfig } = alert;
  if (source === "search" || source === "saved_search")
    return danglingReference(
      place,
      "saved search",
      alert.savedSearch ?? alert.savedSearchId,
      existing.searches,
    );
  if (source === "tile")
    return [
      ...danglingReference(place, "dashboard", alert.dashboardId ?? alert.dashboard, existing.dashboards),
      ...danglingReference(place, "tile", alert.tileId, existing.tiles),
    ];
  if (!isObject(chartConfig)) return [];
  return [
    ...danglingReference(place, "source", chartConfig.sourceId, existing.sources),
    ...danglingReference(place, "connection", chartConfig.connectionId, existing.connections),
  ];
}

function firingOf(result: Result): LintFinding[] {
  if ("reason" in result || result.buckets.length === 0) return [];
  const place = nameOf("Alert", result.alert);
  if (result.firings.length === 0)
    return [{ ...place, rule: "threshold-never", message: "would never have fired in that time" }];
  return share(result) < 1
    ? []
    : [{ ...place, rule: "threshold-always", message: "would have fired all of that time" }];
}

/** A reference to an id that does not exist. An unknown id, or a kind that cannot be listed, is no finding. */
function danglingReference(
  place: Omit<LintFinding, "rule" | "message">,
  noun: string,
  id: unknown,
  existing: Ids,
): LintFinding[] {
  const wanted = textOf(id);
  if (wanted === undefined || !existing || existing.has(wanted)) return [];
  const message = `refers to ${noun} ${wanted}, which the service does not have`;
  return [{ ...place, rule: "gone-reference", message }];
}

function nameOf(type: string, { urn, name, id }: Data): Pick<LintFinding, "type" | "name"> {
  return { type, name: typeof urn === "string" ? nameIn(urn) : String(name || id || "(no name)") };
}

function ofTile(dashboard: Data, { name }: Data) {
  return { ...nameOf("Dashboard", dashboard), tile: textOf(name) ?? "(no name)" };
}

function tilesOf({ tiles }: Data): readonly Data[] {
  return Array.isArray(tiles) ? tiles.filter(isObject) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
