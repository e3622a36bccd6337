import { inService, type ScopeName } from "../../lifecycle/scope";
import { type Static, type TObject, Type } from "../../values/schemaBuilders";
import { setOf } from "../set/set";
import { alertResource, leavesItsTile } from "./alert";
import { alertInputs } from "./alertInputs";

const { organizationId, serviceId, adoptId, ...properties } = alertInputs.properties;

/**
 * The properties of an alert, except those that the set declares once for all alerts, and `adoptId`. The type refers to the
 * alert's schema, since compiled declarations would lose the documentation of a copy.
 */
type AlertProperties = Omit<(typeof alertInputs)["properties"], ScopeName | "adoptId">;

const entry: TObject<AlertProperties> = Type.Object(properties, { additionalProperties: false });

/** An alert in a set: the properties of an alert, without those that the set declares once for all. */
export interface AlertSetEntry extends Static<typeof entry> {}

/** Inputs of a set of alerts. */
export const alertSetInputs = inService({
  /**
   * The alerts, each with the properties of an `Alert` other than `adoptId`, under a key of up to 100 characters. An alert that
   * leaves the program is deleted; one that gets another key is created anew.
   */
  alerts: Type.Record(Type.String(), entry),
});

/** Outputs of a set of alerts beyond its inputs. */
export const alertSetOutputs = Type.Object({
  /** Id of each alert of the set, by the alert's key. */
  ids: Type.Record(Type.String(), Type.String(), { volatile: true }),
});

export const alertSetResource = setOf({
  type: "AlertSet",
  noun: "alert set",
  member: "alerts",
  of: alertResource,
  isRemade: leavesItsTile,
  inputs: alertSetInputs,
  outputs: alertSetOutputs,
});
