import type { Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import { type ApiName, pathOf } from "../core/request";

/** A request at one stage. */
export interface RequestMoment {
  /** `received`: nothing is done yet; `carriedOut`: everything but the answer is done; `answered`: the answer was sent. */
  stage: "received" | "carriedOut" | "answered";
  api: ApiName;
  method: string;
  /** The path without the query string. */
  path: string;
  /** The connection of the request. */
  socket: Socket;
}

/** Called at each stage of each request, which waits until the returned promise settles. */
export type Watcher = (moment: RequestMoment) => void | Promise<void>;

/** The functions to call at each stage of a request. */
export class Watchers {
  readonly #watchers = new Set<Watcher>();

  /** @returns a function that removes the watcher */
  add(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  async tell(stage: RequestMoment["stage"], api: ApiName, request: FastifyRequest): Promise<void> {
    const moment = { stage, api, method: request.method, path: pathOf(request), socket: request.raw.socket };
    for (const watcher of this.#watchers) await watcher(moment);
  }
}
