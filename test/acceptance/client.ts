import { setTimeout as pause } from "node:timers/promises";
import type { Api } from "../productJudge";
import { Keys } from "./rate";
import type { Target } from "./target";

export interface Answer {
  readonly status: number;
  /** The parsed JSON of the body; the text of a body that is no JSON. */
  readonly body: unknown;
}

/** The most requests for one that the server refuses since the key has sent too many. */
const mostTries = 6;

/** Sends requests to the APIs of a target, no more often than its keys may. */
export class Client {
  /** The number of requests that have reached the server. */
  sent = 0;
  readonly #keys: { readonly [api in Api]: Keys };

  constructor(private readonly target: Target) {
    const { key = "", accessTokens, rates } = target;
    const basic = `Basic ${Buffer.from(key).toString("base64")}`;
    this.#keys = {
      management: new Keys([basic], rates.management),
      observability: new Keys(
        accessTokens.map((token) => `Bearer ${token}`),
        rates.observability,
      ),
    };
  }

  async send(api: Api, method: string, path: string, body?: string): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const authorization = await this.#keys[api].next();
      this.sent++;
      const response = await fetch(`${this.target.addresses[api]}${path}`, {
        method,
        headers: { authorization, ...(body !== undefined && { "content-type": "application/json" }) },
        body,
      });
      const text = await response.text();
      if (response.status !== 429 || tries === mostTries)
        return { status: response.status, body: parsed(text) };
      const seconds = response.headers.get("retry-after") ?? response.headers.get("ratelimit-reset");
      await pause(1000 * Math.min(60, Number(seconds) || 10));
    }
  }
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the content of an answer's envelope. */
export function contentOf(body: unknown): unknown {
  const { result, data } = Object(body);
  return result ?? data ?? body;
}
