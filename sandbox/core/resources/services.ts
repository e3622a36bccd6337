import { Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { seededCredentials } from "../credentials";
import { sha256Base64 } from "../identifiers";
import type { Organization } from "../records";
import { type Call, documentedRoute, type Route, type RouteContext, route } from "../routes";
import type { Dialect } from "../vocabulary";
import { databaseSettingsOf } from "./databaseSettings";
import { closed } from "./jsonSchema";
import { privateEndpointsOf } from "./privateEndpoints";
import {
  checkReplicas,
  ofSeeded,
  productScaling,
  productService,
  ReplicaScalingBody,
  replicasAndIdling,
} from "./productScaling";
import type { Resource } from "./resource";
import { type CreateBody, createdService, type PatchBody, patchedMembers } from "./serviceBodies";
import { type Service, seededService } from "./serviceRecords";
import { settingsOfService } from "./serviceSettings";
import { commanded, type StateCommand, terminated } from "./serviceStates";

const totalMemory = Type.Number({ minimum: 24, maximum: 1068, multipleOf: 12 });
const ScalingBody = closed(
  {},
  { minTotalMemoryGb: totalMemory, maxTotalMemoryGb: totalMemory, ...replicasAndIdling },
);

/**
 * The number of replicas for which ClickHouse Cloud states the total memory of a service, even if the service has another
 * number of replicas.
 */
const replicasInTotal = 3;

/**
 * The routes of services. The dialect `neutral` only has `GET` of a service, and `PATCH` of its `scaling` and `replicaScaling`.
 */
export const services = {
  place: "organization",
  operations: [
    ...(["listServices", "getService", "updateScaling", "updateReplicaScaling"] as const),
    ...(["createService", "updateService", "deleteService"] as const),
    ...(["updateServiceState", "updateServicePassword"] as const),
    ...(["getBackupConfiguration", "listBackups", "updateBackupConfiguration"] as const),
    ...(["getSnapshotConfiguration", "listSnapshots", "updateSnapshotConfiguration"] as const),
    ...(["getReplicaAwareRouting", "updateReplicaAwareRouting"] as const),
    ...(["getUpgradeWindow", "putUpgradeWindow", "deleteUpgradeWindow"] as const),
    ...(["getServiceSettings", "updateServiceSettings", "getServiceSettingsSchema"] as const),
    ...(["getServiceSetting", "deleteServiceSetting"] as const),
    ...(["createPrivateEndpoint", "getPrivateEndpointConfig"] as const),
  ],
  path: () => "services",

  /**
   * A new sandbox has two services in one warehouse: the first (2 to 50 replicas), and one that was created in its warehouse (1
   * to 50).
   */
  seed: (dialect: Dialect): Service[] =>
    [
      seededService(seededCredentials.serviceId, "warehouse", 3, true),
      seededService(seededCredentials.secondServiceId, "reporting", 1, false),
    ].map((service) => (dialect === "clickhouse" ? { ...service, ...ofSeeded, state: "running" } : service)),
  columns: ["engineVersion", "numReplicas", "ipAccessList", "tags"],

  routes(context: RouteContext): Route[] {
    const { store, answers, vocabulary } = context;
    const of = ({ service }: Call<never>) => store.of(services).get(service.id) as Service;
    const isProduct = vocabulary.dialect === "clickhouse";
    const show = (service: Service) => {
      const { engineVersion, ...members } = isProduct ? productService(service) : service;
      return answers.show("service", { ...members, [vocabulary.engineVersion]: engineVersion });
    };
    const scale = (service: Service, change: Partial<Service>) => {
      checkScaling({ ...service, ...change }, store.organization);
      const names = (Object.keys(change) as (keyof Service)[]).filter(
        (name) => service[name] !== change[name],
      );
      const old = Object.fromEntries(names.map((name) => [name, service[name]]));
      if (names.length > 0) answers.scalingChanged(service.id, old);
      store.write(services, { ...service, ...change });
      return show(service);
    };
    const servicePath = "/:serviceId";
    const primaryOf = (service: Service) =>
      [...store.of(services).values()].find(
        ({ isPrimary, dataWarehouseId }) => isPrimary && dataWarehouseId === service.dataWarehouseId,
      ) ?? service;
    const serviceOf = (call: Pick<Call, "service">) => of(call as Call<never>);
    const write = (service: Service) => store.write(services, service);
    const all = () => [...store.of(services).values()];
    const furtherRoutes = [
      ...settingsOfService(serviceOf, primaryOf, write),
      ...databaseSettingsOf(serviceOf, write, context.stateMilliseconds),
      ...privateEndpointsOf({ store, of: serviceOf, all, write }),
    ];
    const list: Route = {
      operation: "listServices",
      method: "GET",
      path: "",
      run: () => [...store.of(services).values()].map(show),
    };
    return [
      ...(isProduct ? [list, ...lifecycleOfService(context, show), ...furtherRoutes] : []),
      { operation: "getService", method: "GET", path: servicePath, run: (call) => show(of(call)) },
      route({
        operation: "updateScaling",
        method: "PATCH",
        path: `${servicePath}/scaling`,
        body: ScalingBody,
        run(call) {
          const { minTotalMemoryGb: min, maxTotalMemoryGb: max } = call.body;
          const ofReplicas = {
            ...(min !== undefined && { minReplicaMemoryGb: min / replicasInTotal }),
            ...(max !== undefined && { maxReplicaMemoryGb: max / replicasInTotal }),
          };
          return scale(of(call as never), { ...call.body, ...ofReplicas });
        },
      }),
      route({
        operation: "updateReplicaScaling",
        method: "PATCH",
        path: `${servicePath}/replicaScaling`,
        body: ReplicaScalingBody,
        run(call) {
          const { minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = call.body;
          const service = of(call as never);
          const ofAll = {
            ...(min !== undefined && { minTotalMemoryGb: min * replicasInTotal }),
            ...(max !== undefined && { maxTotalMemoryGb: max * replicasInTotal }),
          };
          const change = isProduct ? productScaling(service, call.body, store.organization) : call.body;
          return scale(service, { ...change, ...ofAll });
        },
      }),
    ];
  },
} as const satisfies Resource;

function lifecycleOfService(
  { store, ids, stateMilliseconds }: RouteContext,
  show: (service: Service) => object,
): readonly Route[] {
  const all = () => [...store.of(services).values()];
  const of = ({ service }: Pick<Call, "service">) => store.of(services).get(service.id) as Service;
  const path = "/:serviceId";
  return [
    documentedRoute<CreateBody>({
      operation: "createService",
      method: "POST",
      path: "",
      run({ body, now }) {
        const { organization } = store;
        const around = { services: all(), organization, ids, now, stateMilliseconds };
        const { service, password } = createdService(body, around);
        store.write(services, service);
        return { service: show(service), password };
      },
    }),
    documentedRoute<PatchBody>({
      operation: "updateService",
      method: "PATCH",
      path,
      run(call) {
        const service = of(call);
        const change = patchedMembers(service, call.body, store.organization);
        // The services of a warehouse share one release channel, so the update of one service changes all of them.
        const { releaseChannel } = change;
        const sharing = all().filter(({ dataWarehouseId }) => dataWarehouseId === service.dataWarehouseId);
        if (releaseChannel) for (const other of sharing) store.write(services, { ...other, releaseChannel });
        store.write(services, { ...service, ...change });
        return show(of(call));
      },
    }),
    documentedRoute<{ command: StateCommand }>({
      operation: "updateServiceState",
      method: "PATCH",
      path: `${path}/state`,
      run(call) {
        const service = of(call);
        // The response to a change of a service's state shows the state from before the change, as ClickHouse Cloud may do.
        const before = show(service);
        const { state, since, steps, ...members } = service;
        const next = commanded(service, call.body.command, call.now, stateMilliseconds);
        store.write(services, { ...members, ...next });
        return before;
      },
    }),
    documentedRoute<{ newPasswordHash?: string; newDoubleSha1Hash?: string }>({
      operation: "updateServicePassword",
      method: "PATCH",
      path: `${path}/password`,
      run(call) {
        const { newPasswordHash, newDoubleSha1Hash } = call.body;
        const password = newPasswordHash === undefined ? ids.keyPair().keySecret : undefined;
        const { passwordDoubleSha1, ...service } = of(call);
        store.write(services, {
          ...service,
          passwordHash: newPasswordHash ?? sha256Base64(password ?? ""),
          // ClickHouse Cloud ignores the password hash for MySQL's protocol if the request has no other password hash.
          ...(newPasswordHash !== undefined &&
            newDoubleSha1Hash && { passwordDoubleSha1: newDoubleSha1Hash }),
        });
        return password === undefined ? {} : { password };
      },
    }),
    {
      operation: "deleteService",
      method: "DELETE",
      path,
      run(call) {
        const { steps, ...service } = of(call);
        const others = all().filter(({ id }) => id !== service.id);
        store.write(services, { ...service, ...terminated(service, others, call.now, stateMilliseconds) });
      },
    },
  ];
}

function checkScaling(service: Service, organization: Organization): void {
  checkReplicas(service);
  if (service.minTotalMemoryGb > service.maxTotalMemoryGb) {
    throw badRequest("the minimum of the memory must not be above its maximum");
  }
  if (service.maxTotalMemoryGb > 360 && !organization.paid) {
    throw badRequest("maxTotalMemoryGb must be <= 360 for services that are not paid for");
  }
}
