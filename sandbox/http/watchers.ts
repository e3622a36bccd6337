import type { Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import { type ApiName, pathOf } from "../core/request";

/** A request to the sandbox at one stage. The sandbox passes it to functions that watch requests. */
export interface RequestMoment {
  /**
   * The stage of the watched request. `received`: nothing is done yet; `carriedOut`: everything but the response is done;
   * `answered`: the response was sent.
   */
  stage: "received" | "carriedOut" | "answered";
  api: ApiName;
  method: string;
  path: string;
  socket: Socket;
}

/** A function that the sandbox calls at each stage of each request. The request waits until the returned promise settles. */
export type Watcher = (moment: RequestMoment) => void | Promise<void>;

export class Watchers {
  readonly #watchers = new Set<Watcher>();

  /**
   * Adds a function that watches requests to the sandbox.
   * @returns a function that removes it
   */
  add(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  async tell(stage: RequestMoment["stage"], api: ApiName, request: FastifyRequest): Promise<void> {
    const moment = { stage, api, method: request.method, path: pathOf(request), socket: request.raw.socket };
    for (const watcher of this.#watchers) await watcher(moment);
  }
}
