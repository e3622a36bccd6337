import { type Static, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { seededAt, seededCredentials } from "../credentials";
import type { Organization } from "../records";
import { type Call, type Route, type RouteContext, route } from "../routes";
import { ProductScalingBody, productScaling, productService } from "./productScaling";
import { members, type Resource } from "./resource";
import type { Service } from "./serviceRecords";

const dataWarehouseId = "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91";

function seededService(id: string, name: string, numReplicas: number, isPrimary: boolean): Service {
  const host = `${name}.eu-central-1.sandbox.example.com`;
  return {
    id,
    name,
    engineVersion: "25.6",
    endpoints: [
      { protocol: "https", host, port: 8443, username: "default" },
      { protocol: "nativesecure", host, port: 9440, username: "default" },
    ],
    minTotalMemoryGb: 24,
    maxTotalMemoryGb: 48,
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 16,
    numReplicas,
    idleScaling: true,
    idleTimeoutMinutes: 15,
    ipAccessList: [{ source: "0.0.0.0/0", description: "Anywhere" }],
    createdAt: seededAt,
    encryptionKey: `sandbox-only-encryption-key-${id.slice(-12)}`,
    encryptionAssumedRoleIdentifier: "arn:aws:iam::000000000000:role/sandbox-encryption",
    iamRole: "arn:aws:iam::000000000000:role/sandbox-service",
    privateEndpointIds: [],
    availablePrivateEndpointIds: ["vpce-0a1b2c3d4e5f60718"],
    dataWarehouseId,
    isPrimary,
    isReadonly: false,
    byocId: "",
    hasTransparentDataEncryption: true,
    transparentDataEncryptionKeyId: "d2f7a9c4-58e1-4b06-83ad-6c9e0f1b7a35",
    encryptionRoleId: "arn:aws:iam::000000000000:role/sandbox-key-access",
  };
}

const totalMemory = Type.Number({ minimum: 24, maximum: 1068, multipleOf: 12 });
const replicaMemory = Type.Number({ minimum: 8, maximum: 356, multipleOf: 4 });
const replicasAndIdling = {
  numReplicas: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  idleScaling: Type.Optional(Type.Boolean()),
  idleTimeoutMinutes: Type.Optional(Type.Number({ minimum: 5 })),
};

const ScalingBody = Type.Object(
  {
    minTotalMemoryGb: Type.Optional(totalMemory),
    maxTotalMemoryGb: Type.Optional(totalMemory),
    ...replicasAndIdling,
  },
  { additionalProperties: false },
);

const ReplicaScalingBody = Type.Object(
  {
    minReplicaMemoryGb: Type.Optional(replicaMemory),
    maxReplicaMemoryGb: Type.Optional(replicaMemory),
    ...replicasAndIdling,
  },
  { additionalProperties: false },
);

/** The total memory of a service is that of this many replicas, however many it has. */
const replicasInTotal = 3;

/** `GET` of a service, `PATCH` of its `scaling` and of `replicaScaling`. */
export const services = {
  place: "organization",
  operations: ["listServices", "getService", "updateScaling", "updateReplicaScaling"],
  path: () => "services",

  /** Two services of one warehouse: the first (2 to 20 replicas), and one created in it (1 to 20). */
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
    const one = "/:serviceId";
    const list: Route = {
      operation: "listServices",
      method: "GET",
      path: "",
      run: () => [...store.of(services).values()].map(show),
    };
    return [
      ...(isProduct ? [list] : []),
      { operation: "getService", method: "GET", path: one, run: (call) => show(of(call)) },
      route({
        operation: "updateScaling",
        method: "PATCH",
        path: `${one}/scaling`,
        body: ScalingBody,
        run(call) {
          const { minTotalMemoryGb: min, maxTotalMemoryGb: max } = call.body;
          const replicaMemory = {
            ...(min !== undefined && { minReplicaMemoryGb: min / replicasInTotal }),
            ...(max !== undefined && { maxReplicaMemoryGb: max / replicasInTotal }),
          };
          return scale(of(call as never), { ...call.body, ...replicaMemory });
        },
      }),
      route({
        operation: "updateReplicaScaling",
        method: "PATCH",
        path: `${one}/replicaScaling`,
        body: Type.Unsafe<Static<typeof ProductScalingBody>>(
          isProduct ? ProductScalingBody : ReplicaScalingBody,
        ),
        run(call) {
          const { minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = call.body;
          const service = of(call as never);
          const totalMemory = {
            ...(min !== undefined && { minTotalMemoryGb: min * replicasInTotal }),
            ...(max !== undefined && { maxTotalMemoryGb: max * replicasInTotal }),
          };
          const change = isProduct ? productScaling(service, call.body, store.organization) : call.body;
          return scale(service, { ...change, ...totalMemory });
        },
      }),
    ];
  },
} as const satisfies Resource;

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
