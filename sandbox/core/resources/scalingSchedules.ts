import { badRequest, notFound } from "../apiError";
import { uuidOf } from "../identifiers";
import { type Call, documentedRoute, type Route, type RouteContext } from "../routes";
import type { ReplicaScaling } from "./productScaling";
import type { Resource } from "./resource";
import { services } from "./services";

interface EntryInput extends ReplicaScaling {
  name: string;
  weekdays: number[];
  startHourUtc: number;
  endHourUtc: number;
}

/** An entry of a scaling schedule in the sandbox's records, where a fixed number of replicas is a range with equal ends. */
type Entry = Omit<EntryInput, "numReplicas" | "autoscalingMode"> & {
  autoscalingMode: "vertical" | "horizontal";
};

export interface ScalingSchedule {
  id: string;
  serviceId: string;
  entries: Entry[];
  /**
   * When the scaling schedule was set. Responses omit it, but the sandbox computes the ids of the schedule's entries from it,
   * so each write changes them.
   */
  updatedAt: string;
}

/** The scaling schedule of a service in the sandbox. POST replaces all entries; without any it clears the schedule. */
export const scalingSchedules = {
  place: "service",
  operations: ["getScalingSchedule", "putScalingSchedule", "deleteScalingSchedule"],
  path: () => "scalingSchedule",

  seed: (): ScalingSchedule[] => [],

  routes({ store, ids }: RouteContext): Route[] {
    const of = (serviceId: string) => store.ofService(scalingSchedules, serviceId)[0];
    const show = ({ serviceId, entries, updatedAt }: ScalingSchedule, now: number) => {
      const active = entries.find((entry) => isActive(entry, now));
      return {
        entries: entries.map((entry) => ({
          ...entry,
          id: idOf(entry, updatedAt),
          isActiveNow: entry === active,
        })),
        baseConfig: entries.length === 0 ? {} : baseOf(store.of(services).get(serviceId)),
        ...(active && { activeEntryId: idOf(active, updatedAt) }),
      };
    };
    const find = ({ service }: Call<never>) => {
      const schedule = of(service.id);
      if (!schedule) throw notFound("the service has no scaling schedule");
      return schedule;
    };
    return [
      { operation: "getScalingSchedule", method: "GET", path: "", run: (call) => show(find(call), call.now) },
      documentedRoute<{ entries: EntryInput[] }>({
        operation: "putScalingSchedule",
        method: "POST",
        path: "",
        run({ body: { entries }, service, now }) {
          for (const [index, entry] of entries.entries()) checkEntry(entry, `entries.${index}`);
          const id = of(service.id)?.id ?? ids.uuid();
          const schedule = {
            ...{ id, serviceId: service.id, entries: entries.map(storedEntry) },
            updatedAt: new Date(now).toISOString(),
          };
          if (entries.length > 0) store.write(scalingSchedules, schedule);
          else if (of(service.id)) store.remove(scalingSchedules, id);
          return show(schedule, now);
        },
      }),
      {
        operation: "deleteScalingSchedule",
        method: "DELETE",
        path: "",
        run(call) {
          store.remove(scalingSchedules, find(call).id);
        },
      },
    ];
  },
} as const satisfies Resource;

/**
 * Checks an entry of a scaling schedule.
 *
 * @throws ApiError 400 for properties that contradict each other, or of which one requires another that is missing
 */
function checkEntry(entry: EntryInput, path: string): void {
  const { autoscalingMode = "vertical", minReplicaMemoryGb: low, maxReplicaMemoryGb: high } = entry;
  const { minReplicas: least, maxReplicas: most, numReplicas, startHourUtc, endHourUtc } = entry;
  const refuse = (message: string) => {
    throw badRequest(`${path}: ${message}`);
  };
  if (startHourUtc === endHourUtc) refuse("endHourUtc must differ from startHourUtc");
  if ((low === undefined) !== (high === undefined))
    refuse("minReplicaMemoryGb and maxReplicaMemoryGb must be set together");
  if ((low ?? 0) > (high ?? 0)) refuse("minReplicaMemoryGb must not be above maxReplicaMemoryGb");
  if ((least === undefined) !== (most === undefined))
    refuse("minReplicas and maxReplicas must be set together");
  if ((least ?? 0) > (most ?? 0)) refuse("minReplicas must not be above maxReplicas");
  if (numReplicas !== undefined && least !== undefined)
    refuse("numReplicas cannot be set together with minReplicas and maxReplicas");
  if (autoscalingMode === "horizontal") {
    if (low === undefined || low !== high)
      refuse("horizontal scaling needs equal minimum and maximum memory");
    if (numReplicas !== undefined) refuse("numReplicas is for vertical scaling");
  } else if (least !== most) refuse("minReplicas and maxReplicas must be equal in vertical mode");
}

function idOf({ name }: Entry, updatedAt: string): string {
  return uuidOf(`${updatedAt} ${name}`);
}

function storedEntry({ numReplicas, autoscalingMode = "vertical", ...entry }: EntryInput): Entry {
  const count = numReplicas === undefined ? {} : { minReplicas: numReplicas, maxReplicas: numReplicas };
  return { ...entry, ...count, autoscalingMode };
}

/** Whether an entry of a scaling schedule applies at a time. An entry that ends before it starts continues after midnight. */
function isActive({ weekdays, startHourUtc, endHourUtc }: Entry, now: number): boolean {
  const moment = new Date(now);
  const [day, hour] = [moment.getUTCDay(), moment.getUTCHours()];
  if (startHourUtc < endHourUtc) return weekdays.includes(day) && hour >= startHourUtc && hour < endHourUtc;
  return (
    (weekdays.includes(day) && hour >= startHourUtc) ||
    (weekdays.includes((day + 6) % 7) && hour < endHourUtc)
  );
}

/** Returns the scaling of the service while no entry of its schedule applies. */
function baseOf(service: object | undefined) {
  const names = ["minReplicaMemoryGb", "maxReplicaMemoryGb", "idleScaling", "idleTimeoutMinutes"];
  return Object.fromEntries(Object.entries(service ?? {}).filter(([name]) => names.includes(name)));
}
