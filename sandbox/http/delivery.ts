import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Reply } from "../core/request";

/** Sends a complete response, half of one, or none. */
export function deliver(response: ServerResponse, { answer, cut }: Reply): void {
  if (!answer) {
    reset(response.socket);
    return;
  }
  const { status, headers, body } = answer;
  if (typeof body !== "string") {
    response.writeHead(status, headers);
    // The client may close the connection before the end of the response, which is no error.
    pipeline(body, response).catch(() => undefined);
    return;
  }
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  if (!cut) response.end(bytes);
  else
    response.write(bytes.subarray(0, bytes.length >> 1), () =>
      cut === "reset" ? reset(response.socket) : response.socket?.destroy(),
    );
}

/** Resets the connection to a client. With TLS it can only be closed. */
function reset(socket: Socket | null): void {
  if (socket && "encrypted" in socket) socket.destroy();
  else socket?.resetAndDestroy();
}
