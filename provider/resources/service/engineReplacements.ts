import { isDeepStrictEqual } from "node:util";
import { perSession, type Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";

/** A service of the Pulumi state that an update changes in place, as far as the provider's diff knows. */
interface ChangedService {
  readonly id: string;
  readonly title: string;
  readonly inputs: PropertyMap;
  readonly isProtected: boolean;
}

const changedIn = perSession(() => new Map<string, ChangedService>());

/** Notes a service that an update is about to change. With `replaceOnChanges`, the engine makes another service instead. */
export function noteChanged(service: ChangedService, session: Session): void {
  changedIn(session).set(service.id, service);
}

/**
 * Refuses a create by which the engine would replace a protected service: the engine calls no diff for the replacement, but the
 * create has the very inputs of the change. A service that is not protected counts as replaced.
 *
 * @throws Error before any request, so that no second service is made and billed
 */
export function refuseEngineReplacement(inputs: PropertyMap, howToUnprotect: string, session: Session): void {
  const changed = [...changedIn(session).values()].find((other) => isDeepStrictEqual(other.inputs, inputs));
  if (!changed) return;
  if (changed.isProtected)
    throw new Error(
      `the engine would replace ${changed.title}, which is protected, by an empty one (see its option replaceOnChanges), and lose its data; nothing was created. Take the option out of the program; ${howToUnprotect}`,
    );
  session.run.noteReplaced({ type: "Service" }, changed.id);
}
