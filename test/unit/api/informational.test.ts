import { expect } from "chai";
import { MalformedResponse, TimedOut } from "../../../provider/api/errors";
import { failureOfType } from "./failure";
import { type Answer, clientOf, place, useServer } from "./server";

/** Writes these lines as the whole answer, and keeps the connection open. */
const lines =
  (...all: string[]): Answer =>
  (_request, response) =>
    void response.socket?.write(`${all.join("\r\n")}\r\n\r\n`);

const switching = lines("HTTP/1.1 101 Switching Protocols", "Connection: upgrade", "Upgrade: elsewhere");

describe("an informational answer", () => {
  const server = useServer();

  for (const name of ["listKeys", "createKey"] as const) {
    it(`to ${name} that switches to another protocol is an error at once, and is not asked for again`, async () => {
      server.current.alwaysAnswer(switching);
      const { client } = clientOf(server.current, { maxRetries: 4 });
      const error = await failureOfType(client.call(name, place, {}), MalformedResponse);
      expect(error.message).to.match(
        new RegExp(
          `^the answer switches to another protocol, which nobody asked for; check the setting baseUrl .* \\(${name}: .* answered 101\\)$`,
        ),
      );
      expect(server.current.requests).to.have.length(1);
    });
  }

  for (const status of ["100 Continue", "102 Processing", "103 Early Hints"]) {
    it(`with status ${status} is passed over if the answer follows`, async () => {
      const answer = '{"status":200,"requestId":"r","result":[]}';
      server.current.answer(
        lines(`HTTP/1.1 ${status}`, "", "HTTP/1.1 200 OK", `Content-Length: ${answer.length}`, "", answer),
      );
      expect(await clientOf(server.current).client.call("listKeys", place)).to.deep.equal([]);
    });

    it(`with status ${status} does not count as the answer`, async () => {
      server.current.alwaysAnswer(lines(`HTTP/1.1 ${status}`));
      const { client } = clientOf(server.current, { timeoutSeconds: 1, maxRetries: 0 });
      await failureOfType(client.call("listKeys", place), TimedOut);
    });
  }
});
