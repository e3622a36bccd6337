import type { State } from "../../../provider/lifecycle/state";
import { sets } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { refused } from "../api/server";
import { alert, place, useService } from "./scriptedService";

const { AlertSet } = sets;

export const alerts = (thresholds: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(thresholds).map(([key, threshold]) => [key, { ...alert, threshold }]));
export const inputsOf = (own: PropertyMap): PropertyMap => ({ ...place, alerts: own });
export const three = inputsOf(alerts({ a: 1, b: 2, c: 3 }));

/** The id and Pulumi state of a created AlertSet. */
export interface Made {
  readonly id: string;
  readonly state: State;
}

/** Provides the sandbox's model to each test, with functions that create, update and compare an AlertSet in it. */
export function useSets() {
  const service = useService();
  const { open, addForeign: put, stored } = service;
  const session = () => open().session;
  const idIn = ({ ids }: State, key: string) => (ids as Readonly<Record<string, string>>)[key] as string;

  const created = async (inputs = three) => {
    const made = await AlertSet.create(inputs, session());
    service.requests.length = 0;
    return made;
  };
  const updated = async ({ id, state }: Made, inputs: PropertyMap): Promise<Made> => ({
    id,
    state: await AlertSet.update(id, state, inputs, session()),
  });
  const changesTo = async ({ id, state }: Made, inputs: PropertyMap, by = session()) =>
    (await AlertSet.diff(id, state, inputs, by)).map(({ path, kind }) => `${kind} ${path}`);
  const writes = () => service.requests.filter((operation) => !/^(list|get)/.test(operation));
  /** Lets the service refuse an operation, or only its requests for one alert, in the form in which its API does. */
  const refuse = (operation: string, id = "") => {
    service.gateway = (asked, carryOut, path) => {
      if (asked !== operation || !path.includes(id)) return carryOut();
      return path.startsWith("/api/v2/") ? { status: 400, body: { message: "no" } } : refused(400, "no");
    };
  };
  return { service, open, put, stored, session, idIn, created, updated, changesTo, writes, refuse };
}
