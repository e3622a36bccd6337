import { asDeclared } from "../values/asDeclared";
import { type Data, pick } from "../values/data";
import { read } from "./lifecycle";
import { isSingleton, type Resource } from "./resource";
import { scopeNames } from "./scope";
import type { Session } from "./session";
import { declaredIn, outputsIn, type State, stateOf } from "./state";

/** What an import is told: an id alone, or after the ids of its organization and service. */
interface ImportId {
  readonly id: string;
  /** Ids of the organization and the service, as inputs. */
  readonly scope: Data;
}

/**
 * Reads an import's id: `id`, `organization/id` for what belongs to an organization, `organization/service/id` for what
 * belongs to a service, and `organization/service` for what a service has one of.
 *
 * @throws Error that says the forms
 */
export function readImportId<Inputs extends object>(resource: Resource<Inputs>, text: string): ImportId {
  const names = [...scopeNames(resource.scope), ...(isSingleton(resource) ? [] : ["id"])];
  const parts = text.split("/");
  const own = isSingleton(resource) ? { serviceId: text } : {};
  if (parts.length === 1 && text !== "") return { id: text, scope: own };
  if (parts.length !== names.length || parts.includes("")) {
    throw new Error(
      `the id under which to import the ${resource.noun} is "${names.at(-1)}" or "${names.join("/")}"`,
    );
  }
  const ids = Object.fromEntries(names.map((name, index) => [name, parts[index]]));
  const { id = parts.at(-1), ...scope } = ids;
  return { id: id as string, scope };
}

/** The id with which an object is imported from there whatever the settings say, as {@link readImportId} reads it. */
export function importIdOf<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  scope: Data,
): string {
  const place = scopeNames(resource.scope).flatMap((name) => scope[name] ?? []);
  return [...place, ...(isSingleton(resource) ? [] : [id])].join("/");
}

/**
 * Reads an existing object for a program that is to declare it: the inputs are what a program would declare, and
 * everything else shows as outputs.
 *
 * @param state says where it is if the id does not; else it is where the settings say
 */
export async function importObject<Inputs extends object>(
  resource: Resource<Inputs>,
  text: string,
  state: State,
  session: Session,
): Promise<{ id: string; inputs: Data; state: State } | "gone" | "unseen"> {
  const { id, scope } = readImportId(resource, text);
  const found = await read(resource, id, { ...pick(state, scopeNames(resource.scope)), ...scope }, session);
  if (typeof found === "string") return found;
  const answered = asDeclared(resource.inputs, found.inputs) as Data;
  const inputs = resource.declaration?.(answered) ?? answered;
  const live = { inputs: declaredIn(resource, found.state), outputs: outputsIn(resource, found.state) };
  return { id, inputs, state: stateOf(resource, inputs, live, {}) };
}
