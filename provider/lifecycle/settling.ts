import type { PropertyMap } from "../values/data";
import type { Around } from "./life";
import { UpdatedIncompletely } from "./resource";
import type { Session } from "./session";
import { type State, trackingOf, withTracking } from "./state";

/** The Pulumi state of an object that the next update has to look at, although nothing in the program has changed. */
export const unsettled = (state: State): State =>
  withTracking(state, { ...trackingOf(state), awaiting: "update" });

/**
 * The create and the update of a type whose service goes on after the request.
 * @param settle waits for the end of that, and returns the Pulumi state then
 * @param left makes the Pulumi state of an object whose wait has failed
 */
export function settling(
  settle: (id: string, state: State, inputs: PropertyMap, session: Session) => Promise<State>,
  left: (id: string, state: State, session: Session) => Promise<State> = async (_id, state) =>
    unsettled(state),
): Pick<Around, "create" | "update"> {
  return {
    async create(usual, inputs, session) {
      const created = await usual(inputs, session);
      const { id, state } = created;
      if (created.failure) return created;
      try {
        return { ...created, state: await settle(id, state, inputs, session) };
      } catch (error) {
        return { ...created, state: await left(id, state, session), failure: error as Error };
      }
    },

    async update(usual, id, state, inputs, session) {
      const updated = await usual(id, state, inputs, session);
      try {
        return await settle(id, updated, inputs, session);
      } catch (error) {
        throw new UpdatedIncompletely(await left(id, updated, session), (error as Error).message);
      }
    },
  };
}
