import { type PropertyMap as Data, isObject } from "../../../provider/values/data";
import type { ClickStackRole, Sandbox } from "../../../sandbox/index";
import { type Example, placed } from "./example";

const reading = { integration: "mongodb", action: "read", subject: "Dashboard" };
const payments = { name: "Payments", permissions: [{ ...reading, conditions: { tags: "payments" } }] };
const whole = {
  name: "Payments",
  description: "What the team sees",
  permissions: [
    {
      ...{ ...reading, inverted: false, fields: ["name"], conditions: { tags: "payments" } },
      patterns: { name: { pattern: "^payments", options: "i" } },
    },
    {
      ...{ integration: "clickhouse", action: "read", subject: "Source" },
      rows: {
        ...{ connectionId: "65f1c0a2b3d4e5f607182900", databaseName: "default", tableName: "otel_logs" },
        ...{ where: "ServiceName = 'payments'", whereLanguage: "sql" },
      },
    },
  ],
};

/** Regular expressions of a permission, with the names that requests have instead of those of programs, or the reverse. */
function renamed(patterns: unknown): Data {
  const nameOf = (name: string) =>
    ({ pattern: "$regex", options: "$options", $regex: "pattern", $options: "options" })[name];
  return Object.fromEntries(
    Object.entries((patterns ?? {}) as Record<string, Data>).map(([property, expression]) => [
      property,
      Object.fromEntries(Object.entries(expression).map(([name, value]) => [nameOf(name) ?? name, value])),
    ]),
  );
}

const homeRole = "66f0c2d8a1b2c3d4e5f60771";

export const clickStackRoleExample: Example = {
  valid: placed("66f0c2d8a1b2c3d4e5f60772", whole),
  wholes: { "with all": whole },
  programs: () => [payments, { ...payments, description: "What the team sees" }],
  bodyOf: (program) => ({
    ...program,
    permissions: (program.permissions as Data[]).map(({ conditions, patterns, rows, ...right }) => {
      if (!isObject(rows) && !isObject(conditions) && !isObject(patterns)) return right;
      if (!isObject(rows)) return { ...right, conditions: { ...(conditions as Data), ...renamed(patterns) } };
      const { connectionId: connection, databaseName, tableName, ...filter } = rows;
      return { ...right, conditions: { connection, from: { databaseName, tableName }, ...filter } };
    }),
  }),
  asDeclared: (record) => ({
    ...record,
    permissions: (record.permissions as Data[]).map(({ conditions = {}, ...right }) => {
      const { connection, from, ...values } = conditions as Data;
      if (isObject(from)) return { ...right, rows: { connectionId: connection, ...from, ...values } };
      const texts = Object.entries(values).filter(([, value]) => typeof value === "string");
      const patterns = Object.fromEntries(Object.entries(values).filter(([, value]) => isObject(value)));
      return {
        ...right,
        ...(texts.length > 0 && { conditions: Object.fromEntries(texts) }),
        ...(Object.keys(patterns).length > 0 && { patterns: renamed(patterns) }),
      };
    }),
  }),
  find: ({ store }, id) => store.clickStackRoles.get(id),
  furnish: ({ sandbox }) => addClickStackRole(sandbox, { id: homeRole, name: "Home" }),
  home: homeRole,
  creatable: {
    id: "bbbbbbbbbbbbbbbbbbbbbbb9",
    add: ({ sandbox }, id) => addClickStackRole(sandbox, { id, description: "by hand" }),
  },
};

export function addClickStackRole({ store, credentials }: Sandbox, changed: Partial<ClickStackRole>): void {
  const createdAt = "2026-01-15T09:00:00.000Z";
  const record: ClickStackRole = {
    ...{ id: "", serviceId: credentials.serviceId, name: "Payments", isPredefined: false },
    permissions: [
      { integration: "mongodb", action: "read", subject: "Dashboard", conditions: { tags: "payments" } },
      { integration: "mongodb", action: "read", subject: "Connection" },
    ],
    ...{ createdAt, updatedAt: createdAt },
    ...changed,
  };
  store.clickStackRoles.set(record.id, record);
}
