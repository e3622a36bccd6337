import { setTimeout as pause } from "node:timers/promises";
import { isObject } from "../../provider/values/data";
import { type Client, contentOf } from "./client";

/** The values of a service's singletons before the tests change them, and what it takes to give them back. */
export class Singletons {
  readonly #written = new Set<string>();
  #scaling: object = {};
  #backups: object = {};

  /** @param path that of the run's own service */
  constructor(
    private readonly path: string,
    private readonly client: Client,
  ) {}

  async remember(): Promise<void> {
    const { minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas, idleScaling, idleTimeoutMinutes } = Object(
      await this.#get(""),
    );
    this.#scaling = {
      ...{ autoscalingMode: "vertical", minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas },
      ...{ idleScaling, idleTimeoutMinutes },
    };
    this.#backups = { backupStartTime: null, ...Object(await this.#get("/backupConfiguration")) };
  }

  /** Notes a write to a part of the service. */
  write(path: string): void {
    if (path.startsWith(`${this.path}/`))
      this.#written.add(path.slice(this.path.length).replace(/^(\/\w+).*/, "$1"));
  }

  /** Gives back what was written since the last call. */
  async restore(): Promise<void> {
    for (const part of this.#written) {
      if (/^\/(serviceQueryEndpoint|scalingSchedule|upgradeWindow)$/.test(part))
        await this.#send("DELETE", part);
      if (/^\/(scaling|replicaScaling)$/.test(part))
        await this.#send("PATCH", "/replicaScaling", this.#scaling);
      if (part === "/backupConfiguration") await this.#send("PATCH", part, this.#backups);
      if (part === "/clickhouseSettings") await this.#deleteSettings();
    }
    this.#written.clear();
  }

  /** Deletes the settings of the database, and waits until the service no longer shows them. */
  async #deleteSettings(): Promise<void> {
    for (let looks = 1; looks < 100; looks++) {
      const { settings } = Object(await this.#get("/clickhouseSettings"));
      const names = (Array.isArray(settings) ? settings : []).filter(isObject).map(({ name }) => name);
      if (names.length === 0) return;
      if (looks === 1) for (const name of names) await this.#send("DELETE", `/clickhouseSettings/${name}`);
      await pause(Math.min(10_000, 25 * 2 ** Math.min(looks, 9)));
    }
  }

  async #get(part: string): Promise<unknown> {
    return contentOf((await this.client.send("management", "GET", `${this.path}${part}`)).body);
  }

  async #send(method: string, part: string, body?: object): Promise<void> {
    const text = body && JSON.stringify(body);
    const { status, body: answer } = await this.client.send(
      "management",
      method,
      `${this.path}${part}`,
      text,
    );
    if (status > 299 && status !== 404)
      throw new Error(`${method} ${part} of the run's service: ${status} ${JSON.stringify(answer)}`);
  }
}
