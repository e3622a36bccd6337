import { isDeepStrictEqual } from "node:util";
import { badRequest } from "../apiError";
import { uuidOf } from "../identifiers";
import type { Change } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import { keys } from "./keys";
import { isServedIn, type Resource } from "./resource";
import { scalingSchedules } from "./scalingSchedules";
import { services } from "./services";

/**
 * An activity in ClickHouse Cloud's list: a change of an object, and who made it. ClickHouse Cloud records changes of services
 * and keys, but none of dashboards, alerts and similar objects.
 */
export interface Activity {
  id: string;
  createdAt: string;
  type: string;
  actorType: "user" | "api";
  /** The id of the activity's actor. For an API key, it is the id that `whoami` returns. */
  actorId: string;
  actorDetails: string;
  organizationId: string;
  serviceId?: string;
  targetKeyId?: string;
  keyUpdateType?: string;
}

/** The user who is named as the actor of changes in the sandbox's console. */
const person = {
  actorType: "user",
  actorId: "0f2b6c1e-8d47-4a95-b3e0-61c9d2f7a8b4",
  actorDetails: "console@sandbox.example.com",
} as const;

/**
 * The types of activities that ClickHouse Cloud records for changes of a service's scaling, with the properties that each is
 * about.
 */
const scaling = {
  service_update_autoscaling_memory: ["minReplicaMemoryGb", "maxReplicaMemoryGb"],
  service_update_autoscaling_idling: ["idleScaling", "idleTimeoutMinutes"],
  service_update_autoscaling_replicas: ["numReplicas", "minReplicas", "maxReplicas", "autoscalingMode"],
};

const keyUpdates = {
  name: "name-changed",
  state: "state-changed",
  expireAt: "date-changed",
  roles: "role-changed",
  assignedRoles: "roles-v2-changed",
  ipAccessList: "ip-access-list-changed",
};

/** The activities (recorded changes) of the sandbox's organization. The API lists them without pages. */
export const activities = {
  place: "organization",
  dialect: "clickhouse",
  operations: ["listActivities"],
  path: () => "activities",

  seed: (): Activity[] => [],

  routes: ({ store }: RouteContext): Route[] => [
    {
      operation: "listActivities",
      method: "GET",
      path: "",
      run({ query }) {
        const [from, to] = [momentIn(query, "from_date"), momentIn(query, "to_date")];
        const isAsked = (at: number) => !(at < from) && !(at > to);
        return [...store.of(activities).values()].filter(({ createdAt }) => isAsked(Date.parse(createdAt)));
      },
    },
  ],
} as const satisfies Resource;

/** Makes a route of the sandbox record its changes of objects as activities, on servers that have a list of activities. */
export function recorded(
  route: Route,
  { store, vocabulary }: Pick<RouteContext, "store" | "vocabulary">,
): Route {
  if (route.method === "GET" || !isServedIn(vocabulary, activities)) return route;
  return {
    ...route,
    run(call) {
      const end = store.watch((change) => {
        for (const activity of activitiesOf(change)) {
          const remembered = store.of(activities);
          const createdAt = new Date(call.now).toISOString();
          store.write(activities, {
            ...{ id: uuidOf(`${createdAt} ${remembered.size}`), createdAt },
            ...{ ...activity, ...actorOf(call), organizationId: store.organization.id },
          });
        }
      });
      try {
        return route.run(call);
      } finally {
        end();
      }
    },
  };

  function actorOf({ signer }: Call<never>) {
    if (!signer) return person;
    const { name = "" } = store.of(keys).get(signer.keyRecordId) ?? {};
    return { actorType: "api", actorId: signer.keyId, actorDetails: name } as const;
  }
}

function activitiesOf({
  collection,
  id,
  before,
  after,
}: Change): Pick<Activity, "type" | "serviceId" | "targetKeyId" | "keyUpdateType">[] {
  const valueIn = (record: object | undefined, name: string) => record && Reflect.get(record, name);
  const isChanged = (name: string) => !isDeepStrictEqual(valueIn(before, name), valueIn(after, name));
  if (collection === keys) {
    const changed = Object.entries(keyUpdates).filter(([name]) => isChanged(name));
    const kinds = before && after ? changed.map(([, kind]) => kind) : [before ? "deleted" : "created"];
    return kinds.map((keyUpdateType) => ({ type: "openapi_key_update", targetKeyId: id, keyUpdateType }));
  }
  if (collection === services)
    return Object.entries(scaling)
      .filter(([, names]) => names.some(isChanged))
      .map(([type]) => ({ type, serviceId: id }));
  if (collection !== scalingSchedules || !isChanged("entries")) return [];
  return [{ type: "service_update_autoscaling_schedule", serviceId: valueIn(after ?? before, "serviceId") }];
}

/**
 * Parses a time among the query parameters of a request for activities; NaN if it is missing.
 * @throws ApiError 400 for an invalid date
 */
function momentIn(query: Call["query"], name: string): number {
  const { [name]: text } = query;
  const moment = Date.parse(text ?? "");
  if (text !== undefined && Number.isNaN(moment)) throw badRequest(`${name} must be an ISO 8601 date-time`);
  return moment;
}
