import { Type } from "@sinclair/typebox";
import type { Session } from "../lifecycle/session";

/** What the identifiers of organizations, services and pipes look like. */
export const uuid = {
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  rule: "a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11",
};

const place = { ...uuid, local: true, replaces: true };

/** The organization that an object belongs to. */
export const inOrganization = {
  /** Organization (uuid). Default: the setting `organizationId`. A change replaces the resource. */
  organizationId: Type.Optional(Type.String(place)),
};

/** The service that an object belongs to. */
export const inService = {
  ...inOrganization,
  /** Service (uuid). Default: the setting `serviceId`. A change replaces the resource. */
  serviceId: Type.Optional(Type.String(place)),
};

/** Inputs that say where an object is. */
export interface Placement {
  readonly organizationId?: string;
  readonly serviceId?: string;
}

/** Where an object is, by its inputs or else by the settings. */
export function placeOf(placed: Placement, session: Session): { organizationId: string; serviceId: string } {
  return { organizationId: session.organizationOf(placed), serviceId: session.serviceOf(placed) };
}
