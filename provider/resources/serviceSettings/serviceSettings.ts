import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { deleteSingleton } from "../../lifecycle/restore";
import { contextOf, inService } from "../../lifecycle/scope";
import { isSeen, trackingOf } from "../../lifecycle/state";
import { pick } from "../../values/data";
import { joinPath, oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import type { Failure } from "../../values/validate";
import { alsoFound, foundIn, foundOf, settingsIn, withFound } from "./foundSettings";
import { mistypedSettings } from "./settingNames";
import { readSettings, settingsOf, stepsOf } from "./settingsSteps";

const mostExact = Number.MAX_SAFE_INTEGER;

/**
 * Inputs for the ClickHouse settings of a service.
 * @see "Update service ClickHouse settings" in the documents of ClickHouse Cloud
 */
export const serviceSettingsInputs = inService({
  /**
   * Values of the ClickHouse settings by their names; at least one. A value may be a text or a whole number, without a
   * difference; declare a number beyond 9007199254740991 as a text, and a boolean as 1 or 0. Undeclared settings stay as they
   * are.
   */
  settings: Type.Record(
    Type.String(),
    Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: -mostExact, maximum: mostExact })], {
      comparison: "text",
      rule: "a text that is not empty or a whole number, which 1 and 0 are for a switch",
    }),
    { minProperties: 1, rule: "a map with one setting at least" },
  ),
  /**
   * What happens to a ClickHouse setting that leaves the program or whose resource is destroyed: `restore` (default) puts back
   * the value from before the program declared the setting, or unsets a setting that had no value; `keep` leaves it as it is.
   */
  onDestroy: Type.Optional(oneOf(["restore", "keep"], { sent: "never" })),
});

export const serviceSettingsOutputs = Type.Object({});

export const serviceSettingsResource: Resource = resourceOf({
  type: "ServiceSettings",
  noun: "database configuration",
  inputs: serviceSettingsInputs,
  outputs: serviceSettingsOutputs,
  scope: "service",
  dialect: "clickhouse",
  operations: {
    create: "updateServiceSettings",
    get: "getServiceSettings",
    update: "updateServiceSettings",
  },
  calls: ["getServiceSettingsSchema"],

  failures: (declared) => Object.keys(declared.settings ?? {}).flatMap(nameFailure),

  decode: (answer) => ({ settings: settingsOf(answer) }),

  formOf: (live, declared) =>
    declared.settings ? { settings: pick(settingsIn(live), Object.keys(settingsIn(declared))) } : live,

  async look(look, usual) {
    const observed = await usual(look);
    // If a service has no ClickHouse setting of its own, there is nothing to import.
    const isImported = look.moment === "read" && Object.keys(settingsIn(look.state)).length === 0;
    return isImported && isSeen(observed) && Object.keys(settingsOf(observed)).length === 0
      ? "gone"
      : observed;
  },

  steps: stepsOf,

  around: {
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      if (checked.failures.length > 0) return checked;
      const advice = await mistypedSettings(olds, checked.inputs, session);
      return { ...checked, warnings: [...checked.warnings, ...advice] };
    },

    async create(usual, inputs, session) {
      const created = await usual(inputs, session);
      const names = Object.keys(settingsIn(inputs));
      const found = alsoFound({}, names, foundIn(created.state));
      return { ...created, state: withFound(created.state, found) };
    },

    async update(usual, id, state, inputs, session) {
      const found = foundIn(state);
      const names = Object.keys(settingsIn(inputs));
      const added = names.filter((name) => !(name in settingsIn(state) || name in found));
      const live =
        added.length > 0 ? await readSettings(contextOf(serviceSettingsResource, inputs, session)) : {};
      const known = alsoFound(found, added, live);
      // A failed update keeps this state: the next one would otherwise take what it has set for what to restore when the resource is
      // destroyed.
      const updated = await usual(id, withFound(state, known), inputs, session);
      return withFound(updated, foundOf(known, names));
    },

    delete(_usual, id, state, session) {
      if (!trackingOf(state).previous && state.onDestroy !== "keep")
        session.warnOnce(
          `ServiceSettings: the settings of service ${id} are unset, since the Pulumi state does not say which values they had before the program declared them`,
        );
      const found = foundIn(state);
      // Restoring a setting that had no value before the program declared it means to unset it.
      const restored = { settings: pick(found, Object.keys(found)) };
      return deleteSingleton(
        serviceSettingsResource,
        id,
        { onDestroy: "restore", ...state },
        session,
        () => restored,
      );
    },
  },
});

/** The failure for a setting's name that cannot be in a URL path, where the request to reset the setting has it. */
function nameFailure(name: string): Failure[] {
  if (/^[A-Za-z0-9_.-]+$/.test(name) && !/^\.+$/.test(name)) return [];
  return [
    {
      path: joinPath("settings", name),
      message: "is not a valid name: it may have letters, digits, dots, hyphens and underscores",
    },
  ];
}
