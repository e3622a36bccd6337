import { setTimeout as pause } from "node:timers/promises";
import type { RateLimit } from "../../provider/api/dialect";

/** Hands out the credentials of one or more users in turn, each no more often than its rate allows. */
export class Keys {
  readonly #sent: Map<string, number[]>;

  constructor(
    credentials: readonly string[],
    private readonly rate: RateLimit | undefined,
  ) {
    this.#sent = new Map(credentials.map((credential) => [credential, []]));
  }

  /** Waits until a request may be sent, and returns the credential with which it may. */
  async next(): Promise<string> {
    const [[credential, sent] = ["", []]] = [...this.#sent].sort(
      ([, one], [, other]) => this.#freeAt(one) - this.#freeAt(other),
    );
    const free = this.#freeAt(sent);
    sent.push(Math.max(free, Date.now()));
    if (free > Date.now()) await pause(free - Date.now());
    return credential;
  }

  #freeAt(sent: readonly number[]): number {
    if (!this.rate) return sent.length;
    const first = sent.at(-this.rate.requests);
    return first === undefined ? 0 : first + this.rate.seconds * 1000;
  }
}
