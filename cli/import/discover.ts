import {
  ApiError,
  InvalidIdentifier,
  MissingRoute,
  needsRunningService,
  RefusedRequest,
} from "../../provider/api/errors";
import { clean } from "../../provider/engine/engineValues";
import { ruleFailures, unserved } from "../../provider/lifecycle/check";
import { isServed, isSingleton } from "../../provider/lifecycle/definition";
import { declarationOf, tellLeftOut, warnOfWhole } from "../../provider/lifecycle/read";
import type { Resource } from "../../provider/lifecycle/resource";
import { resourceKey } from "../../provider/lifecycle/run";
import { contextOf, neededScope, type Scope } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { declaredIn, outputsIn, type State } from "../../provider/lifecycle/state";
import { stateOf } from "../../provider/lifecycle/waiting";
import { isSigningKey } from "../../provider/resources/access/signingActor";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { circularLinks } from "../../provider/resources/source/circularLinks";
import { differences, pathOf } from "../../provider/values/compare";
import { type PropertyMap, pick } from "../../provider/values/data";
import { sentenceOf, validate, withLabels } from "../../provider/values/validate";
import { look, skipped } from "../shared/listing";

/** One object of the service in the form in which a program would declare it, with the Pulumi state that it then has. */
export interface FoundObject {
  readonly type: TypeName;
  readonly id: string;
  readonly declared: PropertyMap;
  /** The Pulumi state that a refresh leaves if a program declares the object as `declared` says. */
  readonly state: State;
  /** The name that the object's resource already has, in Terraform for example. */
  readonly name?: string;
}

/** An object in the state of Terraform or of another Pulumi stack, or in an import block, which `pipestack import` takes over. */
export interface KnownObject {
  readonly type: TypeName;
  readonly id: string;
  readonly name?: string;
  readonly address: string;
  /** The id of the object's service, if the state of Terraform or of the other Pulumi stack names it. */
  readonly serviceId?: string;
}

export interface Discovery {
  readonly objects: FoundObject[];
  readonly warnings: string[];
  /** Notes for the user about objects that the import leaves out on purpose. */
  readonly notes: string[];
  readonly missing: MissingRoute[];
}

/**
 * The given types without those whose objects are declared along with an object of another given type, as `ServiceScaling` with
 * `Service`; in the registry's order.
 */
function outermost(types: readonly TypeName[]): readonly TypeName[] {
  const isPart = (type: TypeName) => types.some((other) => resources[type].isPartOf?.includes(other));
  return typeNames.filter((type) => types.includes(type) && !isPart(type));
}

/** Whether objects of a type belong to a service: a server of one's own has none. */
const isOfService = (type: TypeName, session: Session) =>
  neededScope(resources[type].scope, session).includes("serviceId");

const isListed = (type: TypeName) => !isSingleton(resources[type]);

const nothing = (): Discovery => ({ objects: [], warnings: [], notes: [], missing: [] });

/**
 * Finds all objects of an organization, of each of its services and of a server without services, even if one of these does not
 * answer.
 */
export async function discoverAll(
  session: Session,
  scope: Scope,
  types: readonly TypeName[],
): Promise<Discovery> {
  const ofOrganization = types.filter((type) => resources[type].scope === "organization");
  const ofParts = outermost(types).filter((type) => resources[type].scope !== "organization");
  const discovery = await discover(session, scope, ofOrganization);
  const services = await session.lists.read("listServices", scope);
  let isAnyRead = ofOrganization.some(isListed);
  let refusal: ApiError | undefined;
  const lookAtPart = async (type: TypeName, part: Scope, where: string) => {
    try {
      const { length } = discovery.missing;
      await discover(session, part, [type], discovery);
      isAnyRead ||= isListed(type) && discovery.missing.length === length;
    } catch (error) {
      if (!isAnswer(error)) throw error;
      refusal ??= error;
      discovery.warnings.push(`${type}: skipped${where}: ${error.message}`);
    }
  };
  for (const type of ofParts) if (!isOfService(type, session)) await lookAtPart(type, scope, "");
  for (const service of services) {
    const { id, name } = service;
    const state = failedState(resources.Service, service);
    if (state !== undefined && !types.includes("Service"))
      discovery.warnings.push(`service ${id} (${name}): skipped, because it is ${state}`);
    for (const type of state === undefined ? ofParts : [])
      if (isOfService(type, session))
        await lookAtPart(type, { ...scope, serviceId: String(id) }, ` for service ${id} (${name})`);
  }
  // If nothing can be read, the key or the address is probably wrong, so the message "nothing to import" would mislead.
  const [unread = refusal] = discovery.missing;
  if (unread && !isAnyRead && discovery.objects.length === 0) throw unread;
  return discovery;
}

/** Finds all objects of the given types in one service; throws if the service is being deleted, which takes them along. */
export async function discoverOne(
  session: Session,
  scope: Scope,
  types: readonly TypeName[],
): Promise<Discovery> {
  const isConcerned = types.some((type) => type === "Service" || isOfService(type, session));
  const state = isConcerned ? await failedServiceState(session, scope) : undefined;
  if (state === undefined) return discover(session, scope, types);
  throw new Error(`service ${scope.serviceId} is ${state}, so nothing of it is imported`);
}

/** The state of a service that has failed or is being deleted; undefined for others, and if the key may not see it. */
async function failedServiceState(session: Session, scope: Scope): Promise<string | undefined> {
  if (scope.serviceId === undefined || !isServed(resources.Service, session)) return undefined;
  const service = await session.call("getService", scope).catch(() => undefined);
  return service && failedState(resources.Service, service);
}

/**
 * The state of an object that has failed or is being deleted; undefined for others. It is not imported: once it is deleted, the
 * next update would create it again.
 */
function failedState(resource: Resource, object: PropertyMap): string | undefined {
  const state = stateOf(resource, object);
  return state !== undefined && resource.waiting?.created({}).fails.includes(state) ? state : undefined;
}

/** Whether an error is an answer of the API, which shows that the API can be reached, and may show other objects. */
function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.site.status !== undefined;
}

/**
 * All objects of the given types in a service. An object that a program cannot declare, or a part of the service that the API
 * refuses to show, or shows only of a running service, is skipped with a warning.
 * @throws if the service refuses a list, does not answer, or shows objects of none of the types
 */
export async function discover(
  session: Session,
  scope: Scope,
  types: readonly TypeName[],
  known?: Discovery,
): Promise<Discovery> {
  const discovery = known ?? nothing();
  const { objects, warnings, missing } = discovery;
  const idle = new Map<TypeName, ApiError>();
  for (const type of outermost(types))
    try {
      for (const id of await idsOf(type, session, scope, discovery)) {
        const examined = await examine(type, id, session, scope);
        if (typeof examined === "string") warnings.push(`${type} ${id}: skipped, because ${examined}`);
        else if (examined) objects.push(...(await withLinks(examined, session)));
      }
    } catch (error) {
      if (known || !needsRunningService(error)) throw error;
      idle.set(type, error);
    }
  // If no list can be read, the address is probably wrong, so the message "nothing to import" would mislead.
  const lists = types.filter(isListed);
  if (missing[0] && missing.length === lists.length && objects.length === 0) throw missing[0];
  const [asleep] = idle.values();
  if (asleep && objects.length === 0) throw asleep;
  for (const [type, { message }] of idle) warnings.push(`${type}: skipped, because ${message}`);
  return discovery;
}

/**
 * Reads the given objects from the service. Objects that a program cannot declare, or that the API does not show, are skipped
 * with a warning.
 * @throws if the service does not answer, or refuses to show any object
 */
export async function examineKnown<Candidate extends KnownObject>(
  session: Session,
  scope: Scope,
  candidates: readonly Candidate[],
): Promise<{ readonly objects: (FoundObject & Candidate)[]; readonly warnings: string[] }> {
  const objects: (FoundObject & Candidate)[] = [];
  const warnings: string[] = [];
  // An object is imported only once: with two resources for it, destroying either of them would delete the object.
  const addresses = new Map<string, string>();
  let refusal: ApiError | undefined;
  const states = new Map<string, string | undefined>();
  const stateOfService = async (place: Scope & { readonly serviceId: string }) => {
    const { serviceId } = place;
    if (!states.has(serviceId)) states.set(serviceId, await failedServiceState(session, place));
    return states.get(serviceId);
  };
  const inOrder = typeNames.flatMap((type) => candidates.filter((object) => object.type === type));
  for (const object of inOrder) {
    const { type, id, address, serviceId } = object;
    const key = resourceKey(object, id);
    const skip = (why: string) => warnings.push(`${address}: skipped, because ${why}`);
    const serviceScope = isSingleton(resources[type]) ? { serviceId: id } : serviceId && { serviceId };
    const place = { ...scope, ...serviceScope };
    const ofService = type === "Service" ? id : isOfService(type, session) ? place.serviceId : undefined;
    const state = ofService && (await stateOfService({ ...scope, serviceId: ofService }));
    if (state) {
      skip(`service ${ofService} is ${state}`);
      continue;
    }
    const examined = addresses.has(key)
      ? `${addresses.get(key)} is the same object`
      : await examine(type, id, session, place).catch((error) => {
          if (!isAnswer(error)) throw error;
          refusal ??= error;
          return error.message;
        });
    if (typeof examined !== "object") skip(examined ?? `the service has no ${resources[type].noun} ${id}`);
    else if (type === "ApiKey" && isSigningKey(examined.state, session.settings.keyId)) skip(maySign);
    else {
      for (const each of await withLinks(examined, session)) objects.push({ ...object, ...each });
      addresses.set(key, address);
    }
  }
  // If nothing can be read, the key or the address is probably wrong, so the message "nothing to import" would mislead.
  if (refusal && objects.length === 0) throw refusal;
  return { objects, warnings };
}

const maySign = "it may be the key that signs the requests (same suffix), which no program should manage";

async function idsOf(
  type: TypeName,
  session: Session,
  scope: Scope,
  { warnings, notes, missing }: Discovery,
): Promise<readonly string[]> {
  const resource = resources[type];
  const context = contextOf(resource, scope, session);
  if (isSingleton(resource)) return [context.scope.serviceId as string];
  const { serviceId } = scope;
  if (type === "Service" && serviceId !== undefined) return [serviceId];
  const listing = await look(type, context);
  if (listing.doubt !== undefined) warnings.push(skipped(type, listing));
  if (listing.missing) missing.push(listing.missing);
  // A list may contain an object twice. It is imported once: with two resources, destroying either would delete the object.
  const all = [...new Map(listing.objects.map((object) => [object.id, object])).values()];
  const objects = all.filter((object) => {
    const state = failedState(resource, object);
    if (state !== undefined) warnings.push(`${type} ${object.id}: skipped, because it is ${state}`);
    return state === undefined;
  });
  const ids = objects.map(({ id }) => id as string);
  if (type !== "ApiKey") return ids;
  const signing = ids.filter((_, index) =>
    isSigningKey(objects[index] as PropertyMap, session.settings.keyId),
  );
  if (signing.length === 0)
    warnings.push("ApiKey: cannot tell which key signs the requests; never let a program delete that key");
  const [only, ...furtherKeys] = signing;
  if (only && furtherKeys.length === 0)
    notes.push(`ApiKey ${only} is left out: it signs the requests, and no program should manage it`);
  else for (const id of signing) warnings.push(`ApiKey ${id}: skipped, because ${maySign}`);
  return ids.filter((id) => !signing.includes(id));
}

/** The object as a program would declare it; undefined if it does not exist; or the reason why it is not imported. */
async function examine(
  type: TypeName,
  id: string,
  session: Session,
  scope: Scope,
): Promise<FoundObject | string | undefined> {
  const resource = resources[type];
  if (!isServed(resource, session)) return unserved(resource);
  const scopeOfType = pick({ ...scope }, neededScope(resource.scope, session));
  const first = await lookAt(resource, id, scopeOfType, session);
  if (typeof first === "string") return first === "gone" ? undefined : first;
  const failed = failedState(resource, first.state);
  if (failed !== undefined) return `it is ${failed}`;

  const declared = {
    ...scopeOfType,
    ...declarationOf(resource, declaredIn(resource, first.inputs), outputsIn(resource, first.state)),
  };
  if (resource.namedBy && declared[resource.namedBy] === undefined)
    return "it has no name; give it one in the service, then import it";
  const invalid = validate(resource.inputs, declared);
  // An existing object may break rules that apply only to new objects: a key, for example, may have expired. So the rules
  // between properties are checked as for an update.
  const failures = invalid.length > 0 ? invalid : ruleFailures(resource, declared, declared, session);
  if (failures.length > 0) {
    return `a program cannot declare it: ${withLabels(failures, declared).map(sentenceOf).join("; ")}`;
  }

  // The object is read again with its declared inputs: this gives the Pulumi state that every refresh will leave.
  const second = await lookAt(resource, id, { ...outputsIn(resource, first.state), ...declared }, session);
  if (typeof second === "string") return second === "gone" ? undefined : second;
  const [drifted] = differences(resource.inputs, declared, declaredIn(resource, second.inputs));
  if (drifted) return `${pathOf(drifted.keys)} would show as drift immediately`;
  tellLeftOut(resource, id, first.inputs, session);
  warnOfWhole(resource, session);
  return { type, id, declared, state: second.state };
}

/** An object with the links that its import leaves to a `SourceLinks`, as it does for sources that refer to each other. */
async function withLinks(object: FoundObject, session: Session): Promise<readonly FoundObject[]> {
  const { type, id, declared } = object;
  if (type !== "Source") return [object];
  const context = contextOf(resources.Source, declared, session);
  if ((await circularLinks(id, context)).length === 0) return [object];
  const links = await examine("SourceLinks", id, session, context.scope);
  return typeof links === "object" ? [object, links] : [object];
}

async function lookAt(resource: Resource, id: string, state: State, session: Session) {
  try {
    const answer = await resource.read(id, state, session);
    return answer === "unseen" ? "the service cannot read it" : clean(answer);
  } catch (error) {
    if (error instanceof MissingRoute) return `the service cannot read it: ${error.message}`;
    if (isSingleton(resource) && isRefused(error)) return `the service refuses to show it: ${error.message}`;
    throw error;
  }
}

/** Whether the API refuses a part of a service, as it does if the organization lacks the feature (403 or 400). */
function isRefused(error: unknown): error is RefusedRequest {
  if (!(error instanceof RefusedRequest) || error instanceof InvalidIdentifier) return false;
  return error.site.status === 400 || error.site.status === 403;
}
