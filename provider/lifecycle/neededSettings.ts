import { isUndecided, missingAccess, missingSettings, orTheOtherAlone } from "../api/settings";
import type { SettingName } from "../api/settingsSchema";
import { changes } from "../values/compare";
import type { Data } from "../values/data";
import { isDrawnPreview } from "./drawnPreview";
import { type Contract, isServed } from "./resource";
import { isWithoutScope, scopeNames } from "./scope";
import type { Session } from "./session";
import { declaredIn } from "./state";
import type { Failure } from "./validate";

/** Fills in the scope from the settings, and says what is wrong with these or missing: all of it at once. */
export function settingFailures<Inputs extends object>(
  resource: Contract<Inputs>,
  olds: Data,
  inputs: Record<string, unknown>,
  session: Session,
): Failure[] {
  const { scope } = resource;
  const missing: SettingName[] = [];
  try {
    for (const name of scopeNames(scope)) {
      if (inputs[name] !== undefined && inputs[name] !== null) continue;
      delete inputs[name];
      const isNeeded = !isWithoutScope(scope, session);
      const id = session.settings[name] ?? (isNeeded ? undefined : olds[name]);
      if (id !== undefined) inputs[name] = id;
      else if (isNeeded) missing.push(name);
    }
    const { names, advice = "" } = missingAccessTo(resource, session);
    // What stays as it is needs no call, and a picture none at all.
    const isCalled = names.length > 0 && !isDrawnPreview() && !isUnchanged(resource, olds, inputs);
    if (isCalled) missing.push(...names);
    if (missing.length === 0) return [];
    return [{ path: "", message: `${missingSettings(missing)}${isCalled ? advice : ""}` }];
  } catch (error) {
    return [{ path: "", message: (error as Error).message }];
  }
}

/** The settings that a change of an object needs to reach the service, and that are missing. */
function missingAccessTo<Inputs extends object>(
  resource: Contract<Inputs>,
  session: Session,
): { readonly names: readonly SettingName[]; readonly advice?: string } {
  // The check says then which other settings it takes.
  if (!isServed(resource, session)) return { names: [] };
  const { scope, operations } = resource;
  const { settings } = session;
  if (scope === "observability" && isUndecided(settings))
    return { names: missingAccess(settings, "management"), advice: orTheOtherAlone };
  const apis = new Set([operations.create, operations.update].map((name) => session.apiOf(name)));
  return { names: [...apis].flatMap((api) => missingAccess(settings, api)) };
}

/** Whether a program declares what the state has. `olds` are the inputs in state, empty for a new resource. */
export function isUnchanged<Inputs extends object>(
  resource: Contract<Inputs>,
  olds: Data,
  inputs: Data,
): boolean {
  if (Object.keys(olds).length === 0) return false;
  return changes(resource.inputs, declaredIn(resource, olds), inputs).length === 0;
}
