import { MissingRoute } from "../../api/errors";
import { clean } from "../../hosts/dynamic/hostValues";
import { differences, pathOf } from "../../lifecycle/compare";
import { type Data, pick } from "../../lifecycle/data";
import { read } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { type Scope, scopeNames, scopeOf } from "../../lifecycle/scope";
import { type Session, undocumentedOperation } from "../../lifecycle/session";
import { declaredIn, outputsIn, type State } from "../../lifecycle/state";
import { validate } from "../../lifecycle/validate";
import { isSigningKey } from "../../resources/apiKey";
import { resources as resourceTypes, type TypeName, typeNames } from "../../resources/registry";
import { type ListOperation, lists } from "../shared/lists";
import { asDeclared } from "./asDeclared";

/** One object of the service as a program would declare it, and the state that it then has. */
export interface FoundObject {
  /** Type of the resource, such as `Alert`. */
  readonly type: TypeName;
  readonly id: string;
  /** What the program declares, and where the object is. */
  readonly declared: Data;
  /** What `read` of the provider leaves in the state of an object that was declared so. */
  readonly state: State;
}

/** What was found, and what was left out and why. */
export interface Discovery {
  readonly objects: readonly FoundObject[];
  readonly warnings: readonly string[];
}

/**
 * All objects of the given types that a service has. An object that a program cannot declare as it is is skipped with a
 * warning.
 *
 * @throws when the service refuses or does not answer
 */
export async function discover(
  session: Session,
  place: Scope,
  types: readonly TypeName[],
): Promise<Discovery> {
  const objects: FoundObject[] = [];
  const warnings: string[] = [];
  for (const type of typeNames.filter((name) => types.includes(name))) {
    const list = lists[type];
    if (list && !session.allows(list)) {
      warnings.push(`${type}: skipped, because listing needs ${undocumentedOperation}`);
      continue;
    }
    const ids = list
      ? await idsIn(list, session, place, warnings)
      : [String(scopeOf("service", place, session).serviceId)];
    for (const id of ids) {
      const found = await examine(type, id, session, place);
      if (typeof found === "string") warnings.push(`${type} ${id}: skipped, because ${found}`);
      else if (found) objects.push(found);
    }
  }
  return { objects, warnings };
}

async function idsIn(
  list: ListOperation,
  session: Session,
  place: Scope,
  warnings: string[],
): Promise<string[]> {
  if (list !== "listKeys") {
    const objects = await session.list(list, scopeOf("observability", place, session));
    return objects.map(({ id }) => id);
  }
  const objects = await session.list(list, scopeOf("organization", place, session));
  const signing = objects.filter((key) => isSigningKey(key, session.settings.keyId));
  if (signing.length === 0) {
    warnings.push("ApiKey: cannot tell which key signs the requests; never let a program delete that key");
  }
  for (const { id } of signing) {
    warnings.push(
      `ApiKey ${id}: skipped, because it may be the key that signs the requests (same suffix), which no program should manage`,
    );
  }
  return objects.filter((key) => !signing.includes(key)).map(({ id }) => id);
}

/** The object; undefined when there is none; or why it is left out. */
async function examine(
  type: TypeName,
  id: string,
  session: Session,
  place: Scope,
): Promise<FoundObject | string | undefined> {
  const resource = resourceTypes[type];
  const placement = pick({ ...place }, scopeNames(resource.scope));
  const first = await lookAt(resource, id, placement, session);
  if (typeof first === "string") return first === "gone" ? undefined : first;

  const answered = asDeclared(resource.inputs, declaredIn(resource, first.inputs)) as Data;
  const declared = { ...placement, ...(resource.declaration?.(answered) ?? answered) };
  if (type === "ApiKey" && declared.name === undefined)
    return "it has no name, and importing it would give it one";
  const problems = [
    ...validate(resource.inputs, declared),
    // As of an object that exists: a key may have expired.
    ...(resource.failures?.(declared, declared, session) ?? []),
  ];
  if (problems.length > 0) {
    return `a program cannot declare it: ${problems.map(({ path, message }) => `${path} ${message}`).join("; ")}`;
  }

  // Once more, as of an object that was declared so: this is the state that every refresh will leave.
  const second = await lookAt(resource, id, { ...outputsIn(resource, first.state), ...declared }, session);
  if (typeof second === "string") return second === "gone" ? undefined : second;
  const [drifted] = differences(resource.inputs, declared, declaredIn(resource, second.inputs));
  if (drifted) return `${pathOf(drifted.keys)} would show as drift immediately`;
  return { type, id, declared, state: second.state };
}

async function lookAt(resource: Resource, id: string, state: State, session: Session) {
  try {
    const found = await read(resource, id, state, session);
    return found === "unseen" ? `reading it needs ${undocumentedOperation}` : clean(found);
  } catch (error) {
    if (error instanceof MissingRoute) return `the service cannot read it: ${error.message}`;
    throw error;
  }
}
