import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server as TlsServer } from "node:tls";
import type { Door } from "../core/faults/script";
import type { Certificate } from "./certificate";

/** The certificates of a sandbox with TLS: its own, and one for another host. */
export interface Certificates {
  regular: Certificate;
  foreign: Certificate;
}

/** The port of an API, which faults can close, or whose certificate they can change. */
export class Port implements Door {
  private readonly number: number;
  private isForeign = false;
  /** A timer that keeps the process alive while its only port is closed. */
  private waiting: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Server,
    private readonly certificates: Certificates | undefined,
  ) {
    this.number = (server.address() as AddressInfo).port;
  }

  /** Closes the port at once, or opens it. The promise is fulfilled when the port is open. */
  async setClosed(isClosed: boolean): Promise<void> {
    if (isClosed === !this.server.listening) return;
    this.release();
    if (isClosed) {
      this.server.close();
      this.waiting = setInterval(() => undefined, 60_000);
      return;
    }
    this.server.listen({ host: "127.0.0.1", port: this.number });
    await once(this.server, "listening");
  }

  /** Stops keeping the process alive for a closed port. */
  release(): void {
    clearInterval(this.waiting);
  }

  /** The address of the API, such as `http://127.0.0.1:40123`. */
  get address(): string {
    return `${this.isSecure ? "https" : "http"}://127.0.0.1:${this.number}`;
  }

  get isSecure(): boolean {
    return this.certificates !== undefined;
  }

  /** Uses the certificate of another host for new connections, or its own again. */
  setForeign(isForeign: boolean): void {
    if (!this.certificates || isForeign === this.isForeign) return;
    this.isForeign = isForeign;
    const { regular, foreign } = this.certificates;
    (this.server as Server & TlsServer).setSecureContext(isForeign ? foreign : regular);
    this.server.closeIdleConnections();
  }
}
