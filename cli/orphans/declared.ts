import { isDeepStrictEqual } from "node:util";
import { unknownText } from "../../provider/engine/engineValues";
import {
  isNameOfDefaultProvider,
  nameIn,
  tokenIn,
  tokenPrefix,
  typeOfToken,
} from "../../provider/engine/names";
import { isSingleton } from "../../provider/lifecycle/definition";
import { contextOf } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { withReferences } from "../../provider/resources/references";
import { resources, type TypeName } from "../../provider/resources/registry";
import type { PropertyMap } from "../../provider/values/data";
import type { Preview, PreviewStep, StateResource } from "../engine/stack";
import { withEntries } from "../shared/entries";
import { isHidden } from "../shared/secrets";

/** A resource that the program declares, and that the next update would create. */
export interface DeclaredResource {
  readonly type: TypeName;
  readonly urn: string;
  readonly host: "dynamic" | "plugin";
  /** The inputs that the program declares. {@link isOpen} recognizes the values among them that the preview does not show. */
  readonly inputs: PropertyMap;
  /** For each input, the URNs of the resources whose outputs it uses. */
  readonly dependencies: { readonly [input: string]: readonly string[] | null };
}

export interface DeclaredResources {
  /** The declared resources that the Pulumi state lacks, whose objects may still exist in the service. */
  readonly missing: readonly DeclaredResource[];
  /** The entries of the sets that the next update would create. Their objects cannot be imported. */
  readonly entries: readonly DeclaredResource[];
  /** The names of resources that the recovery of orphans leaves alone, since their provider has settings of its own. */
  readonly elsewhere: readonly string[];
  /** The ids that resources of the program name as `adoptId`, in lower case. */
  readonly adopted: ReadonlySet<string>;
  /** All resources of the program by URN, including those of other packages. */
  readonly byUrn: ReadonlyMap<string, PreviewStep>;
}

/**
 * The declared resources from a preview with `--show-sames`, without singletons such as `ServiceScaling`, whose create takes
 * over the object anyway.
 */
export function declaredResources({ steps = [] }: Preview, session: Session): DeclaredResources {
  const states = steps.flatMap(({ newState }) => newState ?? []);
  const adopted = withEntries(states).flatMap(({ type, inputs }) =>
    typeOfToken(type) ? (inputs?.adoptId ?? []) : [],
  );
  const typed = steps.flatMap((step) => {
    const type = typeOfToken(step.newState?.type ?? "");
    return type && step.newState ? [{ step, type, state: step.newState }] : [];
  });
  const created = typed.filter(
    ({ step, type, state }) =>
      step.op === "create" && !isSingleton(resources[type]) && state.inputs?.adoptId === undefined,
  );
  const placeOf = (type: TypeName, inputs: PropertyMap = {}) =>
    contextOf(resources[type], inputs, session).scope;
  const isHere = ({ type, state }: (typeof typed)[number]) =>
    isDefaultProvider(state.provider) && isDeepStrictEqual(placeOf(type, state.inputs), placeOf(type));
  return {
    missing: created.filter(isHere).map(({ type, state }) => declaredResource(type, state)),
    entries: steps.flatMap(({ op, newState }) => (op === "create" && newState ? entriesOf(newState) : [])),
    elsewhere: created.filter((resource) => !isHere(resource)).map(({ state }) => nameIn(state.urn)),
    adopted: new Set(adopted.map((id) => String(id).toLowerCase())),
    byUrn: new Map(steps.map((step) => [step.urn, step])),
  };
}

/** Whether a provider is a default provider, such as `urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default::7e71…`. */
function isDefaultProvider(reference: string | undefined): boolean {
  if (reference === undefined) return true;
  return isNameOfDefaultProvider(nameIn(reference.slice(0, reference.lastIndexOf("::"))));
}

/** The entries of a set, such as an `AlertSet`, as if they were resources; none for other types. */
function entriesOf(state: StateResource): DeclaredResource[] {
  const [, ...entries] = withEntries([state]);
  return entries.flatMap((entry) => {
    const type = typeOfToken(entry.type);
    return type ? [declaredResource(type, entry)] : [];
  });
}

function declaredResource(type: TypeName, { urn, type: token, ...state }: StateResource): DeclaredResource {
  const { properties } = resources[type].inputs;
  const inputs = Object.entries(state.inputs ?? {}).filter(([name]) => name in properties);
  return {
    type,
    urn,
    host: token.startsWith(tokenPrefix) ? "plugin" : "dynamic",
    inputs: Object.fromEntries(inputs),
    dependencies: state.propertyDependencies ?? {},
  };
}

/** Whether a declared value, or anything inside it, is unknown or secret in the preview. */
export function isOpen(value: unknown): boolean {
  return holdsUnknown(value) || isHidden(value);
}

function holdsUnknown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === unknownText;
  return Object.values(value).some(holdsUnknown);
}

/**
 * The inputs of a declared resource, with unknown ids replaced by those of recovered objects. Ids of tiles and roles stay
 * unknown, and so do ids that may be those of several objects.
 * @returns undefined if a reference to another object is unknown, since references distinguish objects
 */
export function withKnownIds(
  { inputs, dependencies }: Pick<DeclaredResource, "inputs" | "dependencies">,
  idOf: (urn: string) => string | undefined,
): PropertyMap | undefined {
  let areKnown = true;
  const members = Object.entries(inputs).map(([input, value]) => {
    const replaced = withReferences({ [input]: value }, (type, id) => {
      if (!isOpen(id) || type === "tile" || type === "Role") return id;
      const ids = (dependencies[input] ?? []).filter((urn) => typeOfToken(tokenIn(urn)) === type).map(idOf);
      areKnown &&= ids.length > 0 && !ids.includes(undefined);
      return ids.length === 1 ? ids[0] : id;
    });
    return [input, (replaced as PropertyMap)[input]] as const;
  });
  return areKnown ? Object.fromEntries(members) : undefined;
}
