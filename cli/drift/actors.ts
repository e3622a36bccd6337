import type { Answer } from "../../provider/api/operations";
import type { Session } from "../../provider/lifecycle/session";
import type { DeclarableName } from "../../provider/resources/registry";
import { isSameId, momentIn } from "../../provider/values/data";
import type { StateResource } from "../engine/stack";
import type { Drift } from "./findDrift";

/** The latest recorded change of a drifted object. */
export interface LastChange extends Pick<Drift, "urn" | "type" | "name"> {
  /** The time of the object's latest change (ISO 8601); null if no change is known. */
  readonly at: string | null;
  /** The type of the change's author: `user`, `api`, `support` or `system`. */
  readonly actorType: string | null;
  /** The change's author as the service names it, such as the name of a key; otherwise the author's id. */
  readonly actor: string | null;
  /** Whether the author of the change is the key of the settings, which deploys the stack. */
  readonly isOwn: boolean;
  /** The type of the activity that the service recorded; for a change of a key, what the update changed. */
  readonly activity: string | null;
  /** The reason why the latest change of the object is unknown; null if the service answered. */
  readonly problem: string | null;
}

/** The number of days before now in which the service's activities are searched for changes. */
export const rememberedDays = 30;

const nothingKnown = { at: null, actorType: null, actor: null, isOwn: false, activity: null, problem: null };

const day = 24 * 60 * 60 * 1000;

type Activity = Answer<"listActivities">[number];

/** The activities that the service records for each resource type, and the property of them that holds the object's id. */
const activitiesOn: {
  readonly [type in DeclarableName]?: { types: readonly string[]; target: keyof Activity };
} = {
  ServiceScaling: {
    types: [
      "service_update_autoscaling_memory",
      "service_update_autoscaling_idling",
      "service_update_autoscaling_replicas",
      "service_scaled_down_for_tier_change",
    ],
    target: "serviceId",
  },
  ServiceScalingSchedule: { types: ["service_update_autoscaling_schedule"], target: "serviceId" },
  ApiKey: { types: ["openapi_key_update"], target: "targetKeyId" },
};

/** Finds the latest recorded change of each drifted object. It never fails: a drift report without authors is useful, too. */
export async function lastChanges(
  drift: readonly Drift[],
  resources: readonly StateResource[],
  open: () => Promise<Session>,
): Promise<readonly LastChange[]> {
  const drifted = new Map(drift.filter(({ type }) => activitiesOn[type]).map((entry) => [entry.urn, entry]));
  if (drifted.size === 0) return [];
  const from_date = new Date(Date.now() - rememberedDays * day).toISOString();
  const opened = open();
  const changes = [...drifted.values()].map(async ({ urn, type, name, id }): Promise<LastChange[]> => {
    const change = { urn, type, name, ...nothingKnown };
    try {
      const session = await opened;
      const { dialect, keyId, ...settings } = session.settings;
      if (dialect !== "clickhouse") return [];
      const state = resources.find((resource) => resource.urn === urn && !resource.delete);
      const organizationId = textIn(state?.outputs, "organizationId") ?? settings.organizationId;
      // One request for activities serves all objects, since the session keeps the list.
      const activities = await session.lists.read("listActivities", { organizationId, from_date });
      const { types, target } = activitiesOn[type] ?? { types: [], target: "id" };
      const [latest] = activities
        .filter((activity) => types.includes(activity.type) && isSameId(activity[target], id))
        .sort((a, b) => momentIn(b.createdAt) - momentIn(a.createdAt));
      return [{ ...change, ...(latest && actorOf(latest, keyId)) }];
    } catch (error) {
      return [{ ...change, problem: (error as Error).message }];
    }
  });
  return (await Promise.all(changes)).flat();
}

function actorOf(activity: Activity, ownKey: string | undefined) {
  const actorId = textIn(activity, "actorId");
  const actorType = textIn(activity, "actorType") ?? null;
  return {
    ...{ at: activity.createdAt, actorType, actor: textIn(activity, "actorDetails") ?? actorId ?? null },
    isOwn: actorType === "api" && actorId !== undefined && actorId === ownKey,
    activity: textIn(activity, "keyUpdateType") ?? activity.type,
  };
}

/** A property of an activity as text; undefined if it is no text or empty. */
function textIn(data: object | undefined, name: string): string | undefined {
  const value: unknown = data && Reflect.get(data, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}
