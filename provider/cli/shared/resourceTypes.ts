import { hasKey } from "../../api/settings";
import { isServed } from "../../lifecycle/resource";
import type { Session } from "../../lifecycle/session";
import { resources, type TypeName, typeNames } from "../../resources/registry";

/** Types whose objects a program creates and deletes, those first that refer to others. */
export const deletableTypes = typeNames
  .filter((type) => resources[type].operations.delete !== undefined)
  .reverse();

/** Those of the types that the settings give access to: all, or what the observability API serves. */
export function reachableTypes(types: readonly TypeName[], session: Session): readonly TypeName[] {
  const { observabilityVia, settings } = session;
  const served = types.filter((type) => isServed(resources[type], session));
  if (observabilityVia !== "observability" || hasKey(settings)) return served;
  return served.filter((type) => resources[type].scope === "observability");
}
