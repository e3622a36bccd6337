import { uuid } from "../api/settings";
import { type TObject, type TOptional, type TProperties, type TString, Type } from "../typebox";
import type { Session } from "./session";

const place = { ...uuid, local: true, replaces: true };

/** The input that says which organization an object belongs to. */
export type OrganizationInput = {
  /** Organization (uuid). Default: the setting `organizationId`. */
  organizationId: TOptional<TString>;
};

/** The input that says which service an object belongs to. */
export type ServiceInput = {
  /** Service (uuid). Default: the setting `serviceId`. */
  serviceId: TOptional<TString>;
};

const organization: OrganizationInput = { organizationId: Type.Optional(Type.String(place)) };
const service: ServiceInput = { serviceId: Type.Optional(Type.String(place)) };

/**
 * Schema of the inputs of an object that belongs to an organization. Its type refers to a named one, since compiled
 * declarations lose the documentation of members that are spread from another file.
 */
export function inOrganization<Own extends TProperties>(own: Own): TObject<OrganizationInput & Own> {
  return Type.Object({ ...organization, ...own }, { additionalProperties: false });
}

/** Schema of the inputs of an object that belongs to a service. */
export function inService<Own extends TProperties>(
  own: Own,
): TObject<OrganizationInput & ServiceInput & Own> {
  return inOrganization({ ...service, ...own });
}

/** Inputs that say where an object is. */
export interface Scope {
  readonly organizationId?: string;
  readonly serviceId?: string;
}

/** What {@link observabilityScopeOf} returns. */
export type ObservabilityScope =
  | { readonly organizationId: string; readonly serviceId: string }
  | Record<string, never>;

/** Where an object is, by its inputs or else by the settings. */
export function scopeOf(placed: Scope, session: Session): { organizationId: string; serviceId: string } {
  return { organizationId: session.organizationOf(placed), serviceId: session.serviceOf(placed) };
}

/**
 * Where dashboards, alerts, sources and webhooks are, likewise. On the observability API alone that is nothing to say:
 * the access token belongs to one service, and a server that one hosts oneself has none.
 */
export function observabilityScopeOf(placed: Scope, session: Session): ObservabilityScope {
  return session.observabilityVia === "observability" ? {} : scopeOf(placed, session);
}

/** A place of {@link observabilityScopeOf} in a message. */
export function serviceName({ serviceId }: { readonly serviceId?: string }): string {
  return serviceId === undefined ? "the server" : `service ${serviceId}`;
}
