import { Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { seededCredentials } from "../credentials";
import type { Organization } from "../records";
import { type Call, type Route, type RouteContext, route } from "../routes";
import { closed } from "./jsonSchema";
import { productScaling, productService, ReplicaScalingBody, replicasAndIdling } from "./productScaling";
import { members, type Resource } from "./resource";
import { type Service, seededService } from "./serviceRecords";

const totalMemory = Type.Number({ minimum: 24, maximum: 1068, multipleOf: 12 });
const ScalingBody = closed(
  {},
  { minTotalMemoryGb: totalMemory, maxTotalMemoryGb: totalMemory, ...replicasAndIdling },
);

/** The total memory of a service is that of this many replicas, however many it has. */
const replicasInTotal = 3;

/** `GET` of a service, `PATCH` of its `scaling` and of `replicaScaling`. */
export const services = {
  place: "organization",
  operations: [
    ...(["listServices", "getService", "updateScaling", "updateReplicaScaling"] as const),
    ...(["getBackupConfiguration", "getPrivateEndpointConfig"] as const),
  ],
  path: () => "services",

  /** Two services of one warehouse: the first (2 to 50 replicas), and one created in it (1 to 50). */
  seed: (): Service[] => [
    seededService(seededCredentials.serviceId, "warehouse", 3, true),
    seededService(seededCredentials.secondServiceId, "reporting", 1, false),
  ],
  onConsole: members<Service>()(
    ...(["id", "name", "engineVersion", "isPrimary", "endpoints", "numReplicas"] as const),
    ...(["minReplicaMemoryGb", "maxReplicaMemoryGb", "idleScaling", "idleTimeoutMinutes"] as const),
  ),

  routes({ store, answers, vocabulary }: RouteContext): Route[] {
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
    const list: Route = {
      operation: "listServices",
      method: "GET",
      path: "",
      run: () => [...store.of(services).values()].map(show),
    };
    return [
      ...(isProduct ? [list, ...settingsOfService] : []),
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

/** What the product shows of a service, and the sandbox does not change. */
const settingsOfService: readonly Route[] = [
  {
    operation: "getBackupConfiguration",
    method: "GET",
    path: "/:serviceId/backupConfiguration",
    run: () => ({ backupPeriodInHours: 24, backupRetentionPeriodInHours: 24 }),
  },
  {
    operation: "getPrivateEndpointConfig",
    method: "GET",
    path: "/:serviceId/privateEndpointConfig",
    run: ({ service }) => ({
      endpointServiceId: "com.amazonaws.vpce.eu-central-1.vpce-svc-0f1e2d3c4b5a69788",
      privateDnsHostname: `${service.id.slice(0, 8)}.eu-central-1.vpce.aws.example.com`,
    }),
  },
];

function checkScaling(service: Service, organization: Organization): void {
  if (service.isPrimary && service.numReplicas < 2) {
    throw badRequest("numReplicas must be >= 2 for the first service in a warehouse");
  }
  if (service.minTotalMemoryGb > service.maxTotalMemoryGb) {
    throw badRequest("the minimum of the memory must not be above its maximum");
  }
  if (service.maxTotalMemoryGb > 360 && !organization.paid) {
    throw badRequest("maxTotalMemoryGb must be <= 360 for services that are not paid for");
  }
}
