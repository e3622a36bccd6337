import { mayHaveHappened } from "../../api/errors";
import type { OperationName } from "../../api/operations";
import { type State, trackingOf } from "../../lifecycle/state";
import type { Step } from "../../lifecycle/steps";
import { equal } from "../../values/compare";
import { isObject, type PropertyMap } from "../../values/data";
import { type TSchema, Type } from "../../values/schemaBuilders";

const keepers: TSchema = Type.Record(Type.String(), Type.String());

/**
 * The body of the request that sets a password; undefined if no request is needed. One is needed if the password or its keepers have
 * changed, or if an update that did not finish may have left the password unset.
 *
 * @param bodyWith the body with a declared password; an empty one has the service make a password
 */
export function passwordBody(
  declared: PropertyMap,
  state: State,
  bodyWith: (password: string) => PropertyMap,
): PropertyMap | undefined {
  const { password } = declared;
  const isKnown = Object.keys(state).length > 0;
  const isDoubtful = trackingOf(state).awaiting !== undefined;
  const isNew = isKnown && isRotated(declared, state);
  if (typeof password === "string")
    return password !== state.password || isNew || isDoubtful ? bodyWith(password) : undefined;
  return isNew ? {} : undefined;
}

/** Whether an update has to set a password anew: its keepers have changed, or the last request for one has not ended well. */
export function isRotated({ passwordKeepers }: PropertyMap, state: State): boolean {
  const known = isObject(state.passwordKeepers) ? state.passwordKeepers : {};
  return trackingOf(state).owesPassword === true || !equal(keepers, passwordKeepers ?? {}, known);
}

/**
 * The request that sets a password, or has the service make one, which only the answer shows. The state owes a new one until it has
 * the answer: otherwise it would keep a password that is no longer valid if the program goes back.
 */
export function passwordRequest(
  operation: OperationName,
  body: PropertyMap,
  onMade: (password: unknown) => void,
): Step {
  return {
    operation,
    body: async (at) => {
      at.owe({ owesPassword: true });
      return body;
    },
    shown({ password }) {
      onMade(password);
      return undefined;
    },
    rescue(error, at) {
      if (!mayHaveHappened(error)) at.owe({ owesPassword: undefined });
      throw error;
    },
  };
}
