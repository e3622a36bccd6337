/** Who hears what the processes of an update say, by the address of its engine. */
const listeners = new Map<string, (message: string) => void>();

/** What stands in for the connection over which the plugin tells the engine what its user is to read. */
export class MemoryEngineClient {
  constructor(private readonly address: string) {}

  log(request: { getMessage(): string }, done: () => void): void {
    listeners.get(this.address)?.(request.getMessage());
    done();
  }

  close(): void {}
}

/** @returns ends that */
export function listenAt(address: string, hear: (message: string) => void): () => void {
  listeners.set(address, hear);
  return () => listeners.delete(address);
}
