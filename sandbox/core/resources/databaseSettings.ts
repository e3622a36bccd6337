import { badRequest, notFound } from "../apiError";
import { type Call, documentedRoute, type Route } from "../routes";
import type { DatabaseSettings, Service } from "./serviceRecords";

interface Known {
  readonly name: string;
  readonly type: "UInt64" | "Bool" | "String";
  readonly description: string;
  readonly example: string;
  readonly enum?: readonly number[];
  readonly warning?: string;
  readonly deprecationNotice?: string;
}

const known: readonly Known[] = [
  {
    name: "max_concurrent_queries",
    type: "UInt64",
    description: "Most queries that run at once.",
    example: "1000",
  },
  {
    name: "async_insert",
    type: "Bool",
    description: "Whether inserts are collected before they are written.",
    example: "1",
    enum: [0, 1],
  },
  { name: "session_timezone", type: "String", description: "Time zone of sessions.", example: "UTC" },
  {
    name: "server.max_table_size_to_drop",
    type: "UInt64",
    description: "Size in bytes from which on a table is not dropped.",
    example: "50000000000",
    warning: "A change restarts the replicas.",
  },
  {
    name: "allow_simdjson",
    type: "Bool",
    description: "Whether JSON is read by simdjson.",
    example: "1",
    enum: [0, 1],
    deprecationNotice: "The setting will be removed.",
  },
];

/**
 * Makes the routes for the settings of a service's database. After a change, reads show the old settings for a while. A whole
 * number is a number in the response about one setting, and a text in the list.
 * @param lag the milliseconds for which reads show old settings
 */
export function databaseSettingsOf(
  of: (call: Pick<Call, "service">) => Service,
  write: (service: Service) => void,
  lag: number,
): readonly Route[] {
  const path = "/:serviceId/clickhouseSettings";
  const shown = (call: Pick<Call, "service" | "now">): DatabaseSettings => {
    const { databaseSettings = {}, formerSettings } = of(call);
    return formerSettings && call.now < formerSettings.until ? formerSettings.settings : databaseSettings;
  };
  const change = (call: Pick<Call, "service" | "now">, databaseSettings: DatabaseSettings) => {
    const formerSettings = { settings: shown(call), until: call.now + lag };
    write({ ...of(call), databaseSettings, formerSettings });
  };
  return [
    {
      operation: "getServiceSettings",
      method: "GET",
      path,
      run: (call) => ({
        settings: Object.entries(shown(call)).map(([name, value]) => ({ name, value: String(value) })),
      }),
    },
    documentedRoute<{ settings: DatabaseSettings }>({
      operation: "updateServiceSettings",
      method: "PATCH",
      path,
      run(call) {
        const { settings } = call.body;
        const all = Object.entries(settings).map(([name, value]) => knownAs(name, value));
        change(call, { ...of(call).databaseSettings, ...settings });
        return { settings, warnings: all.flatMap(warningsOf) };
      },
    }),
    {
      operation: "getServiceSettingsSchema",
      method: "GET",
      path: `${path}/schema`,
      run: () => ({ settings: known }),
    },
    {
      operation: "getServiceSetting",
      method: "GET",
      path: `${path}/:id`,
      run(call) {
        const value = shown(call)[knownAs(call.id).name];
        if (value === undefined) throw notFound(`setting ${call.id} is not set`);
        const isText = typeof value === "string" && !/^\d{1,15}$/.test(value);
        return { name: call.id, value: isText ? value : Number(value) };
      },
    },
    {
      operation: "deleteServiceSetting",
      method: "DELETE",
      path: `${path}/:id`,
      run(call) {
        const { name } = knownAs(call.id);
        const { [name]: value, ...others } = of(call).databaseSettings ?? {};
        // ClickHouse Cloud reports success for resetting a database setting that is not set.
        if (value !== undefined) change(call, others);
      },
    },
  ];
}

function knownAs(name: string, value?: string | number): Known {
  const setting = known.find((each) => each.name === name);
  if (!setting) throw badRequest(`settings.${name}: unknown setting`);
  const isValid =
    value === undefined || { UInt64: /^\d+$/, Bool: /^[01]$/, String: /^/ }[setting.type].test(String(value));
  if (!isValid) throw badRequest(`settings.${name}: must be of type ${setting.type}`);
  return setting;
}

const warningsOf = ({ name, warning, deprecationNotice }: Known) =>
  [warning, deprecationNotice].flatMap((message) => (message === undefined ? [] : [{ name, message }]));
