import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Server as TlsServer } from "node:tls";
import type { Door } from "../core/faults/script";
import type { Certificate } from "./certificate";

export interface Certificates {
  regular: Certificate;
  foreign: Certificate;
}

/** The port of an API of the sandbox. Faults can close it, or change its certificate. */
export class Port implements Door {
  private readonly number: number;
  private isForeign = false;
  /**
   * While a fault keeps the port closed, this connection from the port to this process prevents other processes from taking the
   * port. It also keeps this process alive.
   */
  private holder: Socket | undefined;
  /** The last change (opening or closing) of the port. The next change waits for it. */
  private changes: Promise<void> = Promise.resolve();

  constructor(
    private readonly server: Server,
    private readonly certificates: Certificates | undefined,
  ) {
    this.number = (server.address() as AddressInfo).port;
  }

  /**
   * Closes the port of an API of the sandbox, or opens it. The promise is fulfilled when the port is open, or refuses
   * connections.
   */
  setClosed(isClosed: boolean): Promise<void> {
    const change = this.changes.then(() => this.change(isClosed));
    this.changes = change.catch(() => {});
    return change;
  }

  private async change(isClosed: boolean): Promise<void> {
    if (isClosed === !this.server.listening) return;
    if (isClosed) {
      this.server.close();
      this.holder = await connectionFrom(this.number);
      return;
    }
    await this.free();
    this.server.listen({ host, port: this.number });
    await once(this.server, "listening");
  }

  /** Frees the port when the sandbox ends, if a fault keeps it closed, so that other processes can use it. */
  release(): Promise<void> {
    return this.changes.then(() => this.free());
  }

  private async free(): Promise<void> {
    const { holder } = this;
    this.holder = undefined;
    if (!holder) return;
    const closed = once(holder, "close");
    holder.resetAndDestroy();
    await closed;
  }

  get address(): string {
    return `${this.isSecure ? "https" : "http"}://127.0.0.1:${this.number}`;
  }

  get isSecure(): boolean {
    return this.certificates !== undefined;
  }

  /** Lets new connections get the TLS certificate of another host, for a fault, or the port's own certificate again. */
  setForeign(isForeign: boolean): void {
    if (!this.certificates || isForeign === this.isForeign) return;
    this.isForeign = isForeign;
    const { regular, foreign } = this.certificates;
    (this.server as Server & TlsServer).setSecureContext(isForeign ? foreign : regular);
    this.server.closeIdleConnections();
  }
}

const host = "127.0.0.1";

/**
 * Makes a connection of this process to itself from a port. No server listens at the port, so the system refuses connections to
 * it.
 */
async function connectionFrom(port: number): Promise<Socket> {
  const server = createServer().listen({ host, port: 0 });
  await once(server, "listening");
  const accepted = once(server, "connection");
  const { port: own } = server.address() as AddressInfo;
  const holder = connect({ host, port: own, localAddress: host, localPort: port });
  await once(holder, "connect");
  const [other] = (await accepted) as [Socket];
  other.on("error", () => {});
  server.close();
  return holder;
}
