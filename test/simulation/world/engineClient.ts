const listeners = new Map<string, (message: string) => void>();

/** Replaces, in the simulation, the connection over which the plugin sends the engine messages for the user. */
export class MemoryEngineClient {
  constructor(private readonly address: string) {}

  log(request: { getMessage(): string }, done: () => void): void {
    listeners.get(this.address)?.(request.getMessage());
    done();
  }

  close(): void {}
}

/**
 * Passes the messages of the simulated provider processes for an engine to a function.
 * @returns a function after which no more messages are passed
 */
export function listenAt(address: string, hear: (message: string) => void): () => void {
  listeners.set(address, hear);
  return () => listeners.delete(address);
}
