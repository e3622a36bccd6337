import * as pulumi from "@pulumi/pulumi";
import { tokenPrefix } from "../../engine/names";
import { eventTable, sourcesOfSlo } from "../../functions/sloSource";
import { enabledRates, windowName } from "../../resources/slo/burnRates";
import { checkSlo, type SloInputs, type sloInputs, type sloOutputs } from "../../resources/slo/slo";
import { sloAlert, sloTiles, tileName } from "../../resources/slo/sloObjects";
import { unknown } from "../../values/unknown";
import { Alert, type AlertArgs } from "./alert";
import { Dashboard, type DashboardArgs } from "./dashboard";
import { failedValue } from "./failedValue";
import { withOutputs } from "./functionCall";
import { programError } from "./programError";
import type { InputsOf, OutputsOf } from "./types";

/** Which alerts of one severity an objective declares, and where they are sent. */
export interface SloAlertingArgs extends Pick<AlertArgs, "channel" | "channels"> {
  /** Whether the alerts of this severity are declared; a plain value, since it decides which resources exist. Default: true. */
  readonly enabled?: boolean;
}

/** Arguments of a {@link Slo}. */
export interface SloArgs extends Omit<InputsOf<typeof sloInputs>, "page" | "ticket"> {
  /** The urgent alerts, which page somebody: 2 % of the error budget is used up in an hour, or 5 % in six hours. */
  readonly page?: SloAlertingArgs;
  /** The alerts that can wait until the next day: 10 % of the error budget is used up in a day, or in three days. */
  readonly ticket?: SloAlertingArgs;
}

export interface Slo
  extends Pick<OutputsOf<typeof sloInputs, typeof sloOutputs>, keyof typeof sloOutputs.properties> {}

/**
 * A service level objective with its alerts, and a dashboard of the error budget that is left. The alerts are those of the
 * standard table of several windows and burn rates (SRE workbook, chapter 5): each fires while the budget burns too fast over a
 * long window and over a twelfth of it.
 *
 * The component declares a `Dashboard` and up to four `Alert`s on its tiles, whose values come from queries in SQL. Needs
 * `dialect: clickhouse`.
 * @example
 * ```typescript
 * const onCall = { type: "webhook", webhookId: pipestack.getWebhookOutput({ name: "on-call" }).id };
 * new pipestack.Slo("checkout", {
 *   objective: 99.9,
 *   sourceId: pipestack.getSourceOutput({ kind: "trace" }).id,
 *   total: "ServiceName = 'checkout' AND SpanKind = 'Server'",
 *   good: "StatusCode != 'Error'",
 *   page: { channel: onCall },
 *   ticket: { enabled: false },
 *   runbook: "Look at the last release first.",
 * });
 * ```
 */
export class Slo extends pulumi.ComponentResource {
  /** Declares a service level objective. Its dashboard and its alerts inherit the options. */
  constructor(name: string, args: SloArgs, opts?: pulumi.ComponentResourceOptions) {
    super(`${tokenPrefix}Slo`, name, {}, opts);
    const failure = (error: unknown) => programError(`Slo "${name}": ${(error as Error).message}`, error);
    const checked = (inputs: unknown) => checkSlo((inputs ?? {}) as SloInputs);
    try {
      checked(withoutOutputs(args));
    } catch (error) {
      throw failure(error);
    }
    const { page, ticket, tags, ...measured } = args;
    const { organizationId, serviceId, sourceId, sql, runbook } = args;
    const scope = { organizationId, serviceId };
    const title = pulumi.output(args.name).apply((text) => text ?? name);
    const sourcesOf = withOutputs({ ...sourcesOfSlo, subject: `Slo "${name}"` });
    const sources = sql ? [] : sourcesOf({ ...scope, sourceId }, { parent: this });
    const tiles = pulumi.all([measured, sources]).apply(([values, eventSources]) => {
      try {
        const inputs = { ...values, page, ticket } as SloInputs;
        checked(withoutOutputs(inputs));
        return sloTiles(inputs, eventTable(inputs, eventSources as never));
      } catch (error) {
        return failedValue(failure(error));
      }
    });
    const child = { parent: this };
    const dashboard = new Dashboard(
      name,
      { ...scope, name: title, tags, tiles } as unknown as DashboardArgs,
      child,
    );
    const alerts = enabledRates({ page, ticket }).map((rate) => {
      const terms = pulumi.all([title, args.window]).apply(([text, window]) => sloAlert(rate, text, window));
      const { enabled, ...channels } = { ...{ page, ticket }[rate.severity] };
      const inputs = { ...scope, ...channels, ...dashboard.tile(tileName(rate)), note: runbook };
      const key = windowName(rate.long);
      const { threshold, thresholdType, interval, message } = terms;
      const alert = new Alert(
        `${name}-${key}`,
        { ...inputs, name: terms.name, message, threshold, thresholdType, interval },
        child,
      );
      return [key, alert.id] as const;
    });
    const outputs = {
      ...{ dashboardId: dashboard.id, url: dashboard.url },
      alertIds: pulumi.output(Object.fromEntries(alerts)),
    };
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/** Replaces every output in the arguments of an objective by an unknown value, so that the provider's check can run on them. */
function withoutOutputs(value: unknown): unknown {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return unknown;
  if (Array.isArray(value)) return value.map(withoutOutputs);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutOutputs(member)]));
}
