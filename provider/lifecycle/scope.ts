import { dialects } from "../api/dialect";
import { SettingsError } from "../api/errors";
import type { PathParameters } from "../api/operations";
import { missingSettings, requireSetting } from "../api/settings";
import { uuid } from "../api/settingsSchema";
import { type TObject, type TOptional, type TProperties, type TString, Type } from "../values/schemaBuilders";
import type { Session } from "./session";

/**
 * The owner of a type's objects. `observability` is the HyperDX product of a service: the observability API alone can serve its
 * objects, since its access token names the service, and a self-hosted server has no services.
 */
export type ScopeKind = "organization" | "service" | "observability";

export type ScopeName = "organizationId" | "serviceId";

/** Ids of the organization and the service that an object belongs to, if any. */
export type Scope = { readonly [name in ScopeName]?: string };

/** What a step of a resource needs to call the API: the ids of the object's owners, and the session. */
export interface Context {
  readonly session: Session;
  /** Path parameters of a request that name the organization and the service. */
  readonly scope: Scope;
}

const scopeId = { ...uuid, sent: "never", replaces: "declared" };

const adopting = { sent: "never", replaces: "declared" } as const;

/** Schema of the input with which a resource takes over the existing object that it names, in place of creating one. */
export const adoptable = Type.Optional(Type.String({ minLength: 1, ...adopting }));

/** As {@link adoptable}, for objects whose ids are uuids. */
export const adoptableByUuid = Type.Optional(Type.String({ ...uuid, ...adopting }));

/** The input that names the organization that an object belongs to. */
export type OrganizationInput = {
  /** Id of the organization (uuid). Default: the setting `organizationId`. */
  organizationId: TOptional<TString>;
};

/** The input that names the service that an object belongs to. */
export type ServiceInput = {
  /** Id of the service (uuid). Default: the setting `serviceId`. */
  serviceId: TOptional<TString>;
};

const organization: OrganizationInput = { organizationId: Type.Optional(Type.String(scopeId)) };
const service: ServiceInput = { serviceId: Type.Optional(Type.String(scopeId)) };

/**
 * Schema of the inputs of an organization's object. The type names `OrganizationInput`, since compiled declarations lose the
 * documentation of properties that are spread from another file.
 */
export function inOrganization<Members extends TProperties>(
  members: Members,
): TObject<OrganizationInput & Members> {
  return Type.Object({ ...organization, ...members }, { additionalProperties: false });
}

/** Schema of the inputs of an object that belongs to a service. */
export function inService<Members extends TProperties>(
  members: Members,
): TObject<OrganizationInput & ServiceInput & Members> {
  return inOrganization({ ...service, ...members });
}

/** The names of the inputs that name an object's organization and service. */
export function scopeNames(kind: ScopeKind): readonly ScopeName[] {
  return kind === "organization" ? ["organizationId"] : ["organizationId", "serviceId"];
}

/** The same, as far as requests need them: on a server without services, inputs name neither. */
export function neededScope(kind: ScopeKind, session: Session): readonly ScopeName[] {
  return isWithoutScope(kind, session) ? [] : scopeNames(kind);
}

/**
 * The organization or service from the settings, where inputs name none; undefined if no request needs it.
 * @throws SettingsError if the setting is missing and a request needs it
 */
export function defaultScope(kind: ScopeKind, name: ScopeName, session: Session): string | undefined {
  return isWithoutScope(kind, session) ? undefined : requireSetting(session.settings, name);
}

/** The organization and service of an object as path parameters of its requests, from its inputs or else from the settings. */
export function scopeOf(kind: ScopeKind, inputs: Scope, session: Session): Scope {
  const ids = neededScope(kind, session).map(
    (name) => [name, inputs[name] ?? session.settings[name]] as const,
  );
  const missing = ids.flatMap(([name, id]) => (id === undefined ? [name] : []));
  if (missing.length > 0) throw new SettingsError(missingSettings(missing));
  return Object.fromEntries(ids);
}

/** What a step of a resource needs to call the API: the object's organization and service, and the session. */
export function contextOf(
  resource: { readonly scope: ScopeKind },
  inputs: object,
  session: Session,
): Context {
  return { session, scope: scopeOf(resource.scope, inputs as Scope, session) };
}

/** Whether the access token of the observability API already names the ClickHouse service, so that inputs need not name it. */
export function isWithoutScope(kind: ScopeKind, { observabilityVia }: Session): boolean {
  return kind === "observability" && observabilityVia === "observability";
}

/**
 * The error about an object that the settings' API does not show, in place of the statement that it is gone: the object was made on
 * another system, and may still be there. Undefined if nothing in its Pulumi state suggests that.
 */
export function elsewhere(
  { scope, noun, outputs }: { readonly scope: ScopeKind; readonly noun: string; readonly outputs: TObject },
  id: string,
  { serviceId, url }: { readonly [name: string]: unknown },
  session: Session,
): Error | undefined {
  const { pages } = dialects[session.settings.dialect];
  // Without a cloud, both APIs are those of one service.
  if (scope !== "observability" || !pages) return undefined;
  const isOnServer = isWithoutScope(scope, session);
  const isDoubtful = isOnServer
    ? "url" in outputs.properties && String(url).includes(`?${pages.service}=`)
    : serviceId === undefined;
  if (!isDoubtful) return undefined;
  const [place, shown, other] = isOnServer
    ? ["in a service of ClickHouse Cloud", "observability", "management"]
    : ["on a server without services", "management", "observability"];
  return new Error(
    `${noun} ${id} was made ${place}, and the ${shown} API does not show it; if it is still there, set observabilityVia to ${other}, else run "pulumi state delete"`,
  );
}

/** Describes an organization and service in a message: `service 7b0f…`. */
export function describeScope({ organizationId, serviceId }: Scope): string {
  if (serviceId !== undefined) return `service ${serviceId}`;
  return organizationId === undefined ? "the server" : `organization ${organizationId}`;
}

/**
 * The path parameters that name an object. An object that belongs to no service may be a service itself, so its id is the
 * parameter `serviceId`, too.
 */
export function namesOf(id: string, { serviceId = id }: Scope): PathParameters {
  return { id, serviceId };
}
