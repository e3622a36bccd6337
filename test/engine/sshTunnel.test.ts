import { expect } from "chai";
import { settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { useFixture } from "./fixture";

const programWith = (host: string, name = "bastion") => `
const bastion = new SshTunnel("bastion", { host: "${host}", name: "${name}", username: "clickpipes" });
class Authorized extends require("@pulumi/pulumi").ComponentResource {
  constructor(name, line) {
    super("test:index:Authorized", name);
    this.registerOutputs({ line });
  }
}
const key = new Authorized("key", bastion.publicKey);
new Pipe("orders", {
  source: { postgres: {
    host: "10.0.0.5", port: 5432, database: "shop", sshKeyResourceId: bastion.id,
    settings: { replicationMode: "cdc_only" },
    tableMappings: [{ sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" }],
  } },
  credentials: { username: "reader", password: "a password of the reader" },
  destination: { database: "default" },
  allowReplacement: true,
}, { dependsOn: key });
exports.publicKey = bastion.publicKey;
`;

for (const host of selected(["dynamic", "plugin"] as const, 2, 1))
  describe(`An SSH tunnel and a pipe through it, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox: { dialect: "clickhouse", stateMilliseconds: 300 } });
    const tunnels = () => [...fixture.sandbox.store.sshTunnels.values()].slice(1);
    const pipes = () => [...fixture.sandbox.store.pipes.values()].slice(8);

    before(() => {
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      );
    });

    it("one update makes the tunnel, hands out its key, and creates the pipe once the host lets the service in", async () => {
      await fixture.write(programWith("bastion.example.com"));
      await fixture.up({ args: ["--skip-preview"] });
      const [tunnel] = tunnels();
      expect(tunnel?.status).to.equal("active");
      expect((await fixture.outputs()).publicKey).to.equal(tunnel?.publicKey);
      expect(pipes()).to.have.length(1);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });

    it("another host alone is refused before anything is lost, and with another name the old tunnel goes last", async () => {
      const [before] = tunnels();
      const [pipe] = pipes();
      await fixture.write(programWith("gate.example.com"));
      const { output } = await fixture.up({ args: ["--skip-preview"], expect: "failure" });
      expect(output).to.include("To replace it, change its name, too");
      expect([tunnels()[0]?.id, pipes()[0]?.id]).to.deep.equal([before?.id, pipe?.id]);
      await fixture.write(programWith("gate.example.com", "gate"));
      await fixture.up({ args: ["--skip-preview"] });
      const [after, ...others] = tunnels();
      expect([after?.host, after?.status, others.length]).to.deep.equal(["gate.example.com", "active", 0]);
      await fixture.destroy();
      expect([tunnels().length, pipes().length]).to.deep.equal([0, 0]);
    });
  });
