import fc from "fast-check";
import type { Data } from "../../../provider/lifecycle/data";
import type { TypeName } from "../../../provider/resources/registry";
import type { Sandbox } from "../../../sandbox/src";

type Record = { [name: string]: unknown };

/** A change that somebody makes in the service: where a report of drift has to show it, and how it is made. */
export interface OutsideChange {
  readonly path: string;
  apply(record: Record): void;
}

const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 _-]{0,14}[a-z]$/);
const domain = fc.stringMatching(/^https:\/\/[a-z]{1,8}\.example$/);

const series = fc.record(
  {
    type: fc.constantFrom("time", "table", "number"),
    groupBy: fc.array(word, { maxLength: 2 }),
    aggFn: fc.constantFrom("count", "sum", "max"),
    where: fc.constantFrom("", "level:error", 'service:"a b"'),
    sourceId: fc.constantFrom("65f1c0a2b3d4e5f607182911", "65f1c0a2b3d4e5f607182912"),
    field: fc.constantFrom("", "Duration"),
    level: fc.constantFrom(0, 0.5, 0.95),
    whereLanguage: fc.constantFrom("lucene", "sql"),
    alias: word,
    metricName: word,
    metricDataType: fc.constantFrom("sum", "gauge"),
  },
  { requiredKeys: ["type", "groupBy"] },
);

const tile = fc.record(
  {
    name: word,
    x: fc.nat(12),
    y: fc.nat(20),
    w: fc.integer({ min: 1, max: 11 }),
    h: fc.integer({ min: 1, max: 9 }),
    asRatio: fc.boolean(),
    series: fc.array(series, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ["name", "x", "y", "w", "h", "series"] },
);

/** Valid programs of each type. What has to exist already is taken from the sandbox. */
export const programs: { readonly [Type in TypeName]: (sandbox: Sandbox) => fc.Arbitrary<Data> } = {
  ServiceScaling: () =>
    fc
      .record(
        {
          numReplicas: fc.integer({ min: 2, max: 19 }),
          idleScaling: fc.boolean(),
          idleTimeoutMinutes: fc.integer({ min: 5, max: 500 }),
        },
        { requiredKeys: [] },
      )
      .filter((program) => Object.keys(program).length > 0),
  ApiKey: () =>
    fc.record(
      {
        name: word,
        roles: fc.subarray(["admin", "developer", "query_endpoints"], { minLength: 1 }),
        state: fc.constantFrom("enabled", "disabled"),
        expireAt: fc.constantFrom("2031-01-01T00:00:00Z", "2032-02-03T04:05:06.700+02:00", ""),
        ipAccessList: fc.uniqueArray(
          fc.record({ source: fc.ipV4(), description: word }, { requiredKeys: ["source"] }),
          { minLength: 1, maxLength: 3, selector: ({ source }) => source },
        ),
      },
      { requiredKeys: ["name", "roles"] },
    ),
  QueryEndpoint: (sandbox) =>
    fc.record(
      {
        roles: fc.subarray(["sql_console_read_only", "sql_console_admin"], { minLength: 1 }),
        openApiKeys: fc.constant([...sandbox.store.keys.keys()].slice(0, 1)),
        allowedOrigins: fc.oneof(
          fc.uniqueArray(domain, { minLength: 1, maxLength: 3 }),
          fc.uniqueArray(domain, { minLength: 1, maxLength: 3 }).map((all) => all.join(", ")),
        ),
      },
      { requiredKeys: ["roles", "openApiKeys"] },
    ),
  Dashboard: () =>
    fc.record(
      {
        name: word,
        tags: fc.uniqueArray(word, { maxLength: 3 }),
        tiles: fc.array(tile, { maxLength: 4 }),
      },
      { requiredKeys: ["name", "tiles"] },
    ),
  Alert: (sandbox) =>
    fc.record(
      {
        name: word,
        message: word,
        threshold: fc
          .oneof(
            fc.integer({ min: -1000, max: 1e6 }),
            fc.double({ min: -1, max: 1e6, noNaN: true, noDefaultInfinity: true }),
          )
          .map((value) => value + 0),
        interval: fc.constantFrom("1m", "5m", "1h"),
        thresholdType: fc.constantFrom("above", "below"),
        source: fc.constant("search"),
        channel: fc.constant({ type: "webhook", webhookId: [...sandbox.store.webhooks.keys()][0] }),
      },
      { requiredKeys: ["threshold", "interval", "thresholdType", "source", "channel"] },
    ),
};

/** One of some changes, by any number. */
export function chosenOf(changes: readonly OutsideChange[], choice: number): OutsideChange {
  const change = changes[choice % changes.length];
  if (!change) throw new Error("there is no change to choose");
  return change;
}

/** What a sandbox holds of an object, to be changed from outside. */
export function recordOf({ store }: Sandbox, type: TypeName, id: string): Record {
  const { services, keys, alerts, dashboards } = store;
  const records = { ServiceScaling: services, ApiKey: keys, Alert: alerts, Dashboard: dashboards };
  const record = type === "QueryEndpoint" ? store.queryEndpointOf(id) : records[type].get(id);
  return record as unknown as Record;
}

/** All changes of one declared property that somebody could make to an object of this program. */
export function outsideChanges(type: TypeName, program: Data): OutsideChange[] {
  const declared = new Set(Object.keys(program));
  const set = (path: string, change: (old: never) => unknown): OutsideChange => ({
    path,
    apply: (record) => {
      record[path] = change(record[path] as never);
    },
  });
  const all: { readonly [Type in TypeName]: OutsideChange[] } = {
    ServiceScaling: [
      set("numReplicas", (old: number) => old + 1),
      set("idleScaling", (old: boolean) => !old),
      set("idleTimeoutMinutes", (old: number) => old + 7),
    ],
    ApiKey: [
      set("name", (old: string) => `${old} 2`),
      set("roles", (old: string[]) =>
        old.length === 3 ? ["admin"] : ["admin", "developer", "query_endpoints"],
      ),
      set("state", (old: string) => (old === "enabled" ? "disabled" : "enabled")),
      set("expireAt", () => "2040-01-01T00:00:00.000Z"),
      set("ipAccessList", (old: unknown[]) => [...old, { source: "2001:db8::/32" }]),
    ],
    QueryEndpoint: [
      set("roles", (old: string[]) =>
        old.length === 2 ? ["sql_console_admin"] : ["sql_console_admin", "sql_console_read_only"],
      ),
      set("openApiKeys", () => []),
      set("allowedOrigins", (old: string) => `${old},https://other.test`),
    ],
    Alert: [
      set("name", (old: string) => `${old} 2`),
      set("message", () => null),
      set("threshold", (old: number) => old + 1),
      set("interval", (old: string) => (old === "1h" ? "5m" : "1h")),
      set("thresholdType", (old: string) => (old === "above" ? "below" : "above")),
    ],
    Dashboard: [
      set("name", (old: string) => `${old} 2`),
      set("tags", (old: string[]) => [...old, "somebody's"]),
      ...tileChanges((program.tiles ?? []) as Data[]),
    ],
  };
  return all[type].filter(({ path }) => declared.has(path.split(/[.[]/)[0] ?? ""));
}

function tileChanges(tiles: readonly Data[]): OutsideChange[] {
  const changes: OutsideChange[] = tiles.flatMap((tile, at) => {
    const inTile = (name: string, change: (old: never) => unknown): OutsideChange => ({
      path: `tiles[${at}].${name}`,
      apply: (record) => {
        const stored = (record.tiles as Record[])[at] as Record;
        stored[name] = change(stored[name] as never);
      },
    });
    return [
      inTile("name", (old: string) => `${old} 2`),
      ...["x", "y", "w", "h"].map((side) => inTile(side, (old: number) => old + 1)),
      ...("asRatio" in tile ? [inTile("asRatio", (old: boolean) => !old)] : []),
      ...(tile.series as Data[]).flatMap((_, index) => seriesChanges(at, index, tile)),
    ];
  });
  if (tiles.length > 0) {
    changes.push({ path: "tiles", apply: (record) => void (record.tiles as unknown[]).pop() });
    changes.push({
      path: "tiles",
      apply: (record) =>
        void (record.tiles as unknown[]).push({
          ...(record.tiles as object[])[0],
          id: "ffffffffffffffffffffffff",
        }),
    });
  }
  return changes;
}

function seriesChanges(at: number, index: number, tile: Data): OutsideChange[] {
  const declared = (tile.series as Data[])[index] as Data;
  const changed: { readonly [name: string]: (old: never) => unknown } = {
    aggFn: (old: string) => (old === "avg" ? "min" : "avg"),
    where: () => "level:warning",
    groupBy: (old: string[]) => [...old, "host"],
    sourceId: () => "65f1c0a2b3d4e5f607182913",
    field: (old: string) => `${old}2`,
    level: (old: number) => old + 0.01,
    whereLanguage: (old: string) => (old === "sql" ? "lucene" : "sql"),
    ...Object.fromEntries(
      ["alias", "metricName", "metricDataType"].map((name) => [name, (old: string) => `${old} 2`]),
    ),
  };
  return Object.entries(changed)
    .filter(([name]) => name in declared)
    .map(([name, change]) => ({
      path: `tiles[${at}].series[${index}].${name}`,
      apply: (record) => {
        const ofTile = ((record.tiles as Record[])[at] as Record).series as Record[];
        const stored = ofTile[index] as Record;
        stored[name] = change(stored[name] as never);
      },
    }));
}
