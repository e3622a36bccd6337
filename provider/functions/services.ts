import type { Service } from "../api/answers.golden";
import { enums } from "../api/enums.golden";
import type { Reading } from "../lifecycle/lists";
import { aboutObject } from "../lifecycle/observe";
import { inOrganization, inService, scopeOf } from "../lifecycle/scope";
import { serviceScalingOutputs } from "../resources/scaling/serviceMembers";
import { serviceScalingInputs } from "../resources/serviceScaling/serviceScaling";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import { type Answered, answeredObject } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { onlyOne } from "./listing";

const state = openSetOf(enums.serviceState);

const ownMembers = Type.Object({
  /** Id of the service (uuid), for the `serviceId` of resources and functions. */
  id: Type.String(),
  /** State of the service; `running` or `idle` when it can be used. */
  state: Type.Optional(state),
  /** Key that encrypts the service's storage. Secret; present only with `includeSecrets: true`. */
  encryptionKey: Type.Optional(Type.String()),
});

/**
 * A service of ClickHouse Cloud.
 * @see "Service (result of the scaling update)" in the API document
 */
export interface ServiceSummary
  extends ResultOf<typeof ownMembers>,
    Answered<typeof serviceScalingInputs, "onDestroy">,
    Answered<typeof serviceScalingOutputs, "state" | "encryptionKey"> {}

const serviceSchema = answeredObject<ServiceSummary>(ownMembers, serviceScalingInputs, serviceScalingOutputs);

const secrets = {
  /** Whether to include the `encryptionKey`. Default: false. If true, the `…Output` form returns a secret. */
  includeSecrets: Type.Optional(Type.Boolean()),
};

const servicesArguments = inOrganization({
  /** Exact name of the services to return. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Exact state of the services to return. */
  state: Type.Optional(state),
  ...secrets,
});

const serviceArguments = inService({
  /** Exact name of the service; with it, `serviceId` has no default. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  ...secrets,
});

/**
 * The services of an organization that the key may see: addresses, state, version, scaling and the rest. Without
 * `includeSecrets`, their `encryptionKey` is left out.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const idle = pipestack.getServices({ state: "idle" }).then((services) => services.map(({ name }) => name));
 * ```
 * @see "Service" in the API document
 */
export const getServices: FunctionDefinition<typeof servicesArguments, TArray<typeof serviceSchema>> = {
  name: "getServices",
  arguments: servicesArguments,
  result: Type.Array(serviceSchema),
  async run(args, session) {
    const services = await session.lists.read("listServices", scopeOf("organization", args, session));
    return services
      .filter(({ name, state }) => (args.name ?? name) === name && (args.state ?? state) === state)
      .map((service) => summaryOf(service, args.includeSecrets));
  },
};

/**
 * One service: the one with the id `serviceId` (by default that of the settings), or the only one with a name. Without
 * `includeSecrets`, its `encryptionKey` is left out.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no answer arrives, or there
 * is not exactly one such service
 * @example
 * ```typescript
 * const service = pipestack.getService();
 * export const host = service.then(({ endpoints }) => endpoints?.find(({ protocol }) => protocol === "https")?.host);
 * ```
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * new pipestack.ServiceScaling("reporting", { serviceId: reporting.id, numReplicas: 3 });
 * ```
 * @see "Service" in the API document
 */
export const getService: FunctionDefinition<typeof serviceArguments, typeof serviceSchema> = {
  name: "getService",
  arguments: serviceArguments,
  result: serviceSchema,
  async run(args, session) {
    const { name, serviceId: id, includeSecrets } = args;
    if (name !== undefined) {
      const scope = scopeOf("organization", args, session);
      const services = (reading: Reading) => session.lists.read("listServices", scope, reading);
      const service = await onlyOne<Service>(services, "service", { name, id }, "organization");
      return summaryOf(service, includeSecrets);
    }
    const scope = scopeOf("service", args, session);
    const answer = await session.call("getService", scope);
    return summaryOf(aboutObject(answer, "getService", scope.serviceId as string, session), includeSecrets);
  },
};

function summaryOf(service: Service, includeSecrets: boolean | undefined): ServiceSummary {
  const { encryptionKey, ...open } = service;
  return (includeSecrets ? service : open) as ServiceSummary;
}

/** Arguments of {@link getServices}. */
export interface GetServicesArgs extends Static<typeof servicesArguments> {}
/** Arguments of {@link getService}. */
export interface GetServiceArgs extends Static<typeof serviceArguments> {}
