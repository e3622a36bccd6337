import { Model } from "../../../sandbox/core/model";
import type { Pipe } from "../../../sandbox/core/resources/pipeRecords";
import type { ReversePrivateEndpoint } from "../../../sandbox/index";
import type { Answer } from "../world/foreign";
import { type HttpRequest, requestOf } from "../world/transport";
import { Console } from "./console";

export type Held = Pipe | ReversePrivateEndpoint;

/**
 * Simulates ClickHouse Cloud: the pipes and reverse private endpoints of a service, and a person who changes them in the
 * console.
 */
export class Product {
  readonly #model = new Model({ dialect: "clickhouse", stateMilliseconds: 20_000, keepsRequests: false });
  readonly console = new Console(this.#model);
  /** The objects that the simulated service has before the history begins. */
  readonly #seeded: ReadonlyMap<string, Held> = structuredClone(this.records());

  get organization() {
    return this.#model.store.organization;
  }

  records(): ReadonlyMap<string, Held> {
    this.#model.advance(Date.now());
    const { pipes, reversePrivateEndpoints } = this.#model.store;
    return new Map<string, Held>([...pipes, ...reversePrivateEndpoints]);
  }

  created(): readonly Held[] {
    return [...this.records().values()].filter(({ id }) => !this.#seeded.has(id));
  }

  ofOthers(): ReadonlyMap<string, Held> {
    return this.#seeded;
  }

  removeEndpoint(id: string): void {
    this.#model.store.reversePrivateEndpoints.delete(id);
  }

  /** Ends the provisioning of objects that were created while the simulated service left the provisioning unfinished. */
  endHangs(): void {
    for (const record of this.created()) {
      if ("source" in record) {
        if (record.state === "Provisioning" && !record.steps) record.state = "Running";
      } else if (record.status === "Provisioning" && !record.steps) record.status = "PendingAcceptance";
    }
  }

  carriedOut(request: HttpRequest): Answer {
    return this.#model.handle("management", requestOf(request), Date.now()).answer as Answer;
  }

  /** Answers a write of the provider without carrying it out: the answer shows the old values. */
  ignored(request: HttpRequest): Answer {
    const contents = structuredClone(this.#model.store.contents());
    this.carriedOut(request);
    this.#model.store.load(contents);
    const url = request.url.replace(/\/(scaling|state)$/, "");
    return this.carriedOut({ ...request, method: "GET", data: undefined, url });
  }
}
