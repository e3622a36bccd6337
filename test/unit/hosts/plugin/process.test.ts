import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { offer } from "../../../../provider/hosts/plugin/offer";
import { schemaText } from "../../../../provider/hosts/plugin/schemaText";

const built = join(__dirname, "..", "..", "..", "..", "dist");

describe("The process of the built plugin", () => {
  let folder: string;
  let program: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-plugin-"));
    program = join(folder, "plugin.js");
    for (const file of ["plugin.js", "pluginBundle.js"])
      await copyFile(join(built, file), join(folder, file));
  });
  after(() => rm(folder, { recursive: true }));

  it("the plugin ends after the CLI that has started it, however the CLI ends", async () => {
    // This script replaces the Pulumi CLI: it starts the plugin, waits for its port, and ends.
    const cli = `const plugin = require("node:child_process").spawn(process.execPath, [${JSON.stringify(program)}]);
      plugin.stdout.once("data", (port) => { console.log(plugin.pid, Number(port)); process.kill(process.pid, "SIGKILL"); });`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", cli]).catch((ended) => ended);
    const [pid, port] = stdout.split(" ").map(Number);
    expect(port).to.be.above(0);
    while (isRunning(pid)) await setTimeout(50);
  });

  it("the built plugin has the schema that its definitions and descriptions make", async () => {
    const plugin = spawn(process.execPath, [program, "127.0.0.1:1"]);
    const [port] = await once(plugin.stdout, "data");
    const client = new ResourceProviderClient(`127.0.0.1:${Number(port)}`, credentials.createInsecure());
    const schema = await new Promise<string>((resolve, reject) =>
      client.getSchema(new GetSchemaRequest(), (error, response) =>
        error ? reject(error) : resolve(response.getSchema()),
      ),
    );
    expect(JSON.parse(schema)).to.deep.equal(JSON.parse(schemaText(offer)));
    client.close();
    plugin.kill();
    await once(plugin, "exit");
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
