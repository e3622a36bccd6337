import { never, wait } from "../virtualTime";
import type { Answer } from "../world/foreign";
import type { HttpRequest } from "../world/transport";
import type { Trouble } from "./history";
import type { Product } from "./product";

/** A fault of a simulated update: its kind, and which write has it, counted from 1. */
export interface TroubleAt {
  readonly write: number;
  readonly course: Trouble;
}

/** The answer of the simulated service to a request that it refuses for once. */
const refusal = {
  status: 409,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ status: 409, requestId: "5b1f", error: "CONFLICT: another change is under way" }),
};

/** The simulated network between the provider's processes and ClickHouse Cloud, which can lose requests and answers. */
export class Network {
  /** The number of the running provider process. The simulated network never answers requests of earlier processes. */
  process = 0;
  writes = 0;
  /** True if the simulated service has answered one of the current update's writes without carrying it out. */
  hasIgnored = false;
  #trouble: TroubleAt | undefined;
  #kill: () => void = () => {};

  constructor(
    private readonly product: Product,
    /** Receives each write that the simulated service has carried out. */
    private readonly written: (request: HttpRequest, answer: Answer) => void,
  ) {}

  begin(trouble: TroubleAt | undefined): void {
    Object.assign(this, { writes: 0, hasIgnored: false });
    this.#trouble = trouble;
  }

  /**
   * Ends the update and its provider process in the simulated network, which never answers requests that are still under way.
   */
  end(): void {
    this.#trouble = undefined;
    this.process++;
  }

  /** Resolves once the provider process of the simulated update is killed. */
  killed(): Promise<"killed"> {
    return new Promise((resolve) => {
      this.#kill = () => {
        this.process++;
        resolve("killed");
      };
    });
  }

  async deliver(request: HttpRequest): Promise<Answer | string> {
    const [, process] = /process(\d+)/.exec(request.baseUrl) ?? [];
    await wait(20);
    if (Number(process) !== this.process) return never();
    this.product.records();
    const { method } = request;
    if (method === "GET") return this.product.carriedOut(request);
    this.writes++;
    const course = this.#trouble?.write === this.writes ? this.#trouble.course : undefined;
    if (course === "lost before") return "ECONNRESET";
    if (course === "killed before") return this.#killedAt();
    if (course === "refused") return refusal as Answer;
    if (course === "ignored" && method !== "POST" && method !== "DELETE") {
      this.hasIgnored = true;
      return this.product.ignored(request);
    }
    const answer = this.product.carriedOut(request);
    this.written(request, answer);
    if (course === "killed after") return this.#killedAt();
    if (course === "lost after") return "ECONNRESET";
    if (course === "page after")
      return { status: 504, headers: { "content-type": "text/html" }, body: "<html>" } as Answer;
    return answer;
  }

  #killedAt(): Promise<never> {
    this.#kill();
    return never();
  }
}
