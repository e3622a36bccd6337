import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Answer } from "../core/answer";
import type { LargeAnswer } from "../core/faults/large";

/** Sends an answer as it is. */
export function deliver(response: ServerResponse, { status, headers, body }: Answer | LargeAnswer): void {
  if (typeof body === "string") {
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
    return;
  }
  response.writeHead(status, headers);
  // A client is expected to leave before the end.
  pipeline(body, response).catch(() => undefined);
}

/** Sends half of an answer with the length of the whole, then breaks the connection. */
export function deliverHalf(
  response: ServerResponse,
  { status, headers, body }: Answer,
  breakOff: (socket: Socket | null) => void,
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => breakOff(response.socket));
}

/** Resets a connection. Under TLS it can only be closed. */
export function reset(socket: Socket | null): void {
  if (socket && "encrypted" in socket) socket.destroy();
  else socket?.resetAndDestroy();
}

/** Closes a connection. */
export function end(socket: Socket | null): void {
  socket?.destroy();
}
