import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { asked, known, sandboxedProgram } from "./sandboxedProgram";

const reports = { id: "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11", name: "Reports", type: "custom" };

describe("the roles of ClickHouse Cloud", () => {
  const program = sandboxedProgram("clickhouse");

  it("are read by one request, system and custom ones", async () => {
    const all = await pipestack.getRoles();
    expect(all.map(({ name, type }) => `${name} (${type})`)).to.deep.equal([
      ...["admin (system)", "developer (system)", "query_endpoints (system)"],
      ...["Dashboards (custom)", "Reports (custom)", "Ingestion (custom)"],
    ]);
    expect(await known(pipestack.getRolesOutput())).to.deep.equal(all);
    expect(await pipestack.getRole({ name: "Reports" })).to.include(reports);
    expect(await known(pipestack.getRoleOutput({ name: pulumi.output("Reports") }))).to.include(reports);
    expect(asked(program.sandbox)).to.deep.equal(["GET roles"]);
  });

  const failureOf = (name: string) => pipestack.getRole({ name }).catch(({ message }: Error) => message);

  it("are named if none has the name", async () => {
    expect(await failureOf("reports")).to.equal(
      'pipestack.getRole: the organization has no role named "reports"; it has "admin", "developer", "query_endpoints", "Dashboards", "Reports", "Ingestion"',
    );
  });

  it("are told apart by their ids if several have the name", async () => {
    const { roles } = program.sandbox.store;
    const id = "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b13";
    roles.set(id, { id, name: "Reports", type: "custom" });
    expect(await failureOf("Reports")).to.equal(
      `pipestack.getRole: the organization has 2 roles named "Reports": "Reports" (${reports.id}), "Reports" (${id}); use the id of the one that is meant`,
    );
  });
});

describe("the roles of a server of the API document", () => {
  const program = sandboxedProgram();

  it("are refused without a request", async () => {
    for (const call of [pipestack.getRoles(), pipestack.getRole({ name: "Reports" })]) {
      const { message } = (await call.catch((error: Error) => error)) as Error;
      expect(message).to.match(
        /^pipestack\.getRoles?: roles have ids in ClickHouse Cloud alone; it needs the setting dialect to be clickhouse$/,
      );
    }
    expect(program.sandbox.requests).to.deep.equal([]);
  });
});
