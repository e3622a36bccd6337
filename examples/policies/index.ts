import { type Policies, type PolicyConfigSchema, PolicyPack } from "@pulumi/policy";
import type { Unwrap } from "@pulumi/pulumi";
import type * as pipestack from "pipestack";

/** The inputs of the types that rules are about. */
interface Inputs {
  Alert: Unwrap<pipestack.AlertArgs>;
  AlertSet: Unwrap<pipestack.AlertSetArgs>;
  ApiKey: Unwrap<pipestack.ApiKeyArgs>;
  BackupConfiguration: Unwrap<pipestack.BackupConfigurationArgs>;
  Connection: Unwrap<pipestack.ConnectionArgs>;
  Dashboard: Unwrap<pipestack.DashboardArgs>;
  Pipe: Unwrap<pipestack.PipeArgs>;
  QueryApiEndpoint: Unwrap<pipestack.QueryApiEndpointArgs>;
  QueryEndpoint: Unwrap<pipestack.QueryEndpointArgs>;
  Role: Unwrap<pipestack.RoleArgs>;
  Service: Unwrap<pipestack.ServiceArgs>;
  ServiceScaling: Unwrap<pipestack.ServiceScalingArgs>;
  ServiceScalingSchedule: Unwrap<pipestack.ServiceScalingScheduleArgs>;
  Webhook: Unwrap<pipestack.WebhookArgs>;
}

type Type = keyof Inputs;

/** The type of a resource of the plugin or of the dynamic provider; undefined for those of other packages. */
function typeOf(token: string): string | undefined {
  return /^(?:pipestack:index|pulumi-nodejs:dynamic\/pipestack):(\w+)$/.exec(token)?.[1];
}

/** The stack of a resource: `urn:pulumi:<stack>::…`. */
function stackOf(urn: string): string {
  return urn.split(":")[2] ?? "";
}

/** The settings of a rule with their defaults; `--policy-pack-config` changes them. */
interface Settings {
  readonly [name: string]: number | string | string[];
}

function schemaOf(settings: Settings): PolicyConfigSchema {
  const schemas = Object.entries(settings).map(([name, value]) => {
    const type = typeof value === "number" ? "number" : typeof value === "string" ? "string" : "array";
    return [name, { type, default: value }] as const;
  });
  return { properties: Object.fromEntries(schemas) };
}

/** Answers a sentence for each violation. */
type Check<Inputs, Own> = (inputs: Inputs, settings: Own, stack: string) => readonly (string | false)[];

/** A rule about the resources of some types. */
function rule<const Types extends readonly Type[], Own extends Settings>(
  name: string,
  description: string,
  types: Types,
  settings: Own,
  check: Check<Inputs[Types[number]], Own>,
): Policies[number] {
  return {
    name,
    description,
    configSchema: schemaOf(settings),
    validateResource({ type, props, urn, getConfig }, report) {
      if (!(types as readonly string[]).includes(typeOf(type) ?? "")) return;
      const violations = check(props as Inputs[Types[number]], getConfig<Own>(), stackOf(urn));
      for (const violation of violations) if (violation) report(violation);
    },
  };
}

/** The members of an alert that the rules read. */
type AlertInputs = Pick<Inputs["Alert"], "note" | "message" | "interval" | "channel" | "channels">;

/** The alerts of a resource, each behind the beginning of a sentence about it. */
function alertsOf(inputs: Inputs["Alert" | "AlertSet"]): readonly (readonly [string, AlertInputs])[] {
  if (!("alerts" in inputs)) return [["it", inputs]];
  return Object.entries(inputs.alerts).map(([key, alert]) => [`alerts["${key}"]`, alert] as const);
}

/** A service's scaling, and the entries of its schedule. */
function scalingsOf(inputs: Inputs["Service" | "ServiceScaling" | "ServiceScalingSchedule"]) {
  return "entries" in inputs ? inputs.entries : [inputs];
}

const day = 24 * 60 * 60 * 1000;
const intervals = ["1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"];

const policies: Policies = [
  rule(
    "keys-expire",
    "Keys expire, or are replaced by their age.",
    ["ApiKey"],
    { days: 366 },
    ({ expireAt, rotateAfterDays = Infinity }, { days }) => {
      const left = expireAt ? (Date.parse(expireAt) - Date.now()) / day : Infinity;
      return [
        Math.min(left, rotateAfterDays) > days && `set expireAt or rotateAfterDays to ${days} days at most`,
      ];
    },
  ),
  rule(
    "powerful-keys-have-addresses",
    "Keys with powerful roles work from listed addresses only.",
    ["ApiKey"],
    { roles: ["admin"] },
    ({ roles = [], ipAccessList = [] }, powerful) =>
      roles.map(
        (role) =>
          powerful.roles.includes(role) &&
          ipAccessList.length === 0 &&
          `a key with the role ${role} needs an ipAccessList`,
      ),
  ),
  rule(
    "key-addresses-are-narrow",
    "The addresses of a key are no wide ranges.",
    ["ApiKey"],
    { shortestPrefix: 16 },
    ({ ipAccessList = [] }, { shortestPrefix }) =>
      ipAccessList.map(({ source }) => {
        const [, prefix = shortestPrefix] = source.split("/");
        return Number(prefix) < shortestPrefix && `${source} is wider than /${shortestPrefix}`;
      }),
  ),
  rule(
    "roles-are-modest",
    "Roles give nobody the rights of those who manage the organization.",
    ["Role"],
    { forbidden: ["control-plane:organization:manage"] },
    ({ policies }, { forbidden }) =>
      policies.flatMap(({ allowDeny, permissions }) =>
        permissions.map(
          (permission) =>
            allowDeny === "ALLOW" && forbidden.includes(permission) && `a policy allows ${permission}`,
        ),
      ),
  ),
  rule(
    "query-origins-are-named",
    "Query endpoints name the origins whose pages may call them.",
    ["QueryEndpoint", "QueryApiEndpoint"],
    {},
    ({ allowedOrigins = [] }) => {
      const origins = typeof allowedOrigins === "string" ? allowedOrigins.split(",") : allowedOrigins;
      return [origins.includes("*") && "allowedOrigins has to name origins in place of *"];
    },
  ),
  rule(
    "query-roles-read-only",
    "Query endpoints do not run as a role that changes data.",
    ["QueryEndpoint", "QueryApiEndpoint"],
    { forbidden: ["sql_console_admin"] },
    ({ roles }, { forbidden }) =>
      roles.map((role) => forbidden.includes(role) && `the role ${role} may change data`),
  ),
  rule(
    "alerts-have-a-note",
    "Alerts say what to do, in note or message.",
    ["Alert", "AlertSet"],
    { shortest: 20 },
    (inputs, { shortest }) =>
      alertsOf(inputs).map(
        ([label, { note, message }]) =>
          (note ?? message ?? "").length < shortest &&
          `${label} needs a note or message of ${shortest} characters or more`,
      ),
  ),
  rule(
    "alerts-are-patient",
    "Alerts are not evaluated more often than people can react.",
    ["Alert", "AlertSet"],
    { shortest: "5m" },
    (inputs, { shortest }) =>
      alertsOf(inputs).map(
        ([label, { interval }]) =>
          intervals.indexOf(String(interval)) < intervals.indexOf(shortest) &&
          `${label} has an interval of ${interval}; the shortest is ${shortest}`,
      ),
  ),
  {
    name: "alerts-notify-declared-webhooks",
    description: "Alerts notify webhooks that the program declares.",
    validateStack({ resources }, report) {
      for (const { type, props, propertyDependencies, urn } of resources) {
        if (!["Alert", "AlertSet"].includes(typeOf(type) ?? "")) continue;
        const alerts = alertsOf(props as Inputs["Alert" | "AlertSet"]).map(([, alert]) => alert);
        const channels = alerts.flatMap(({ channel, channels = [] }) => [channel, ...channels]);
        // A preview does not know the id of a new webhook, but its origin.
        const origins = ["channel", "channels", "alerts"].flatMap((name) => propertyDependencies[name] ?? []);
        const isDeclared = origins.some((origin) => typeOf(origin.type) === "Webhook");
        if (!isDeclared && channels.some((channel) => channel?.type === "webhook"))
          report("webhookId has to be the id of a Webhook of the program", urn);
      }
    },
  },
  rule(
    "services-are-protected",
    "Services, and so their data, are protected from deletion.",
    ["Service"],
    { except: [] },
    ({ deletionProtection }, { except }, stack) => [
      deletionProtection === false &&
        !(except as string[]).includes(stack) &&
        "deletionProtection has to be true, which it is where it is left out",
    ],
  ),
  rule(
    "services-are-not-open",
    "Services do not let in everybody.",
    ["Service"],
    { forbidden: ["0.0.0.0/0", "::/0"] },
    ({ ipAccessList }, { forbidden }) =>
      ipAccessList.map(({ source }) => forbidden.includes(source) && `${source} lets in everybody`),
  ),
  rule(
    "backups-are-kept",
    "Backups are kept long enough to notice that something is wrong.",
    ["BackupConfiguration"],
    { hours: 168 },
    ({ backupRetentionPeriodInHours: kept = 24 }, { hours }) => [
      kept < hours && `set backupRetentionPeriodInHours to ${hours} at least`,
    ],
  ),
  rule(
    "pipes-authenticate",
    "Pipes read from no broker and no bucket that lets in everybody.",
    ["Pipe"],
    { except: [] },
    ({ source: { kafka, objectStorage } }, { except }, stack) =>
      Object.entries({ kafka, objectStorage }).map(
        ([kind, members]) =>
          members !== undefined &&
          members.authentication === undefined &&
          !(except as string[]).includes(stack) &&
          `source.${kind} needs an authentication: without one anybody may read the data`,
      ),
  ),
  rule(
    "pipes-are-encrypted",
    "Pipes read from databases by encrypted connections, whose certificates they verify.",
    ["Pipe"],
    {},
    ({ source: { postgres, mysql, mongodb } }) =>
      Object.entries({ postgres, mysql, mongodb }).flatMap(([kind, members]) => [
        members?.disableTls === true && `source.${kind}.disableTls sends data and credentials in plain text`,
        members?.skipCertVerification === true &&
          `source.${kind}.skipCertVerification takes anybody for the database`,
      ]),
  ),
  rule(
    "replicas-have-a-ceiling",
    "Services do not grow beyond a number of replicas.",
    ["Service", "ServiceScaling", "ServiceScalingSchedule"],
    { most: 6 },
    (inputs, { most }) =>
      scalingsOf(inputs).map(
        ({ numReplicas = 0, maxReplicas = 0 }) =>
          Math.max(numReplicas, maxReplicas) > most && `there may be ${most} replicas at most`,
      ),
  ),
  rule(
    "memory-has-a-ceiling",
    "Replicas do not grow beyond a size.",
    ["Service", "ServiceScaling", "ServiceScalingSchedule"],
    { mostGb: 120 },
    (inputs, { mostGb }) =>
      scalingsOf(inputs).map(
        ({ maxReplicaMemoryGb = 0 }) =>
          maxReplicaMemoryGb > mostGb && `a replica may have ${mostGb} GB of memory at most`,
      ),
  ),
  rule(
    "development-idles",
    "Services of development stacks stop soon when nobody uses them.",
    ["Service", "ServiceScaling"],
    { stacks: ["dev"], minutes: 15 },
    ({ idleScaling = true, idleTimeoutMinutes = Infinity }, { stacks, minutes }, stack) => [
      stacks.includes(stack) &&
        !(idleScaling && idleTimeoutMinutes <= minutes) &&
        `set idleScaling to true, and idleTimeoutMinutes to ${minutes} at most, in the stack ${stack}`,
    ],
  ),
  rule(
    "dashboards-have-tags",
    "Dashboards have tags, so that their owners are found.",
    ["Dashboard"],
    { prefixes: [""] },
    ({ tags = [] }, { prefixes }) =>
      prefixes.map(
        (prefix) =>
          !tags.some((tag) => tag.startsWith(prefix)) &&
          `it needs a tag${prefix && ` that begins with ${prefix}`}`,
      ),
  ),
  rule(
    "tiles-have-units",
    "Tiles that show measured values say their unit.",
    ["Dashboard"],
    { counting: ["count", "count_distinct", "none"] },
    ({ tiles }, { counting }) =>
      tiles.map(({ name, config }) => {
        if (!config || !("select" in config) || !Array.isArray(config.select)) return false;
        const isRatio = "asRatio" in config && config.asRatio === true;
        const hasUnit = (part: object) => "numberFormat" in part && part.numberFormat !== undefined;
        const isBare = (series: { aggFn?: string }) =>
          !counting.includes(String(series.aggFn)) && !hasUnit(series);
        const needsUnit = config.select.some(isBare) && !isRatio && !hasUnit(config);
        return needsUnit && `the tile "${name}" needs a numberFormat`;
      }),
  ),
  rule(
    "addresses-are-encrypted",
    "Notifications and queries leave by https only.",
    ["Webhook", "Connection"],
    {},
    (inputs) => {
      const [name, address] = "url" in inputs ? ["url", inputs.url] : ["host", inputs.host];
      return [!address.startsWith("https://") && `${name} has to begin with https://`];
    },
  ),
];

new PolicyPack("pipestack", { enforcementLevel: "mandatory", policies });
