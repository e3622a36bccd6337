import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { secretsOf } from "../../../provider/lifecycle/resource";
import { resources } from "../../../provider/resources/registry";
import { enveloped, organizationId, place, serviceId, useServer } from "../api/server";
import { sessionFor } from "../lifecycle/note";

const services = `/v1/organizations/${organizationId}/services`;
const resource = resources.ServiceScaling;

/** A service as ClickHouse Cloud answers it. */
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

describe("The scaling of a service", () => {
  const server = useServer();
  const sessionWith = (settings: Partial<Settings> = {}) =>
    sessionFor(
      { maxRetries: 0, dialect: "clickhouse", requestsPerSecond: 1000, ...settings },
      server.current.url,
    ).session;

  it("shows further members of the service as outputs, with the encryption key as a secret", async () => {
    server.current.answer(enveloped([vertical]));
    const found = await resource.read(serviceId, program, sessionWith());
    const { clickhouseVersion, ...members } = vertical;
    const { id, ...shown } = { ...members, engineVersion: clickhouseVersion };
    expect(found).to.have.property("state").that.deep.includes(shown);
    expect(secretsOf(resource)).to.deep.equal(["encryptionKey"]);
  });

  it("finds no drift if a schedule scales the service or its state changes", async () => {
    const session = sessionWith();
    server.current.answer(enveloped(vertical), enveloped(vertical));
    const { state } = await resource.create(program, session);
    const currentScaling = { effectiveAutoscalingMode: "horizontal", effectiveMinReplicas: 7 };
    server.current.answer(enveloped([{ ...vertical, state: "running", currentScaling }]));
    const found = await resource.read(serviceId, state, session);
    expect(found).to.have.property("inputs").that.deep.equals(program);
    expect(found).to.have.property("state").that.deep.includes({ state: "running", currentScaling });
  });

  const horizontal = {
    autoscalingMode: "horizontal",
    minReplicas: 2,
    maxReplicas: 5,
    minReplicaMemoryGb: 32,
    maxReplicaMemoryGb: 32,
  };

  it("restores the earlier mode together with the number of replicas, which nobody declared", async () => {
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
