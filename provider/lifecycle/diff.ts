import { Interrupted } from "../api/errors";
import { type Change, type Difference, differences, pathOf } from "../values/compare";
import { isSameId, type PropertyMap } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import { containsUnknown, unknown } from "../values/unknown";
import { plainValue } from "./confirm";
import { decode } from "./decode";
import type { Definition } from "./definition";
import { look } from "./look";
import { type FixedPlace, type JudgedChange, judgedChange, type LiveForms } from "./replacement";
import { knownId } from "./run";
import { contextOf, scopeNames } from "./scope";
import type { Session } from "./session";
import {
  declaredIn,
  isSeen,
  outputsIn,
  owedIn,
  type State,
  sentPart,
  trackingOf,
  undeclaredIn,
} from "./state";

/**
 * The changes from the declared inputs in the Pulumi state to the new inputs of a resource. Before a change replaces the object,
 * it is compared with what the object has, so that a line which says what is so replaces nothing.
 *
 * @throws Error if neither the Pulumi state nor the API tells whether a change has to replace the object
 */
export async function diff(
  resource: Definition,
  id: string,
  state: State,
  inputs: PropertyMap,
  session: Session,
): Promise<Change[]> {
  session.run.noteHeld(resource, knownId(resource, id, state));
  const declared = declaredIn(resource, inputs);
  const places = differences(resource.inputs, declaredIn(resource, state), declared).filter(
    ({ keys }) => !namesSameObject(resource, id, state, inputs, pathOf(keys)),
  );
  const judged = await judgedByObject(resource, id, state, declared, places, session);
  for (const { fixed } of judged) for (const place of fixed) reportFixed(resource, id, place, session);
  const differing = judged.map(({ change }) =>
    isScopeBackfill(resource, state, change) ? { ...change, replaces: false } : change,
  );
  // While an earlier create or update is not completed, the diff shows a change: only then does the next update go on waiting.
  if (trackingOf(state).awaiting) {
    const [first = "state"] = Object.keys(sentPart(resource, declared));
    differing.push({ path: resource.waiting?.stateMember ?? first, kind: "update", replaces: false });
  }
  const isAnnounced = (path: string) => differing.some((change) => change.path === path);
  for (const path of Object.keys(owedIn(state)))
    if (!isAnnounced(path)) differing.push({ path, kind: "update", replaces: false });
  const replacing = differing.find(({ replaces }) => replaces);
  if (replacing && isSameId(inputs.adoptId, id)) {
    throw new Error(
      `${replacing.path}: this change replaces ${id}, but adoptId would adopt ${id} again; remove adoptId from the program`,
    );
  }
  return differing;
}

/** Judges the differences by the Pulumi state and, where one would replace the object, by the object itself. */
async function judgedByObject(
  resource: Definition,
  id: string,
  state: State,
  declared: PropertyMap,
  places: readonly Difference[],
  session: Session,
): Promise<readonly JudgedChange[]> {
  const judgedBy = (live?: LiveForms) =>
    places.map((place) => judgedChange(resource, state, declared, place, live));
  const byState = judgedBy();
  const isOpen = ({ verdict, right }: FixedPlace) =>
    verdict === "unknown" || (verdict === "differs" && !containsUnknown(right));
  if (session.isOffline || !byState.some(({ fixed }) => fixed.some(isOpen))) return byState;
  let reason = "it is not shown";
  try {
    const context = contextOf(resource, declaredIn(resource, state), session);
    const live = await look(resource, { moment: "read", id, state, context });
    if (isSeen(live)) {
      const formOf = (form: PropertyMap) => decode(resource, live, form, state).inputs;
      return judgedBy({ now: formOf(declared), before: formOf(declaredIn(resource, state)) });
    }
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    reason = (error as Error).message;
  }
  const unknownPath = byState.flatMap(({ fixed }) => fixed).find(({ verdict }) => verdict === "unknown");
  if (unknownPath)
    throw new Error(
      `${pathOf(unknownPath.keys)}: whether ${resource.noun} ${id} has the declared value is not known, since the Pulumi state is that of an older version, and only a create takes the value: run "pulumi refresh" once the service shows it, or take the line back; ${reason}`,
    );
  return byState;
}

/** Tells the user about a declared value that no update can bring about, and that replaces nothing. */
function reportFixed(
  { inputs, noun }: Pick<Definition, "inputs" | "noun">,
  id: string,
  { keys, schema, left, verdict }: FixedPlace,
  session: Session,
): void {
  const path = pathOf(keys);
  if (verdict === "assumed")
    session.warnOnce(
      `${noun} ${id} is assumed to have been created with the declared ${path}, which only a create takes and no answer shows`,
    );
  if (verdict !== "drifted") return;
  const value = plainValue(inputs, { keys, schema, left: undefined, right: left });
  session.warnOnce(
    `${noun} ${id}: ${path} is ${value ?? "another value"} in the service, and not as declared; no update changes it, and nothing is replaced: declare what the service has`,
  );
}

/** Whether a change only adds an organization or service that the Pulumi state lacks: the object stays the same. */
function isScopeBackfill({ scope }: Definition, state: State, { path }: Change): boolean {
  return scopeNames(scope).some((name) => name === path) && state[path] === undefined;
}

/**
 * Whether a changed `adoptId`, `organizationId` or `serviceId` still names the object that the resource has. Such a change must
 * not replace the resource: the engine deletes the old object last, which would delete the object of the new resource.
 */
function namesSameObject(
  { scope }: Definition,
  id: string,
  state: State,
  inputs: PropertyMap,
  path: string,
): boolean {
  // The resource keeps its object if `adoptId` is removed, or names that object. Only another id is a change.
  if (path === "adoptId")
    return inputs.adoptId === undefined || inputs.adoptId === null || isSameId(inputs.adoptId, id);
  return scopeNames(scope).some((name) => name === path) && isSameId(inputs[path], state[path]);
}

/** The planned properties of a resource for a preview: outputs that no update changes are known, all others are unknown. */
export function plan(resource: Definition, state: State | undefined, inputs: PropertyMap): PropertyMap {
  const names = Object.keys(resource.outputs.properties);
  const unknownOutputs = Object.fromEntries(names.map((name) => [name, unknown]));
  if (state === undefined) return { ...unknownOutputs, ...inputs };
  const { undeclared = [] } = trackingOf(state);
  const isKept = (name: string) =>
    undeclared.includes(name) || !annotationsOf(schemaAt(resource.outputs, name)).volatile;
  const outputs: PropertyMap = { ...outputsIn(resource, state), ...undeclaredIn(state) };
  const planned = Object.keys(outputs).map((name) => [name, isKept(name) ? outputs[name] : unknown]);
  return { ...unknownOutputs, ...Object.fromEntries(planned), ...inputs };
}
