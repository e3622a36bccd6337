import type { Answer } from "../../api/operations";
import type { Session } from "../../lifecycle/session";
import type { DeclarableName } from "../../resources/registry";
import { isSameId, momentIn } from "../../values/data";
import type { StateResource } from "../engine/stack";
import type { Drift } from "./findDrift";

/** The latest change of a drifted object that the service remembers. */
export interface LastChange extends Pick<Drift, "urn" | "type" | "name"> {
  /** When it was made (ISO 8601); null where none is known. */
  readonly at: string | null;
  /** `user`, `api`, `support` or `system`. */
  readonly actorType: string | null;
  /** The actor in the service's words, such as the name of a key; else the id. */
  readonly actor: string | null;
  /** Whether that was the key of the settings, which deploys the stack. */
  readonly isOwn: boolean;
  /** Type of the activity; of a key the kind of its update. */
  readonly activity: string | null;
  /** Why it is not known; null where the service answered. */
  readonly problem: string | null;
}

/** Changes are looked for in so many days before now. */
export const rememberedDays = 30;

const nothingKnown = { at: null, actorType: null, actor: null, isOwn: false, activity: null, problem: null };

const day = 24 * 60 * 60 * 1000;

type Activity = Answer<"listActivities">[number];

/** The activities that change objects of a type, and the member that names the object. */
const activitiesOn: { readonly [type in DeclarableName]?: { types: readonly string[]; target: string } } = {
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

/**
 * The latest change of each drifted object whose changes the service remembers. It never fails: a report without actors is
 * better than none.
 *
 * @param open opens the session of the command; not called where nothing is to be asked
 */
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
      // One request for all of them: the session keeps the list.
      const activities = await session.lists.read("listActivities", { organizationId, from_date });
      const { types, target } = activitiesOn[type] ?? { types: [], target: "" };
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

/** A member that is a text, and not empty. */
function textIn(data: object | undefined, name: string): string | undefined {
  const value: unknown = data && Reflect.get(data, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}
