import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { makePipesByHand, pipeSecrets } from "../../pipesByHand";
import { expectNoLeaks } from "../../secrets";
import { runImport } from "./import/importRun";
import { useServiceFixture } from "./serviceFixture";

const usual = { maxRetries: "0" };

describe("Pipes in the commands of pipestack", () => {
  const fixture = useServiceFixture({ dialect: "clickhouse", stateMilliseconds: 1 });
  const run = (...args: string[]) => fixture.pipestack(args, usual);
  const makeAll = () => makePipesByHand(fixture.sandbox);

  describe("The import of pipes and their endpoint", () => {
    let made: Awaited<ReturnType<typeof makeAll>>;
    let imported: Awaited<ReturnType<typeof runImport>>;

    beforeEach(async () => {
      made = await makeAll();
      imported = await runImport(fixture, ["--only", "Pipe,ReversePrivateEndpoint"], usual);
      expect([imported.code, imported.resources.length], imported.stderr).to.deep.equal([0, 4]);
    });

    it("pipestack import declares pipes that refer to their endpoint without its id", () => {
      const { program } = imported;
      expect(program)
        .to.include("reversePrivateEndpointIds: [reversePrivateEndpoint.id]")
        .and.include('url: "https://registry.example.com"')
        .and.include('vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-1"')
        .and.include('sourceTable: "orders"')
        .and.include('iamRole: "arn:aws:iam::111122223333:role/files"')
        .and.include('type: "MergeTree"');
      for (const id of [made.endpointId, ...made.pipeIds]) expect(program).to.not.include(id);
    });

    it("pipestack import prints and writes no secret of a pipe", () => {
      const { program, resources, stdout, stderr } = imported;
      expectNoLeaks(pipeSecrets, { program, resources: JSON.stringify(resources), stdout, stderr });
    });
  });

  describe("Pipes of the console in pipestack orphans", () => {
    const orphans = async (...args: string[]) => {
      const state = join(fixture.folder, "state.json");
      await writeFile(state, JSON.stringify({ version: 3, deployment: { manifest: {}, resources: [] } }));
      const { stdout } = await run("orphans", "--state", state, "--json", ...args);
      return JSON.parse(stdout).orphans as { type: string; id: string; name: string; kept: string | null }[];
    };

    it("pipestack orphans lists pipes of the console only if --only names them", async () => {
      await makeAll();
      const usually = await orphans();
      expect(usually.filter(({ type }) => /^(Pipe|ReversePrivateEndpoint)$/.test(type))).to.deep.equal([]);
      const asked = await orphans("--only", "Pipe");
      expect(asked.map(({ name }) => name)).to.have.members(["orders", "files", "shop"]);
    });

    it("pipestack orphans says which pipe uses an endpoint", async () => {
      const { endpointId, pipeIds } = await makeAll();
      const [held] = await orphans("--only", "ReversePrivateEndpoint");
      expect(held).to.deep.include({ id: endpointId, kept: `pipe ${pipeIds[0]} uses it and stays` });
    });
  });
});
