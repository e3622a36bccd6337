type Hear = (message: string, isWarning: boolean) => void;

const listeners = new Map<string, Hear>();

/** The severity of warnings in the protocol between the engine and its plugins. */
const severityOfWarnings = 2;

/** Replaces, in the simulation, the connection over which the plugin sends the engine messages for the user. */
export class MemoryEngineClient {
  constructor(private readonly address: string) {}

  log(request: { getMessage(): string; getSeverity(): number }, done: () => void): void {
    listeners.get(this.address)?.(request.getMessage(), request.getSeverity() >= severityOfWarnings);
    done();
  }

  close(): void {}
}

/**
 * Passes the messages of the simulated provider processes for an engine to a function.
 * @returns a function after which no more messages are passed
 */
export function listenAt(address: string, hear: Hear): () => void {
  listeners.set(address, hear);
  return () => listeners.delete(address);
}
