import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Reply } from "../core/request";

/** Sends the sandbox's response to a client: the complete response, half of it, or none, as an injected fault demands. */
export function deliver(response: ServerResponse, { answer, cut }: Reply): void {
  if (!answer) {
    reset(response.socket);
    return;
  }
  const { status, headers, body } = answer;
  if (typeof body !== "string") {
    response.writeHead(status, headers);
    // A client of the sandbox may close the connection before the end of the response, which is no error.
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

/** Resets the connection to a client, for a fault. With TLS, Node can only close the connection. */
function reset(socket: Socket | null): void {
  if (socket && "encrypted" in socket) socket.destroy();
  else socket?.resetAndDestroy();
}
