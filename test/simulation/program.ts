import type { Random } from "./random";
import type { Dialect } from "./world/behaviour";
import { savedSearchId } from "./world/routes";
import type { Data } from "./world/store";

/** The programs of a stack: what it declares, and how its author changes that. */

export type TypeName =
  | "ServiceScaling"
  | "ApiKey"
  | "QueryEndpoint"
  | "Dashboard"
  | "Alert"
  | "Webhook"
  | "SavedSearch";

/** A resource of a program. */
export interface Declared {
  readonly type: TypeName;
  readonly args: Data;
  /** The name of a resource that it waits for, as `dependsOn` says. */
  readonly after?: string;
}

/** What a program declares, by the names of its resources. */
export type Program = ReadonlyMap<string, Declared>;

/** In place of a value: an output of another resource of the program. */
export interface Reference {
  readonly ref: string;
  /** A tile of a dashboard, by its position in the program; the id of the resource, if it is absent. */
  readonly tile?: number;
}

/** A change of a program. One that does not fit the program changes nothing. */
export type Edit =
  | { readonly edit: "add"; readonly name: string; readonly declared: Declared }
  | { readonly edit: "remove"; readonly name: string }
  | { readonly edit: "rename"; readonly name: string; readonly to: string }
  | { readonly edit: "set"; readonly name: string; readonly property: string; readonly value: unknown }
  | { readonly edit: "drop"; readonly name: string; readonly property: string }
  | { readonly edit: "renameTile"; readonly name: string; readonly tile: number; readonly to: string }
  | { readonly edit: "moveTile"; readonly name: string; readonly tile: number; readonly y: number }
  | { readonly edit: "reverseTiles"; readonly name: string }
  | { readonly edit: "addTile"; readonly name: string; readonly tile: Data }
  | { readonly edit: "removeTile"; readonly name: string };

export function isReference(value: unknown): value is Reference {
  return isObject(value) && "ref" in value;
}

/** The program after a change. */
export function edited(program: Program, edit: Edit): Program {
  const next = new Map(program);
  if (edit.edit === "add") {
    if (!next.has(edit.name)) next.set(edit.name, edit.declared);
    return complete(next);
  }
  const declared = next.get(edit.name);
  if (!declared) return program;
  const { args } = declared;
  const put = (changed: Data) => next.set(edit.name, { ...declared, args: changed });
  const tiles = (args.tiles ?? []) as readonly Data[];
  switch (edit.edit) {
    case "remove":
      next.delete(edit.name);
      break;
    case "rename":
      return complete(renamed(next, edit.name, edit.to));
    case "set":
      put({ ...args, [edit.property]: edit.value });
      break;
    case "drop": {
      const { [edit.property]: _, ...rest } = args;
      put(rest);
      break;
    }
    case "renameTile":
      put({
        ...args,
        tiles: tiles.map((tile, index) => (index === edit.tile ? { ...tile, name: edit.to } : tile)),
      });
      break;
    case "moveTile":
      put({
        ...args,
        tiles: tiles.map((tile, index) => (index === edit.tile ? { ...tile, y: edit.y } : tile)),
      });
      break;
    case "reverseTiles":
      // What refers to a tile by its position goes on to mean the tile in that position.
      put({ ...args, tiles: [...tiles].reverse() });
      break;
    case "addTile":
      put({ ...args, tiles: [...tiles, edit.tile] });
      break;
    case "removeTile":
      put({ ...args, tiles: tiles.slice(0, -1) });
      break;
  }
  return complete(next);
}

function renamed(program: Map<string, Declared>, from: string, to: string): Map<string, Declared> {
  if (program.has(to)) return program;
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (isReference(value)) return value.ref === from ? { ...value, ref: to } : value;
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, follow(member)]))
      : value;
  };
  return new Map(
    [...program].map(([name, { type, args, after }]) => [
      name === from ? to : name,
      { type, args: follow(args) as Data, after: after === from ? to : after },
    ]),
  );
}

/** Without resources that refer to what the program does not declare: nobody could write such a program. */
function complete(program: Map<string, Declared>): Program {
  const isThere = ({ ref, tile = -1 }: Reference): boolean => {
    const target = program.get(ref);
    return target !== undefined && tile < ((target.args.tiles as unknown[] | undefined)?.length ?? 0);
  };
  const kept = new Map([...program].filter(([, { args }]) => referencesIn(args).every(isThere)));
  for (const [name, { after, ...own }] of kept)
    if (after !== undefined && !kept.has(after)) kept.set(name, own);
  return kept;
}

/** The names that a resource refers to. */
export function dependenciesOf({ args, after }: Declared): string[] {
  const names = referencesIn(args).map(({ ref }) => ref);
  return [...new Set(after === undefined ? names : [...names, after])];
}

/** All that a value refers to, at any depth. */
export function referencesIn(value: unknown): Reference[] {
  if (isReference(value)) return [value];
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export const webhookIds = ["66f0c2d8a1b2c3d4e5f60718", "66f0c2d8a1b2c3d4e5f60719"] as const;

/** Objects of somebody else that the first stack may adopt. */
export const adoptable: { readonly [type in TypeName]?: string } = {
  Alert: "66f0c2d8a1b2c3d4e5f60730",
  Dashboard: "66f0c2d8a1b2c3d4e5f60731",
  ApiKey: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f232",
  Webhook: "66f0c2d8a1b2c3d4e5f60733",
  SavedSearch: "66f0c2d8a1b2c3d4e5f60734",
};

/** The key with which the first stack signs; its program may adopt that, too. */
export const signingKeyId = "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f201";

const intervals: { readonly [dialect in Dialect]: readonly string[] } = {
  neutral: ["1m", "5m", "60m", "1h"],
  clickhouse: ["1m", "5m", "30m", "1h"],
};
const words = ["Errors", "Slow queries", "Rows", "Errors "];

export const sourceId = "66f0c2d8a1b2c3d4e5f60750";

/** What the product shows in a tile. */
function drawConfig(random: Random): Data {
  const isCount = random.chance(0.5);
  return {
    displayType: random.pick(["line", "number", "table"]),
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

/** A tile with one series, or with what the product has in its place. */
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

/** The values that a property of a type can have, by type and property. Optional ones may be dropped. */
const values: Record<TypeName, Record<string, (random: Random, dialect: Dialect) => unknown>> = {
  Alert: {
    name: (random) => random.pick(words),
    message: (random) => random.pick(["Look at it", "Wake up"]),
    threshold: (random) => random.integer(1, 5),
    interval: (random, dialect) => random.pick(intervals[dialect]),
    thresholdType: (random) => random.pick(["above", "below"]),
    channel: (random) => ({ type: "webhook", webhookId: random.pick(webhookIds) }),
  },
  Dashboard: {
    name: (random) => random.pick(words),
    tags: (random) => random.pick([["a"], ["B", "a"], []]),
  },
  ApiKey: {
    name: (random) => random.pick(["reporting", "ingest"]),
    roles: (random) => random.pick([["developer"], ["developer", "query_endpoints"]]),
    state: (random) => random.pick(["enabled", "disabled"]),
    expireAt: (random) => random.pick(["2031-01-01T00:00:00Z", "2032-02-03T04:05:06+02:00"]),
    ipAccessList: () => [{ source: "203.0.113.0/24", description: "office" }],
    keepers: (random) => ({ rotation: String(random.integer(1, 9)) }),
  },
  Webhook: {
    // Only one webhook of each service may have a name.
    name: (random) => `team ${random.integer(1, 30)}`,
    url: (random) => `https://hooks.example.com/T0K3N${random.integer(1, 3)}`,
    description: (random) => random.pick(["Pages", "Mails"]),
    body: (random) => random.pick(["{{title}}", "{{body}}"]),
    headers: (random) => ({ "x-key": `h34d3r-${random.integer(1, 3)}` }),
    queryParams: (random) => ({ team: `p4r4m-${random.integer(1, 3)}` }),
  },
  SavedSearch: {
    name: (random) => random.pick(["Errors", "Failing", "Slow"]),
    where: (random) => random.pick(["level:error", "level:warn"]),
    orderBy: () => "Timestamp DESC",
    select: (random) => random.pick(["Timestamp", "Timestamp, Body"]),
    tags: (random) => random.pick([["a"], ["B", "a"], []]),
  },
  QueryEndpoint: {
    roles: (random) => random.pick([["sql_console_read_only"], ["sql_console_admin"]]),
    allowedOrigins: (random) => random.pick([["https://a.example"], "https://a.example,https://b.example"]),
  },
  ServiceScaling: {
    numReplicas: (random) => random.integer(2, 5),
    idleScaling: (random) => random.chance(0.5),
    idleTimeoutMinutes: (random) => random.integer(5, 9),
    onDestroy: (random) => random.pick(["keep", "restore"]),
  },
};

const required: Record<TypeName, readonly string[]> = {
  Alert: ["threshold", "interval", "thresholdType", "channel"],
  Dashboard: ["name"],
  ApiKey: ["roles", "name"],
  Webhook: ["name", "url"],
  SavedSearch: ["name"],
  QueryEndpoint: ["roles"],
  ServiceScaling: ["numReplicas"],
};

function drawArgs(random: Random, type: TypeName, dialect: Dialect): Data {
  return Object.fromEntries(
    Object.entries(values[type])
      .filter(([name]) => required[type].includes(name) || random.chance(0.35))
      .map(([name, draw]) => [name, draw(random, dialect)]),
  );
}

export function drawDashboard(random: Random, dialect: Dialect): Declared {
  const args = drawArgs(random, "Dashboard", dialect);
  const tiles = Array.from({ length: random.integer(0, 2) }, () => drawTile(random, dialect));
  return { type: "Dashboard", args: { ...args, tiles } };
}

/** A resource that the program may declare beside what it has. */
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
    case "Webhook":
      return { type, args: { ...args, service: random.pick(["generic", "generic", "incidentio"]) } };
    case "SavedSearch":
      return { type, args: { ...args, sourceId } };
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

/** A change of a program; a resource's new name is not that of another. */
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
    const isSingle = type === "QueryEndpoint" || type === "ServiceScaling";
    if (isSingle && [...program.values()].some((declared) => declared.type === type)) return undefined;
    const declared = drawDeclared(random, type, program, dialect);
    if (!declared) return undefined;
    const mayAdopt = types.includes("ServiceScaling") && random.chance(0.12);
    const isSigning = type === "ApiKey" && random.chance(0.4);
    const adoptId = mayAdopt ? (isSigning ? signingKeyId : adoptable[type]) : undefined;
    const isTaken = [...program.values()].some(({ args }) => args.adoptId === adoptId);
    const args = adoptId === undefined || isTaken ? declared.args : { ...declared.args, adoptId };
    const after = names.length > 0 && random.chance(0.3) ? { after: random.pick(names) } : {};
    return { edit: "add", name: freshName(), declared: { type, args, ...after } };
  }
  const name = random.pick(names);
  const { type, args } = program.get(name) as Declared;
  if (kind === "remove") return { edit: "remove", name };
  if (kind === "rename") return { edit: "rename", name, to: freshName() };
  if (kind === "set") {
    const property = random.pick(Object.keys(values[type]));
    return { edit: "set", name, property, value: values[type][property]?.(random, dialect) };
  }
  if (kind === "drop") {
    const optional = Object.keys(args).filter((own) => own in values[type] && !required[type].includes(own));
    return optional.length === 0 ? undefined : { edit: "drop", name, property: random.pick(optional) };
  }
  if (type !== "Dashboard") return undefined;
  const tile = random.integer(0, 1);
  return random.pick<Edit>([
    { edit: "renameTile", name, tile, to: random.pick(["Errors", "Rows", "Traffic"]) },
    { edit: "moveTile", name, tile, y: random.integer(0, 9) },
    { edit: "reverseTiles", name },
    { edit: "addTile", name, tile: drawTile(random, dialect) },
    { edit: "removeTile", name },
  ]);
}
