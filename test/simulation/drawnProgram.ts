import type { Dialect } from "../../sandbox/core/vocabulary";
import type { Data } from "../promises/store";
import { drawOf, type TypeName } from "./draws";
import type { Declared, Edit, Program } from "./program";
import type { Random } from "./random";
import { adoptable, connectionId, savedSearchId, signingKeyId, sourceId } from "./world/contents";

/** This module generates from a seed what programs declare in simulated histories, and how they change. */

const columns = "Timestamp, ServiceName, SeverityText, Body, ResourceAttributes['k8s.pod.name'] AS pod";

/** Generates the `config` of a tile in the dialect `clickhouse`: a search, markdown, or a chart. */
function drawConfig(random: Random): Data {
  if (random.chance(0.15))
    return {
      displayType: random.pick(["search", "event_patterns"]),
      sourceId,
      select: columns,
      where: `level:error ${"host:api ".repeat(random.pick([0, 9, 120]))}`.trim(),
      whereLanguage: "lucene",
    };
  if (random.chance(0.1))
    return { displayType: "markdown", markdown: "Look at the runbook. ".repeat(random.integer(1, 200)) };
  return drawChart(random, ["line", "number", "table"]);
}

export function drawChart(random: Random, displayTypes: readonly string[]): Data {
  const isCount = random.chance(0.5);
  return {
    displayType: random.pick(displayTypes),
    sourceId,
    select: [
      {
        aggFn: isCount ? "count" : "max",
        ...(isCount ? {} : { valueExpression: "Duration" }),
        ...(random.chance(0.5) ? { where: "level:error", whereLanguage: "lucene" } : {}),
      },
    ],
  };
}

/** Generates a tile of a dashboard with one series. In the dialect `clickhouse` it sometimes has a `config` instead. */
export function drawTile(random: Random, dialect: Dialect): Data {
  const type = random.pick(["time", "number", "table"]);
  const isOfProduct = dialect === "clickhouse";
  const hasConfig = isOfProduct && random.chance(0.6);
  const place = {
    name: random.pick(["Errors", "Rows", "Latency"]),
    x: random.integer(0, 3) * 6,
    y: random.integer(0, 2) * 4,
    w: 6,
    h: 4,
  };
  if (hasConfig) return { ...place, config: drawConfig(random) };
  const aggFn = random.pick(["count", "max"]);
  return {
    ...place,
    ...(random.chance(0.2) && !isOfProduct ? { asRatio: true } : {}),
    series: [
      {
        type,
        aggFn,
        where: random.pick(["", "level:error"]),
        groupBy: random.chance(0.3) && !(isOfProduct && type === "number") ? ["host"] : [],
        ...(isOfProduct ? { sourceId, whereLanguage: "lucene" } : {}),
        ...(isOfProduct && aggFn !== "count" ? { field: "Duration" } : {}),
      },
    ],
  };
}

function drawArgs(random: Random, type: TypeName, dialect: Dialect): Data {
  return Object.fromEntries(
    Object.entries(drawOf(type).values)
      .filter(([name]) => drawOf(type).required.includes(name) || random.chance(0.35))
      .map(([name, draw]) => [name, draw(random, dialect)]),
  );
}

export function drawDashboard(random: Random, dialect: Dialect): Declared {
  const args = drawArgs(random, "Dashboard", dialect);
  const tiles = Array.from({ length: random.integer(0, 2) }, () => drawTile(random, dialect));
  return { type: "Dashboard", args: { ...args, tiles } };
}

export function drawAlertTile(random: Random, dialect: Dialect): Data {
  const { series: _, config: __, ...place } = drawTile(random, dialect);
  if (dialect === "clickhouse") return { ...place, config: drawChart(random, ["line", "number"]) };
  const aggFn = random.pick(["count", "max", "avg"]);
  const where = random.pick(["", "level:error"]);
  return { ...place, series: [{ type: random.pick(["time", "number"]), aggFn, where, groupBy: [] }] };
}

export function drawAlertArgs(random: Random, dialect: Dialect): Data {
  return drawArgs(random, "Alert", dialect);
}

/** Generates an alert on a search that refers to no other resource of the program, so that any program can have it. */
export function drawSearchAlert(random: Random, dialect: Dialect): Declared {
  return {
    type: "Alert",
    args: { ...drawArgs(random, "Alert", dialect), source: "search", ...searchIn(dialect) },
  };
}

/**
 * Generates a resource that may refer to other resources of the simulated program; undefined if it needs one that is missing.
 */
function drawDeclared(
  random: Random,
  type: TypeName,
  program: Program,
  dialect: Dialect,
): Declared | undefined {
  const args = drawArgs(random, type, dialect);
  const anyOf = (other: TypeName) => {
    const own = [...program].filter((entry) => entry[1].type === other);
    return own.length > 0 ? random.pick(own) : [];
  };
  switch (type) {
    case "Dashboard":
      return drawDashboard(random, dialect);
    case "AlertSet":
      return drawSet(random, () => drawSearchAlert(random, dialect).args);
    case "Webhook":
      return { type, args: { ...args, service: random.pick(["generic", "generic", "incidentio"]) } };
    case "SavedSearch":
      return { type, args: { ...args, sourceId } };
    case "Source": {
      const [connection] = anyOf("Connection");
      const isKnown = connection === undefined || random.chance(0.2);
      return {
        type,
        args: { ...args, kind: "log", connection: isKnown ? connectionId : { ref: connection } },
      };
    }
    case "QueryEndpoint": {
      const [key] = anyOf("ApiKey");
      return key === undefined ? undefined : { type, args: { ...args, openApiKeys: [{ ref: key }] } };
    }
    case "Alert": {
      const [webhook] = anyOf("Webhook");
      const channel =
        webhook === undefined || random.chance(0.5)
          ? args.channel
          : { type: "webhook", webhookId: { ref: webhook } };
      const [search] = anyOf("SavedSearch");
      const [name, dashboard] = anyOf("Dashboard");
      const tiles = (dashboard?.args.tiles ?? []) as unknown[];
      if (name === undefined || tiles.length === 0 || random.chance(0.3)) {
        const isKnown = search !== undefined && dialect === "clickhouse";
        const searched = isKnown ? { savedSearch: { ref: search } } : searchIn(dialect);
        return { type, args: { ...args, channel, source: "search", ...searched } };
      }
      const tileId = { ref: name, tile: random.integer(0, tiles.length - 1) };
      return { type, args: { ...args, channel, source: "tile", dashboardId: { ref: name }, tileId } };
    }
    default:
      return { type, args };
  }
}

function searchIn(dialect: Dialect): Data {
  return dialect === "clickhouse" ? { savedSearch: savedSearchId } : {};
}

/**
 * Properties of the API key with which the simulated program signs. A change of them could disable the key, and no author locks
 * himself out, so the simulation leaves them alone.
 */
const locks = ["state", "ipAccessList"];

function withoutLocks(args: Data): Data {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !locks.includes(name)));
}

export function idToAdopt(type: string): string | undefined {
  return (adoptable as { readonly [type: string]: string })[type];
}

/** Resource types of which each service has one object only. */
const singles: readonly TypeName[] = ["QueryEndpoint", "ServiceScaling", "ServiceScalingSchedule"];

/**
 * Generates a change of a simulated program; undefined if the random change does not fit. A new name never belongs to another
 * resource.
 */
export function drawEdit(
  random: Random,
  program: Program,
  freshName: () => string,
  types: readonly TypeName[],
  dialect: Dialect,
): Edit | undefined {
  const names = [...program.keys()];
  const kind = random.weighted({ set: 5, add: 3, tiles: 3, drop: 2, remove: 2, rename: 1 });
  if (kind === "add" || names.length === 0) {
    const type = random.pick(types);
    const isSingle = singles.includes(type);
    if (isSingle && [...program.values()].some((declared) => declared.type === type)) return undefined;
    const declared = drawDeclared(random, type, program, dialect);
    if (!declared) return undefined;
    const mayAdopt = types.includes("ServiceScaling") && random.chance(0.12);
    const isSigning = type === "ApiKey" && random.chance(0.4);
    const adoptId = mayAdopt ? (isSigning ? signingKeyId : idToAdopt(type)) : undefined;
    const adopted = { ...(isSigning ? withoutLocks(declared.args) : declared.args), adoptId };
    const args = adoptId === undefined ? declared.args : adopted;
    const after = names.length > 0 && random.chance(0.3) ? { after: random.pick(names) } : {};
    return { edit: "add", name: freshName(), declared: { type, args, ...after } };
  }
  const name = random.pick(names);
  const { type, args } = program.get(name) as Declared;
  if (kind === "remove") return { edit: "remove", name };
  if (kind === "rename") return { edit: "rename", name, to: freshName() };
  const drawAlert = () => drawSearchAlert(random, dialect).args;
  if (type === "AlertSet") return drawSetEdit(random, name, program, drawAlert);
  const { values, required } = drawOf(type);
  if (kind === "set") {
    const property = random.pick(Object.keys(values));
    if (args.adoptId === signingKeyId && locks.includes(property)) return undefined;
    return { edit: "set", name, property, value: values[property]?.(random, dialect) };
  }
  if (kind === "drop") {
    const optional = Object.keys(args).filter((own) => own in values && !required.includes(own));
    return optional.length === 0 ? undefined : { edit: "drop", name, property: random.pick(optional) };
  }
  if (type !== "Dashboard") return undefined;
  const tile = random.integer(0, 1);
  return random.pick<Edit>([
    { edit: "setTile", name, tile, changed: { name: random.pick(["Errors", "Rows", "Traffic"]) } },
    { edit: "setTile", name, tile, changed: { y: random.integer(0, 9) } },
    { edit: "reverseTiles", name },
    { edit: "addTile", name, tile: drawTile(random, dialect) },
    { edit: "removeTile", name },
  ]);
}

/** Keys of the entries of AlertSets. */
const keys = ["one", "two", "three", "four"] as const;

export function drawSet(random: Random, draw: () => Data): Declared {
  const alerts = keys.filter(() => random.chance(0.6)).map((key) => [key, draw()] as const);
  return { type: "AlertSet", args: { alerts: Object.fromEntries(alerts) } };
}

function drawSetEdit(random: Random, name: string, program: Program, draw: () => Data): Edit {
  const key = random.pick(keys);
  const alerts = program.get(name)?.args.alerts as { readonly [key: string]: Data };
  const entry = alerts[key];
  if (entry && random.chance(0.3)) return { edit: "setEntry", name, key };
  const { threshold, ...others } = draw();
  const old = entry && random.chance(0.6) ? entry : others;
  return { edit: "setEntry", name, key, args: { ...old, threshold } };
}
