import { inService } from "../../lifecycle/scope";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { isUnknown } from "../../values/unknown";
import { type Failure, InvalidInputs, validate } from "../../values/validate";
import { alertInputs } from "../alert/alertInputs";
import { budgetOf, enabledRates, rateOf } from "./burnRates";

const { channel, channels } = alertInputs.properties;
const expression = {
  minLength: 1,
  maxLength: 10_000,
  rule: "an expression in SQL of at most 10000 characters",
};

const alerting = Type.Object(
  {
    /**
     * Whether the service level objective's alerts of one severity are declared: the urgent ones, or those that can wait.
     * Default: true.
     */
    enabled: Type.Optional(Type.Boolean()),
    /**
     * Target of the notifications of the service level objective's alerts. Required unless `channels` is declared, or `enabled`
     * is false.
     */
    channel,
    /**
     * Up to ten notification channels of the service level objective's alerts, instead of `channel`. Observability API only.
     */
    channels,
  },
  { additionalProperties: false },
);

const table = Type.Object(
  {
    /** Id of the connection to the database that holds the service level objective's events. */
    connectionId: Type.String({ minLength: 1 }),
    /** Table of the service level objective's events, such as `otel.otel_traces`, or a query in parentheses. */
    from: Type.String(expression),
    /** SQL expression of the time of the service level objective's events, such as `Timestamp`. */
    timestamp: Type.String(expression),
  },
  { additionalProperties: false },
);

/** Inputs of a service level objective. */
export const sloInputs = inService({
  /**
   * Name of the service level objective's dashboard, which its alerts also contain, 1 to 200 characters. Default: the name of
   * the resource.
   */
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, rule: "a text of 1 to 200 characters" })),
  /** Percentage of good events that the service level objective demands, more than 0 and less than 100: `99.9`. */
  objective: Type.Number({
    exclusiveMinimum: 0,
    exclusiveMaximum: 100,
    rule: "a number in percent, more than 0 and less than 100",
  }),
  /** The days over which the service level objective holds, up to now: `28d` or `30d`. Default: 30d. */
  window: Type.Optional(oneOf(["28d", "30d"])),
  /**
   * Id of the data source of the service level objective's events. It has to be a source of logs, traces or sessions that reads
   * a table. Required unless `sql` is declared.
   */
  sourceId: Type.Optional(Type.String({ minLength: 1 })),
  /** A table of the service level objective's events, instead of `sourceId`. */
  sql: Type.Optional(table),
  /**
   * Which events the service level objective counts as good: a condition in SQL, such as `StatusCode != 'Error'`, or an
   * expression for the number of good events in a row.
   */
  good: Type.String(expression),
  /**
   * Which events the service level objective counts: a condition in SQL, or an expression for the number of events in a row.
   * Default: every row is one event.
   */
  total: Type.Optional(Type.String(expression)),
  /**
   * The urgent alerts of the service level objective, which wake somebody: 2 % of the error budget is used up in an hour, or 5
   * % in six hours.
   */
  page: Type.Optional(alerting),
  /**
   * The alerts of the service level objective that can wait until the next day: 10 % of the error budget is used up in a day,
   * or in three days.
   */
  ticket: Type.Optional(alerting),
  /**
   * Text for the people whom the service level objective's alerts reach, up to 4096 characters of Markdown. It becomes the
   * alerts' note and a tile of the dashboard. Default: none.
   */
  runbook: Type.Optional(Type.String({ minLength: 1, longest: 4096 })),
  /** Tags of the service level objective's dashboard: up to 50 tags of up to 32 characters. Default: none. */
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
});

/** Outputs of a service level objective. */
export const sloOutputs = Type.Object({
  /** Id of the service level objective's dashboard, which shows the remaining error budget, the burn rates and the runbook. */
  dashboardId: Type.String(),
  /** Address of the service level objective's dashboard page in the console, if the provider knows where the console is. */
  url: Type.Optional(Type.String()),
  /** Ids of the service level objective's enabled alerts by their long time windows: `1h`, `6h`, `1d` and `3d`. */
  alertIds: Type.Record(Type.String(), Type.String()),
});

export type SloInputs = Static<typeof sloInputs>;

/**
 * Checks the inputs of a service level objective before its resources are declared, as far as a preview knows them.
 *
 * @throws InvalidInputs with all failures
 */
export function checkSlo(inputs: SloInputs): void {
  const failures = validate(sloInputs, inputs);
  if (failures.length === 0) failures.push(...eventFailures(inputs), ...alertFailures(inputs));
  if (failures.length > 0) throw new InvalidInputs(failures);
}

function eventFailures({ sourceId, sql }: SloInputs): Failure[] {
  if ((sourceId === undefined) !== (sql === undefined)) return [];
  return [
    {
      path: "sourceId",
      message: sql ? "conflicts with sql; declare only one of them" : "is required unless sql is declared",
    },
  ];
}

function alertFailures(inputs: SloInputs): Failure[] {
  const failures: Failure[] = [];
  for (const severity of ["page", "ticket"] as const) {
    const { enabled, channel, channels } = inputs[severity] ?? {};
    if (isUnknown(enabled))
      failures.push({
        path: `${severity}.enabled`,
        message: "must be known in the preview: it decides which alerts exist",
      });
    if (enabled !== false && channel === undefined && channels === undefined)
      failures.push({
        path: `${severity}.channel`,
        message: `is required; to declare no ${severity} alerts, set ${severity}.enabled to false`,
      });
  }
  const { objective, window } = inputs;
  if (isUnknown(objective) || isUnknown(window)) return failures;
  // If every event fails, the burn rate is 1 divided by the error budget, so an alert with a higher threshold could never fire.
  const budget = budgetOf(objective);
  if (budget === 0) return [...failures, { path: "objective", message: "leaves no error budget; lower it" }];
  const most = 1 / budget;
  const beyond = enabledRates(inputs).find((rate) => rateOf(rate, window) >= most);
  if (beyond)
    failures.push({
      path: "objective",
      message: `is too low for ${beyond.severity}: its alerts fire at a burn rate of ${rateOf(beyond, window)}, and with all events failing it is ${Number(most.toFixed(2))}; raise it, or set ${beyond.severity}.enabled to false`,
    });
  return failures;
}
