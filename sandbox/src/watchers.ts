import type { Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import type { ApiName } from "./journal";

/** A request at one moment of its life. */
export interface RequestMoment {
  /** `received`: nothing is done yet; `carriedOut`: all is done but the answer; `answered`: the answer was sent. */
  stage: "received" | "carriedOut" | "answered";
  api: ApiName;
  method: string;
  /** The path without the query string. */
  path: string;
  /** The connection on which the request came. */
  socket: Socket;
}

/** Told of each moment of each request; the request goes on when what it returns is settled. */
export type Watcher = (moment: RequestMoment) => void | Promise<void>;

/** Those who want to be told of requests while they are being carried out. */
export class Watchers {
  readonly #watchers = new Set<Watcher>();

  /** Returns what makes an end of it. */
  add(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  async tell(stage: RequestMoment["stage"], api: ApiName, request: FastifyRequest): Promise<void> {
    const { method, url, raw } = request;
    const moment = { stage, api, method, path: url.split("?", 1)[0] ?? "", socket: raw.socket };
    for (const watcher of this.#watchers) await watcher(moment);
  }
}
