import { AsyncLocalStorage } from "node:async_hooks";
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Log } from "../../lifecycle/session";

/** Sends messages for the user to the engine, which shows each beside the resource that it is about. */
export class EngineLog implements Log {
  #engine: EngineClient | undefined;
  readonly #resource = new AsyncLocalStorage<string>();
  readonly #pending = new Set<Promise<void>>();

  connect(address: string): void {
    this.close();
    this.#engine = new EngineClient(address, credentials.createInsecure());
  }

  close(): void {
    this.#engine?.close();
  }

  warn(message: string): void {
    this.#send(LogSeverity.WARNING, message);
  }

  info(message: string): void {
    this.#send(LogSeverity.INFO, message);
  }

  /** Runs a resource's step and waits until the engine has its messages, since the engine may end this process then. */
  async about<Result>(urn: string, step: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#resource.run(urn, step);
    } finally {
      await Promise.all(this.#pending);
    }
  }

  #send(severity: LogSeverity, message: string): void {
    const engine = this.#engine;
    if (!engine) {
      console.error(`pipestack: ${message}`);
      return;
    }
    const request = new LogRequest()
      .setSeverity(severity)
      .setMessage(message)
      .setUrn(this.#resource.getStore() ?? "");
    const delivery = new Promise<void>((resolve) => engine.log(request, () => resolve()));
    this.#pending.add(delivery);
    void delivery.then(() => this.#pending.delete(delivery));
  }
}
