import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

/** The product's image with server, database and page. */
export const image = "clickhouse/clickstack-all-in-one:2.36.0";

/** The number of users that share the run: a server takes 100 requests a minute from the key of each. */
const users = 10;

const secondsToStart = 180;

/** A HyperDX server that belongs to the run. */
export interface Started {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the product's image in Docker, and waits until its API answers. */
export async function startImage(): Promise<Started> {
  const docker = async (...args: string[]) => (await promisify(execFile)("docker", args)).stdout.trim();
  const container = await docker("run", "--detach", "--rm", "--publish", "127.0.0.1::8000", image);
  const stop = async () => void (await docker("stop", container));
  try {
    const address = `http://${(await docker("port", container, "8000")).split("\n")[0]}`;
    for (let second = 0; second < secondsToStart; second++) {
      const response = await fetch(`${address}/health`).catch(() => undefined);
      if (response?.ok) return { address, stop };
      await pause(1000);
    }
    throw new Error(`${image} does not answer after ${secondsToStart} seconds`);
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Registers the first user of a new HyperDX server, and colleagues, and returns the access keys of all.
 * @throws if the server has users already: it is not new
 */
export async function register(address: string): Promise<string[]> {
  const password = `Aa1!${randomUUID()}`;
  const first = await signedIn(address, "/register/password", {
    ...{ email: "acceptance@example.com", password, confirmPassword: password },
  });
  const keys = [await accessKey(address, first)];
  for (let user = 1; user < users; user++) {
    const invitation = await ask(
      address,
      "/team/invitation",
      { email: `acceptance${user}@example.com` },
      first,
    );
    const { url = "" } = (await invitation.json()) as { url?: string };
    const token = new URL(url, address).searchParams.get("token");
    keys.push(await accessKey(address, await signedIn(address, `/team/setup/${token}`, { password })));
  }
  return keys;
}

/** Sends a form that signs somebody in, and returns the cookie of the session. */
async function signedIn(address: string, path: string, body: object): Promise<string> {
  const response = await ask(address, path, body);
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
  if (response.status >= 400 || cookie === undefined)
    throw new Error(
      `${address}${path.split("/").slice(0, 3).join("/")} answered ${response.status}: it is no new server`,
    );
  return cookie;
}

async function accessKey(address: string, cookie: string): Promise<string> {
  const response = await fetch(`${address}/me`, { headers: { cookie } });
  return ((await response.json()) as { accessKey: string }).accessKey;
}

const ask = (address: string, path: string, body: object, cookie = "") =>
  fetch(`${address}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify(body),
  });
