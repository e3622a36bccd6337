import type { Run } from "../apis/api";
import { isWrite } from "../operations";
import type { Records } from "../records";
import type { Call, Route } from "../routes";
import type { Aftermath } from "./aftermath";
import type { Fault } from "./fault";
import { kindOf } from "./kinds";

export function runWithFault(
  fault: Fault | undefined,
  store: Records,
  aftermath: Aftermath,
  routeOf: (operation: string) => Route | undefined,
  run: Run = (route, call) => route.run(call as never),
): Run {
  const read = (route: Route, call: Call) =>
    aftermath.read(store, route.operation?.startsWith("list") === true, () => run(route, call));
  return (route, call) => {
    if (!isWrite(route.operation ?? "get")) return read(route, call);
    if (!fault || !kindOf(fault.kind).affectsWrites) return run(route, call);
    const { result, before } = store.changing(() => run(route, call));
    if (fault.kind === "ignored") store.restore(before);
    else aftermath.keep(fault, call.now, before);
    if (fault.kind !== "ignored" && fault.kind !== "stale") return result;
    return shownBefore(route.operation ?? "", call, routeOf, read) ?? result;
  };
}

/**
 * Returns the object that an update will change, in the form in which a read shows it before the update. The result is
 * undefined for other operations, and if the object does not exist.
 */
export function shownBefore(
  operation: string,
  call: Call,
  routeOf: (operation: string) => Route | undefined,
  read: Run,
): unknown {
  const [, noun] = /^(?:update|put)(.+)$/.exec(operation) ?? [];
  if (noun === undefined) return undefined;
  const name = noun.endsWith("Scaling") ? "Service" : noun;
  const [get, list] = [routeOf(`get${name}`), routeOf(`list${name}s`)];
  try {
    if (get) return read(get, call);
    return list && (read(list, call) as { id: string }[]).find(({ id }) => id === call.id);
  } catch {
    return undefined;
  }
}
