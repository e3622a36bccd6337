import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { enveloped, serviceId, useServer } from "../api/server";
import { sandboxedProgram } from "./sandboxedProgram";

/** A pipe with members that the sandbox does not show, as ClickHouse Cloud answers it. */
const pipe = {
  id: "1d7b4e92-c063-4f5a-9e28-b6a1d8f30c00",
  serviceId,
  name: "orders",
  state: "Snapshot",
  scaling: { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
  source: {
    kafka: { type: "msk", offset: { strategy: "from_timestamp", timestamp: "2026-01-31T12:00" } },
    postgres: { type: "neon", tableMappings: [{ sourceTable: "orders", partitionByExpr: "toYYYYMM(at)" }] },
    mysql: null,
  },
  destination: {
    database: "default",
    tableDefinition: { engine: { type: "ReplacingMergeTree", versionColumnId: null, columnIds: [] } },
  },
  settings: { streaming_max_insert_wait_ms: null, clickhouse_max_threads: 8 },
  ofTomorrow: { further: "member" },
};

describe("Functions with answers of ClickHouse Cloud", () => {
  const program = sandboxedProgram("clickhouse");
  const server = useServer();

  beforeEach(() => pulumi.runtime.setConfig("pipestack:baseUrl", server.current.url));

  const linesOf = (path: string) => {
    const { organizationId, serviceId } = program.sandbox.credentials;
    return [`GET /v1/organizations/${organizationId}/services/${serviceId}/${path}`];
  };

  it("getPipes reads sources unchanged, with typed members and with unknown ones", async () => {
    server.current.answer(enveloped([pipe]));
    const [read] = await pipestack.getPipes({ includeSecrets: true });
    const settings = { streaming_max_insert_wait_ms: null, engine_max_threads: 8 };
    expect(read).to.deep.equal({ ...pipe, settings });
    expect(server.current.lines).to.deep.equal(linesOf("clickpipes"));
    const { kafka, postgres } = read?.source ?? {};
    expect([kafka?.offset?.strategy, postgres?.tableMappings?.[0]?.partitionByExpr]).to.deep.equal([
      ...["from_timestamp", "toYYYYMM(at)"],
    ]);
  });
});
