import { type Static, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { serves } from "../operations";
import type { Organization, Service } from "../records";
import type { RouteContext } from "../routeContext";

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
export function serviceRoutes(
  { api, store, answers, vocabulary, envelope }: RouteContext,
  path: string,
): void {
  const show = ({ engineVersion, ...service }: Service) =>
    answers.show("service", { ...service, [vocabulary.engineVersion]: engineVersion });

  api.get(path, serves("getService"), async (request) => envelope(request, show(request.service)));

  api.patch(
    `${path}/scaling`,
    { ...serves("updateScaling"), schema: { body: ScalingBody } },
    async (request) => {
      const { minTotalMemoryGb: min, maxTotalMemoryGb: max } = request.body;
      const replicaMemory = {
        ...(min !== undefined && { minReplicaMemoryGb: min / replicasInTotal }),
        ...(max !== undefined && { maxReplicaMemoryGb: max / replicasInTotal }),
      };
      return envelope(request, scale(request.service, { ...request.body, ...replicaMemory }));
    },
  );

  api.patch(
    `${path}/replicaScaling`,
    { ...serves("updateReplicaScaling"), schema: { body: ReplicaScalingBody } },
    async (request) => {
      const { minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = request.body;
      const totalMemory = {
        ...(min !== undefined && { minTotalMemoryGb: min * replicasInTotal }),
        ...(max !== undefined && { maxTotalMemoryGb: max * replicasInTotal }),
      };
      return envelope(request, scale(request.service, { ...request.body, ...totalMemory }));
    },
  );

  function scale(service: Service, change: Static<typeof ScalingBody>): object {
    checkScaling({ ...service, ...change }, store.organization);
    const changed = Object.entries(change).filter(
      ([name, value]) => service[name as keyof Service] !== value,
    );
    const old = Object.fromEntries(changed.map(([name]) => [name, service[name as keyof Service]]));
    if (changed.length > 0) answers.scalingChanged(service.id, old);
    Object.assign(service, change);
    return show(service);
  }
}

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
