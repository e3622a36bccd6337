import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { whenRunAsProgram } from "./checkout.mjs";
import { command, lastLines } from "./command.mjs";
import { withProgress } from "./progress.mjs";

/** The S3 server of the tests: moto, a Python package. */
const version = "5.1.22";
const python = process.platform === "win32" ? "python" : "python3";
const packages = join(
  process.env.XDG_CACHE_HOME || join(homedir(), ".cache"),
  "pipestack",
  `moto-${version}`,
);

/**
 * Installs the S3 server into a cache of the user's, once.
 * @returns {Promise<string>} the folder of its packages
 */
async function installObjectStore() {
  if (existsSync(packages)) return packages;
  await withProgress("Installing the S3 server of the tests", async () => {
    await mkdir(dirname(packages), { recursive: true });
    const folder = await mkdtemp(`${packages}-`);
    try {
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder];
      const { code, output } = await command(python, [...pip, `moto[server,s3]==${version}`]);
      if (code !== 0)
        throw new Error(
          `The S3 server cannot be installed (this takes Python and pip):\n${lastLines(output, 5)}`,
        );
      await rename(folder, packages).catch((error) => {
        // Another process was first.
        if (!existsSync(packages)) throw error;
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  return packages;
}

/** Names who asks; the server does not look at the signature. */
const authorization =
  "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=none";

/**
 * An S3 server on loopback.
 * @typedef {object} ObjectStore
 * @property {Record<string, string>} environment variables with which the Pulumi CLI keeps its state there
 * @property {(path: string) => Promise<string>} read the text of an object
 * @property {() => Promise<void>} close
 */

/**
 * Starts an S3 server on loopback, with one bucket.
 * @returns {Promise<ObjectStore>}
 */
export async function startObjectStore() {
  const folder = await installObjectStore();
  const server = spawn(python, ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"], {
    env: { ...process.env, PYTHONPATH: folder, PYTHONUNBUFFERED: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(server, "exit");
  const url = await addressIn(server);
  // The pipe would fill up: the server writes a line for each request.
  server.stderr.resume();
  const bucket = "states";
  await fetch(`${url}/${bucket}`, { method: "PUT" });
  return {
    environment: {
      PULUMI_BACKEND_URL: `s3://${bucket}?region=us-east-1&endpoint=${url}&s3ForcePathStyle=true`,
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    },
    async read(path) {
      const answer = await fetch(`${url}/${bucket}/${path}`, { headers: { authorization } });
      if (!answer.ok) throw new Error(`The S3 server answers ${answer.status} for ${path}`);
      return answer.text();
    },
    async close() {
      server.kill();
      await ended;
    },
  };
}

/** @param {{ stderr: import("node:stream").Readable }} server */
async function addressIn(server) {
  /** @type {string[]} */
  const lines = [];
  for await (const line of createInterface({ input: server.stderr })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (address) return address;
    lines.push(line);
  }
  throw new Error(`The S3 server does not start:\n${lastLines(lines.join("\n"), 5)}`);
}

whenRunAsProgram(import.meta.url, async () => {
  console.error(`The S3 server of the tests is in ${await installObjectStore()}.`);
});
