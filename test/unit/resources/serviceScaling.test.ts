import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { secretsOf } from "../../../provider/lifecycle/definition";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { resources } from "../../../provider/resources/registry";
import { unknown } from "../../../provider/values/unknown";
import { enveloped, organizationId, place, serviceId, useServer } from "../api/server";
import { Declared } from "../drift/fixture";
import { sessionFor } from "../lifecycle/note";
import { sentBy, useProduct } from "./product";
import { clickhouse, itKeeps, type Rule, warningsOf } from "./rules";

const horizontal = {
  ...{ autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 5 },
  ...{ minReplicaMemoryGb: 32, maxReplicaMemoryGb: 32 },
};
const equalMemory = "minReplicaMemoryGb must be equal to maxReplicaMemoryGb for horizontal scaling";
const nothingToScale = "declare at least one of numReplicas, idleScaling, idleTimeoutMinutes";

const ofAService: readonly Rule[] = [
  [
    { onDestroy: "keep" },
    `${nothingToScale}, minReplicaMemoryGb, maxReplicaMemoryGb, autoscalingMode, minReplicas, maxReplicas`,
  ],
  [
    { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 12 },
    "minReplicaMemoryGb must be at most maxReplicaMemoryGb",
  ],
  [{ minReplicas: 2 }, "maxReplicas is missing: minReplicas needs it"],
  [{ maxReplicas: 2 }, "minReplicas is missing: maxReplicas needs it"],
  [{ minReplicas: 2, maxReplicas: 5 }, []],
  [{ minReplicas: 3, maxReplicas: 2 }, "minReplicas must be at most maxReplicas"],
  [
    { minReplicas: 3, maxReplicas: 3 },
    "minReplicas must be below maxReplicas; for a fixed number of replicas use numReplicas",
  ],
  [
    { numReplicas: 2, minReplicas: 2, maxReplicas: 3 },
    "numReplicas conflicts with minReplicas and maxReplicas; declare either numReplicas or these two",
  ],
  [{ autoscalingMode: "vertical" }, []],
  [
    { autoscalingMode: "vertical", minReplicas: 2, maxReplicas: 3 },
    'minReplicas does not apply when autoscalingMode is "vertical"; use numReplicas',
  ],
  [
    { autoscalingMode: "horizontal", numReplicas: 3 },
    "numReplicas does not apply to horizontal scaling; use minReplicas and maxReplicas",
  ],
  [
    { minReplicas: 2, maxReplicas: 3, maxTotalMemoryGb: 48 },
    "maxTotalMemoryGb does not apply to horizontal scaling; use minReplicaMemoryGb and maxReplicaMemoryGb",
  ],
  [horizontal, []],
  [{ ...horizontal, maxReplicas: 2 }, []],
  [{ ...horizontal, maxReplicaMemoryGb: 64 }, equalMemory],
  [{ autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 5, maxReplicaMemoryGb: 64 }, equalMemory],
  [{ autoscalingMode: unknown, numReplicas: 3 }, []],
  [{ ...horizontal, minReplicas: unknown, maxReplicaMemoryGb: unknown }, []],
];

const afterHorizontalScaling: readonly Rule[] = [
  [
    { autoscalingMode: "vertical" },
    "numReplicas is missing: to change to vertical scaling, declare numReplicas",
  ],
  [{ numReplicas: 3 }, 'autoscalingMode is missing: to change to vertical scaling, declare "vertical"'],
  [{ autoscalingMode: "vertical", numReplicas: 3 }, []],
  [{ autoscalingMode: unknown }, []],
  [{ autoscalingMode: "horizontal" }, []],
];

const afterVerticalScaling: readonly Rule[] = [
  [
    { autoscalingMode: "horizontal" },
    "minReplicas is missing: to change to horizontal scaling, declare minReplicas and maxReplicas",
  ],
];

describe("The check of a ServiceScaling", () => {
  const settings = clickhouse;
  const valid = {};
  itKeeps({ type: "ServiceScaling", valid }, [
    [{ onDestroy: "keep" }, `${nothingToScale}, minTotalMemoryGb, maxTotalMemoryGb`],
    [{ minTotalMemoryGb: 60, maxTotalMemoryGb: 48 }, "minTotalMemoryGb must be at most maxTotalMemoryGb"],
  ]);
  itKeeps({ type: "ServiceScaling", valid, settings }, ofAService);
  itKeeps({ type: "ServiceScaling", valid, settings, before: horizontal }, afterHorizontalScaling);
  itKeeps({ type: "ServiceScaling", valid, settings, before: { numReplicas: 3 } }, afterVerticalScaling);

  it("the check of a ServiceScaling names the property that replaces each total memory", () => {
    const deprecated =
      "is deprecated: it is inaccurate for services with a number of replicas other than the default; use";
    for (const end of ["min", "max"]) {
      const program = { [`${end}TotalMemoryGb`]: 24 };
      const warning = `ServiceScaling: ${end}TotalMemoryGb ${deprecated}`;
      expect(warningsOf("ServiceScaling", program)).to.deep.equal([`${warning} numReplicas instead`]);
      expect(warningsOf("ServiceScaling", program, clickhouse)).to.deep.equal([
        `${warning} ${end}ReplicaMemoryGb instead`,
      ]);
      expect(warningsOf("ServiceScaling", { ...program, numReplicas: 0 })).to.deep.equal([]);
    }
  });
});

describe("ServiceScaling in the dialect clickhouse", () => {
  const product = useProduct();
  const sent = () => sentBy(product, "PATCH");
  const service = () => product.sandbox.store.services.get(product.sandbox.credentials.serviceId) ?? {};

  it("only a ServiceScaling with both a total memory and a memory of each replica sends two requests", async () => {
    const programs = [
      { numReplicas: 6, maxTotalMemoryGb: 60 },
      { numReplicas: 5, minTotalMemoryGb: 36, maxReplicaMemoryGb: 24 },
    ];
    for (const program of programs) await new Declared("ServiceScaling", program).up(product.session);
    expect(sent()).to.deep.equal([
      ["scaling", { numReplicas: 6, maxTotalMemoryGb: 60 }],
      ["scaling", { minTotalMemoryGb: 36 }],
      ["replicaScaling", { numReplicas: 5, maxReplicaMemoryGb: 24 }],
    ]);
  });

  it("the preview refuses one replica for a service that the state knows as the first of its warehouse", async () => {
    const { ServiceScaling } = resources;
    const { session } = product;
    const { serviceId } = product.sandbox.credentials;
    const diff = (isPrimary: boolean, numReplicas: number) =>
      ServiceScaling.diff(
        serviceId,
        { serviceId, numReplicas: 3, isPrimary },
        { serviceId, numReplicas },
        session,
      );
    const failure = await diff(true, 1).catch(({ message }: Error) => message);
    expect(failure).to.equal(
      `scaling of service ${serviceId} cannot change so: numReplicas must be at least 2 for the primary service of a warehouse`,
    );
    expect(await diff(false, 1)).to.have.length(1);
    expect(await diff(true, 2)).to.have.length(1);
  });

  it("the message about a refused scaling adds the limits that the service's refusal does not name", async () => {
    const refusal = { kind: "400", operation: "updateReplicaScaling", nth: 1 } as const;
    await product.sandbox.faults.set([refusal]);
    const scaling = new Declared("ServiceScaling", { numReplicas: 1, maxReplicaMemoryGb: 124 });
    const failure = await scaling.up(product.session).catch(({ message }: Error) => message);
    expect(failure).to.include(
      "; the primary service of a warehouse has at least 2 replicas, and a service that is not paid for takes a maxReplicaMemoryGb of at most 120 (",
    );
  });

  it("an update of a ServiceScaling waits until the service shows the new scaling", async () => {
    product.sandbox.rewrites.add("laggingScaling");
    const declared = new Declared("ServiceScaling", { minReplicaMemoryGb: 16 });
    await declared.up(product.session);
    expect(sent()).to.deep.equal([["replicaScaling", { minReplicaMemoryGb: 16 }]]);
    expect(declared.state.minReplicaMemoryGb).to.equal(16);
  });

  it("destroying a ServiceScaling keeps the scaling if the service never showed the earlier values", async () => {
    const { idleTimeoutMinutes } = service() as { idleTimeoutMinutes?: number };
    Object.assign(service(), { idleTimeoutMinutes: undefined });
    const declared = new Declared("ServiceScaling", { idleTimeoutMinutes: 30, onDestroy: "restore" });
    await declared.up(product.session);
    await declared.delete(product.session);
    expect(sent()).to.deep.equal([["replicaScaling", { idleTimeoutMinutes: 30 }]]);
    expect(product.warnings.join()).to.include("keeps its scaling; its previous values are unknown");
    Object.assign(service(), { idleTimeoutMinutes });
  });

  it("destroying a ServiceScaling restores as a number a memory that the service shows as text", async () => {
    product.sandbox.rewrites.add("numbersAsStrings");
    Object.assign(service(), { maxReplicaMemoryGb: 24 });
    const declared = new Declared("ServiceScaling", { maxReplicaMemoryGb: 32, onDestroy: "restore" });
    await declared.up(product.session);
    await declared.delete(product.session);
    expect(service()).to.include({ maxReplicaMemoryGb: 24 });
  });
});

const services = `/v1/organizations/${organizationId}/services`;
const resource = resources.ServiceScaling;

const vertical = {
  id: serviceId,
  name: "warehouse",
  clickhouseVersion: "25.8",
  provider: "aws",
  region: "eu-central-1",
  state: "idle",
  autoscalingMode: "vertical",
  numReplicas: 3,
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 16,
  idleScaling: true,
  tags: [{ key: "team", value: "data" }, { key: "billed" }],
  currentScaling: { effectiveAutoscalingMode: "vertical", effectiveMinReplicas: 5 },
  encryptionKey: "an-encryption-key",
};
const program = { ...place, numReplicas: 3, idleScaling: true };

describe("The outputs and restored values of a ServiceScaling", () => {
  const server = useServer();
  const sessionWith = (settings: Partial<Settings> = {}) =>
    sessionFor(
      { maxRetries: 0, dialect: "clickhouse", requestsPerSecond: 1000, ...settings },
      server.current.url,
    ).session;

  it("a ServiceScaling outputs further properties of its service, with the encryption key as a secret", async () => {
    server.current.answer(enveloped([vertical]));
    const found = await resource.read(serviceId, program, sessionWith());
    const { clickhouseVersion, ...members } = vertical;
    const { id, ...shown } = { ...members, engineVersion: clickhouseVersion };
    expect(found).to.have.property("state").that.deep.includes(shown);
    expect(secretsOf(resource)).to.deep.equal(["encryptionKey"]);
  });

  const horizontal = {
    autoscalingMode: "horizontal",
    minReplicas: 2,
    maxReplicas: 5,
    minReplicaMemoryGb: 32,
    maxReplicaMemoryGb: 32,
  };

  it("onDestroy restore brings back the earlier mode of a ServiceScaling with its number of replicas", async () => {
    const session = sessionWith();
    const { numReplicas, currentScaling, ...rest } = vertical;
    const scaled = enveloped({ ...rest, ...horizontal, replicaMemoryGb: 32 });
    server.current.answer(enveloped(vertical), scaled);
    const { id, state } = await resource.create({ ...place, ...horizontal, onDestroy: "restore" }, session);
    expect(state).to.include({ ...horizontal, replicaMemoryGb: 32 });
    server.current.answer(scaled, enveloped(vertical));
    await deleteUnlessDeclared(resource, id, state, session, false);
    expect(
      server.current.requests.map(({ method, path, body }) => [method, path.replace(services, "…"), body]),
    ).to.deep.equal([
      ["GET", `…/${serviceId}`, undefined],
      ["PATCH", `…/${serviceId}/replicaScaling`, horizontal],
      ["GET", `…/${serviceId}`, undefined],
      [
        "PATCH",
        `…/${serviceId}/replicaScaling`,
        { autoscalingMode: "vertical", numReplicas: 3, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16 },
      ],
    ]);
  });
});
