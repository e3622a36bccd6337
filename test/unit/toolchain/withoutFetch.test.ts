import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { build, type Plugin } from "esbuild";

const checkout = join(__dirname, "..", "..", "..");

describe("axios in a bundle without the Fetch API", () => {
  const server = createServer((_, response) => response.end("an answer"));
  let folder: string;
  let withoutFetch: Plugin;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-fetch-"));
    ({ withoutFetch } = await import("../../../toolchain/withoutFetch.mjs"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  /** Bundles a program that imports axios and gets an answer. It prints the answer, and whether Node has loaded the Fetch API. */
  async function printed(imported: string, plugins: Plugin[]): Promise<[string, boolean]> {
    const { port } = server.address() as { port: number };
    const program = `${imported}
      axios.getAdapter("http")({ url: "http://127.0.0.1:${port}", method: "get", headers: new axios.AxiosHeaders(), proxy: false }).then(({ data }) =>
        console.log(JSON.stringify([data, process.moduleLoadList.some((name) => name.endsWith("undici/undici"))])));`;
    const outfile = join(folder, "program.js");
    const stdin = { contents: program, resolveDir: checkout };
    await build({ stdin, outfile, bundle: true, platform: "node", logLevel: "error", plugins });
    const { stdout } = await promisify(execFile)(process.execPath, [outfile]);
    return JSON.parse(stdout);
  }

  for (const imported of ['import axios from "axios";', 'const axios = require("axios");']) {
    it(`sends requests, and Node does not load that API: ${imported}`, async () => {
      expect(await printed(imported, [])).to.deep.equal(["an answer", true]);
      expect(await printed(imported, [withoutFetch])).to.deep.equal(["an answer", false]);
    });
  }
});
