import { MissingRoute, NotShownYet } from "../api/errors";
import type { OperationName } from "../api/operations";
import { asDeclared } from "../values/asDeclared";
import { isEmpty, withoutDefaults } from "../values/compare";
import { type PropertyMap, pick } from "../values/data";
import { followed } from "../values/pairing";
import { firstOf } from "../values/wording";
import { missingInputs, supportedPart, unserved } from "./check";
import { decode } from "./decode";
import { type Definition, isServed, isSingleton } from "./definition";
import { warnOfDuplicates } from "./duplicates";
import { look } from "./look";
import { withDrift } from "./merge";
import { mayLag, recently, spelledId } from "./observe";
import type { Resource } from "./resource";
import { knownId } from "./run";
import { contextOf, defaultScope, scopeNames } from "./scope";
import type { Session } from "./session";
import {
  declaredIn,
  declaresNothing,
  judgementsIn,
  keptIn,
  outputsIn,
  owedIn,
  type State,
  seenOrGone,
  sentPart,
  shownPart,
  stateOf,
} from "./state";
import { withCode } from "./uncompared";

interface LiveObject {
  readonly inputs: PropertyMap;
  readonly state: State;
}

/**
 * Reads an object for a refresh or an import: returns the declared inputs, with live values where they drifted, and the new
 * Pulumi state. If the present state declares nothing, as in an import, all properties in the API's answer count as declared.
 *
 * @returns `unseen`, with a warning, if the server has no route to read this type, or does not show an object that is so new
 * that reads may lag
 */
export async function read(
  resource: Definition,
  id: string,
  state: State,
  session: Session,
): Promise<LiveObject | "gone" | "unseen"> {
  const declared = declaredIn(resource, state);
  // A list that has left the program, and that still has entries whose removal is owed, counts as declared empty.
  const emptied = Object.keys(owedIn(state)).filter(
    (name) => name in resource.inputs.properties && !(name in declared),
  );
  const managed = sentPart(resource, {
    ...declared,
    ...Object.fromEntries(emptied.map((name) => [name, []])),
  });
  const isKnown = !declaresNothing(resource, state);
  const context = contextOf(resource, declared, session);
  // All reads of a refresh begin before the list that they share has arrived, so the resources of the program are known then.
  session.run.noteHeld(resource, knownId(resource, id, context.scope));
  const observed = await look(resource, { moment: "read", id, state, context })
    .then(seenOrGone)
    .catch((error) => {
      if (!isKnown) throw error;
      if (error instanceof MissingRoute) session.warnOnce(undetected(resource, error, session));
      else if (error instanceof NotShownYet) session.warnOnce(notShownYet(resource, id));
      else throw error;
      return "unseen" as const;
    });
  if (observed === "gone" || observed === "unseen") return observed;
  if (isKnown && resource.waiting) warnOfDuplicates(resource, id, declared, context);

  const live = decode(resource, observed, { ...declared, ...managed }, state, owedIn(state));
  const withIds = (values: PropertyMap, reference: PropertyMap) =>
    resource.pair?.(values, reference) ?? values;
  // The API may show list entries in another order than the program declares them, or show other entries. So the declared
  // entries, and the records about them, are put into the API's order before they are compared.
  const { declared: declaredNow, follow } = followed(shownPart(resource, managed), live.inputs, {
    declared: withIds(managed, state),
    live: withIds(live.inputs, { ...live.inputs, ...live.outputs }),
  });
  const judged = judgementsIn(state);
  const drifted = withDrift(
    resource.inputs,
    declaredNow,
    { normalized: follow(judged.normalized), doubted: follow(judged.doubted) },
    live.inputs,
  );
  const isPaid = ([name, value]: [string, unknown]) => emptied.includes(name) && isEmpty(value);
  const found = Object.fromEntries(Object.entries(drifted.declared).filter((entry) => !isPaid(entry)));
  const inputs = isKnown
    ? {
        ...declared,
        ...found,
        ...(drifted.hasDrifted && neededBeside(resource, { ...declared, ...found }, live.inputs, session)),
      }
    : {
        ...scopeInputs(resource, declared, session),
        ...declared,
        ...supportedPart(resource.inputs, live.inputs, session),
      };
  const outputs = { ...outputsIn(resource, state), ...live.outputs };
  return {
    inputs,
    state: stateOf(resource, inputs, { ...live, outputs, ...drifted.judgements }, keptIn(state)),
  };
}

/** The live values that a refresh adds to the drifted inputs, since the inputs would not be valid without them. */
function neededBeside(
  resource: Definition,
  inputs: PropertyMap,
  live: PropertyMap,
  session: Session,
): PropertyMap {
  const needed = missingInputs(resource, inputs, session).filter((name) => live[name] !== undefined);
  return pick(live, needed);
}

function undetected({ type }: Pick<Definition, "type">, { site }: MissingRoute, session: Session): string {
  const { method, path } = session.siteOf(site.operation as OperationName);
  const warning = `${type}: drift cannot be detected, since the server has no route ${method} ${path}; check its address and dialect in the settings, or update it`;
  return withCode(warning, { reason: "noRoute", type });
}

function notShownYet({ type }: Pick<Definition, "type">, id: string): string {
  const warning = `${type} ${id}: not compared, since the service does not show it, ${recently}: ${mayLag}`;
  return withCode(warning, { reason: "new", type, id });
}

/** The organization and service from the settings, as inputs of a resource whose Pulumi state has none. */
function scopeInputs({ scope }: Definition, declared: PropertyMap, session: Session): PropertyMap {
  const names = scopeNames(scope).filter((name) => declared[name] === undefined);
  const ids = names.map((name) => [name, defaultScope(scope, name, session)] as const);
  return Object.fromEntries(ids.filter(([, id]) => id !== undefined));
}

interface ImportId {
  readonly id: string;
  readonly scope: PropertyMap;
}

/**
 * Parses the id that `pulumi import` gets: `id`, `organization/id` for objects of an organization, `organization/service/id`
 * for objects of a service, and `organization/service` for the singletons of a service, such as its scaling. What follows a colon
 * belongs to the id: that of a private endpoint in Azure has slashes there.
 *
 * @throws Error that names the accepted forms of the id
 */
export function readImportId(resource: Resource, text: string): ImportId {
  const names = [...scopeNames(resource.scope), ...(isSingleton(resource) ? [] : ["id"])];
  const [head = ""] = text.split(":");
  const parts = head.split("/");
  parts.push(`${parts.pop()}${text.slice(head.length)}`);
  const ownScope = isSingleton(resource) ? { serviceId: text } : {};
  if (parts.length === 1 && text !== "") return { id: text, scope: ownScope };
  if (parts.length !== names.length || parts.includes("")) {
    throw new Error(
      `the id under which to import the ${resource.noun} is "${names.at(-1)}" or "${names.join("/")}"`,
    );
  }
  const ids = Object.fromEntries(names.map((name, index) => [name, parts[index]]));
  const { id = parts.at(-1), ...scope } = ids;
  return { id: id as string, scope };
}

/** The id to import an object with, for {@link readImportId}. It names organization and service, so that no setting matters. */
export function importIdOf(resource: Resource, id: string, scope: PropertyMap): string {
  const place = scopeNames(resource.scope).flatMap((name) => scope[name] ?? []);
  return [...place, ...(isSingleton(resource) ? [] : [id])].join("/");
}

/**
 * The inputs that a program would declare for an object with the given live values: values that equal a default are left out.
 */
export function declarationOf(
  resource: Definition,
  live: PropertyMap,
  outputs: PropertyMap = {},
  leaveOut: (path: string) => void = () => {},
): PropertyMap {
  const answered = asDeclared(resource.inputs, live) as PropertyMap;
  return withoutDefaults(resource.inputs, resource.declaration?.(answered, outputs, leaveOut) ?? answered);
}

/** Tells the user which properties of an object an import leaves out, since no request takes them. */
export function tellLeftOut(resource: Definition, id: string, live: PropertyMap, session: Session): void {
  const { type } = resource;
  const paths: string[] = [];
  declarationOf(resource, live, {}, (path) => paths.push(path));
  if (paths.length > 0)
    session.inform(
      `${type} ${id}: the import leaves out ${firstOf(paths, 10)}, which the service shows and takes in no request`,
    );
}

/**
 * Warns at an import that resources of other types may declare the object's values, too, as a service declares its scaling. An
 * import of single objects does not know the others of the program.
 */
export function warnOfWhole({ type, isPartOf }: Definition, session: Session): void {
  if (isPartOf && session.settings.dialect === "clickhouse")
    session.warnOnce(
      `${type}: where a resource of type ${isPartOf.join(" or ")} declares the same values, the next preview refuses both; remove them from one of the two`,
    );
}

/**
 * Reads an object for `pulumi import`: the inputs that a program would declare, and all other values as outputs.
 * @param state has the organization and service if the import's id does not name them; without both, the settings name them
 */
export async function importObject(
  resource: Resource,
  text: string,
  state: State,
  session: Session,
): Promise<{ id: string; inputs: PropertyMap; state: State } | "gone" | "unseen"> {
  // The check that follows an import refuses such an object, which the engine would call a bug in the provider.
  if (!isServed(resource, session)) throw new Error(unserved(resource));
  const { id: read, scope } = readImportId(resource, text);
  const place = { ...pick(state, scopeNames(resource.scope)), ...scope };
  const result = await resource.read(read, place, session);
  if (typeof result === "string") return result;
  const id = spelledId(resource, read, contextOf(resource, place, session));
  tellLeftOut(resource, id, result.inputs, session);
  warnOfWhole(resource, session);
  const inputs = declarationOf(resource, result.inputs, outputsIn(resource, result.state));
  const live = { inputs: declaredIn(resource, result.state), outputs: outputsIn(resource, result.state) };
  return { id, inputs, state: stateOf(resource, inputs, live, {}) };
}
