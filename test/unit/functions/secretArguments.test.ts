import * as pulumi from "@pulumi/pulumi";
import { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { secret } from "../../../provider/engine/engineValues";
import * as pipestack from "../../../provider/index";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { withoutSecrets } from "../../simulation/actors/secrets";
import { failureOf } from "../api/failure";
import { useServer } from "../api/server";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { failureOfCall, startPlugin, struct } from "../hosts/plugin/engine";

const range = { startTime: 1767225600000, endTime: 1767312000000 };
const series = (where: unknown, level?: unknown) => ({
  ...range,
  series: [
    {
      sourceId: "66f0c2d8a1b2c3d4e5f60718",
      aggFn: "count",
      where,
      groupBy: [],
      ...(level !== undefined && { level }),
    },
  ],
});

describe("Secret arguments of functions in messages", () => {
  const server = useServer();
  let sandbox: Sandbox;
  let restore: () => void;

  before(async () => {
    restore = withoutEnvironment();
    sandbox = await createSandbox({ dialect: "clickhouse" });
  });
  after(async () => {
    restore();
    pulumi.runtime.setAllConfig({});
    await sandbox.close();
  });

  /** The server repeats what it was asked for. */
  function settings() {
    server.current.alwaysAnswer((_, response) => {
      const asked = JSON.stringify(server.current.requests.at(-1)?.body);
      response.writeHead(400).end(JSON.stringify({ message: `cannot read ${asked}` }));
    });
    return { ...settingsOf(sandbox), dialect: "clickhouse", obsBaseUrl: server.current.url };
  }

  const ways = {
    async "the plugin"(args: object) {
      const plugin = await startPlugin();
      await plugin.configure(settings());
      return (await failureOfCall(plugin.invoke("getChartSeries", args)).finally(() => plugin.close()))
        .details;
    },
    async "the program"(args: object) {
      pulumi.runtime.setAllConfig(
        Object.fromEntries(Object.entries(settings()).map(([name, value]) => [`pipestack:${name}`, value])),
      );
      const [asked] = (args as ReturnType<typeof series>).series as { where: unknown; level: unknown }[];
      const marked = Object.fromEntries(
        Object.entries(asked ?? {}).map(([name, value]) => {
          const plain = withoutSecrets(value);
          return [name, plain === value ? value : pulumi.secret(plain)];
        }),
      );
      const output = pipestack.getChartSeriesOutput({ ...args, series: [marked] } as never);
      return (await failureOf((output as unknown as { promise(): Promise<unknown> }).promise())).message;
    },
  };

  for (const [way, messageOf] of Object.entries(ways)) {
    it(`a function in ${way} hides a secret argument that the server repeats`, async () => {
      const message = await messageOf(series(secret("user:payroll")));
      expect(message).to.include("cannot read").and.not.include("payroll");
      expect(await messageOf(series("user:intern"))).to.include("intern");
    });

    it(`a function in ${way} does not repeat an invalid argument that is secret`, async () => {
      const message = await messageOf(series("", secret(7531)));
      expect(message).to.include("series[0].level must be").and.not.include("7531");
      expect(await messageOf(series("", 7531))).to.include("7531");
    });
  }

  it("an Slo in the plugin does not repeat an invalid argument that is secret", async () => {
    const plugin = await startPlugin();
    await plugin.configure(settings());
    const inputs = { objective: 99, good: "a", sourceId: "s", window: secret("payroll") };
    const request = new ConstructRequest()
      .setType("pipestack:index:Slo")
      .setName("s")
      .setInputs(struct(inputs));
    const { details } = await failureOfCall(plugin.call("construct", request)).finally(() => plugin.close());
    expect(details).to.equal("window must be one of 28d, 30d");
  });
});
