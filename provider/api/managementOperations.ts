import { Type } from "../values/schemaBuilders";
import {
  AnyObject,
  Identified,
  ListOfIdentified,
  type Operation,
  organizationPath as organization,
  servicePath as service,
} from "./operation";

const QueryEndpoint = Type.Object({
  openApiKeys: Type.Array(Type.Unknown()),
  roles: Type.Optional(Type.Array(Type.Unknown())),
});
const CreatedKey = Type.Object({
  key: Identified,
  keyId: Type.Optional(Type.String()),
  keySecret: Type.Optional(Type.String()),
});

/** The operations that the management API alone serves. */
export const managementOperations = {
  listPipes: {
    api: "management",
    method: "GET",
    path: `${service}/pipes`,
    response: ListOfIdentified,
    idempotent: true,
  },
  // The document shows neither its request nor its response, so nothing calls it.
  createPipe: {
    api: "management",
    method: "POST",
    path: `${service}/pipes`,
    idempotent: false,
  },
  getPipe: {
    api: "management",
    method: "GET",
    path: `${service}/pipes/{pipeId}`,
    response: Identified,
    object: "pipe",
    idempotent: true,
  },
  getPipeSettings: {
    api: "management",
    method: "GET",
    path: `${service}/pipes/{pipeId}/settings`,
    response: AnyObject,
    object: "pipe",
    idempotent: true,
  },
  listReversePrivateEndpoints: {
    api: "management",
    method: "GET",
    path: `${service}/pipesReversePrivateEndpoints`,
    response: ListOfIdentified,
    idempotent: true,
  },

  updateScaling: {
    api: "management",
    method: "PATCH",
    path: `${service}/scaling`,
    response: Identified,
    object: "service",
    idempotent: true,
  },
  // Newer than updateScaling, which does not have all of its members.
  updateReplicaScaling: {
    api: "management",
    method: "PATCH",
    path: `${service}/replicaScaling`,
    response: Identified,
    object: "service",
    idempotent: true,
  },
  listServices: {
    api: "management",
    method: "GET",
    path: `${organization}/services`,
    response: ListOfIdentified,
    idempotent: true,
  },
  getService: {
    api: "management",
    method: "GET",
    path: service,
    response: Identified,
    object: "service",
    idempotent: true,
  },

  createKey: {
    api: "management",
    method: "POST",
    path: `${organization}/keys`,
    response: CreatedKey,
    idempotent: false,
    secrets: ["hashData"],
  },
  listKeys: {
    api: "management",
    method: "GET",
    path: `${organization}/keys`,
    response: ListOfIdentified,
    idempotent: true,
  },
  getKey: {
    api: "management",
    method: "GET",
    path: `${organization}/keys/{id}`,
    response: Identified,
    object: "key",
    idempotent: true,
  },
  updateKey: {
    api: "management",
    method: "PATCH",
    path: `${organization}/keys/{id}`,
    response: Identified,
    object: "key",
    idempotent: true,
  },
  deleteKey: {
    api: "management",
    method: "DELETE",
    path: `${organization}/keys/{id}`,
    object: "key",
    idempotent: true,
  },
  // Servers with the vocabulary of the API document have none: keys name their roles there.
  listRoles: {
    api: "management",
    method: "GET",
    path: `${organization}/roles`,
    response: ListOfIdentified,
    idempotent: true,
  },

  putQueryEndpoint: {
    api: "management",
    method: "POST",
    path: `${service}/serviceQueryEndpoint`,
    response: QueryEndpoint,
    idempotent: true,
  },
  getQueryEndpoint: {
    api: "management",
    method: "GET",
    path: `${service}/serviceQueryEndpoint`,
    response: QueryEndpoint,
    object: "query endpoint",
    idempotent: true,
  },
  deleteQueryEndpoint: {
    api: "management",
    method: "DELETE",
    path: `${service}/serviceQueryEndpoint`,
    object: "query endpoint",
    idempotent: true,
  },
} as const satisfies Record<string, Operation>;
