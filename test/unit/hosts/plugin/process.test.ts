import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest, type GetSchemaResponse } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { readDescriptions } from "../../../../provider/descriptions";
import { offer } from "../../../../provider/hosts/plugin/offer";
import { packageSchema } from "../../../../provider/hosts/plugin/packageSchema";

const built = join(__dirname, "..", "..", "..", "..", "dist", "plugin.js");

describe("The built plugin", () => {
  let folder: string;
  let program: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-plugin-"));
    program = join(folder, "plugin.js");
    await copyFile(built, program);
  });
  after(() => rm(folder, { recursive: true }));

  it("the plugin is one file, which needs no package beside it", async () => {
    const plugin = spawn(process.execPath, [program], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    const [port] = await once(plugin.stdout.setEncoding("utf8"), "data");
    const client = new ResourceProviderClient(`127.0.0.1:${Number(port)}`, credentials.createInsecure());
    try {
      const response = await new Promise<GetSchemaResponse>((resolve, reject) =>
        client.getSchema(new GetSchemaRequest(), (error, found) => (error ? reject(error) : resolve(found))),
      );
      const schema = JSON.stringify(packageSchema(offer, readDescriptions()));
      expect(response.getSchema()).to.equal(schema);
    } finally {
      client.close();
      plugin.kill();
    }
  });

  it("the plugin ends with the CLI that has started it, however that ends", async () => {
    // Stands in for the CLI: starts the plugin, waits for its port, and is gone.
    const cli = `const plugin = require("node:child_process").spawn(process.execPath, [${JSON.stringify(program)}]);
      plugin.stdout.once("data", (port) => { console.log(plugin.pid, Number(port)); process.kill(process.pid, "SIGKILL"); });`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", cli]).catch((ended) => ended);
    const [pid, port] = stdout.split(" ").map(Number);
    expect(port).to.be.above(0);
    while (isRunning(pid)) await setTimeout(50);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
