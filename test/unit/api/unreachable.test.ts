import dns from "node:dns";
import tls from "node:tls";
import { expect } from "chai";
import { Client } from "../../../provider/api/client";
import { mayHaveHappened, Unreachable } from "../../../provider/api/errors";
import { selfSigned } from "./certificate";
import { failureOfType } from "./failure";
import { clientOf, place, ScriptedServer, settingsFor, useServer } from "./server";
import { useVirtualTime } from "./virtualTime";

describe("a service that cannot be reached", () => {
  useVirtualTime();

  it("is tried again, since it has seen nothing, and then named with the reason", async () => {
    const closed = await new ScriptedServer().start();
    const { url } = closed;
    await closed.close();
    const client = new Client(settingsFor(url), () => undefined);
    const start = performance.now();
    const error = await failureOfType(client.call("createKey", place, {}), Unreachable);
    expect(performance.now() - start, "waits before it tries again").to.be.within(400, 480);
    expect(error.message).to.match(
      new RegExp(
        `^${url} cannot be reached \\(ECONNREFUSED\\); check the address and the network \\(createKey: POST [^ ]+\\)$`,
      ),
    );
    expect(mayHaveHappened(error)).to.equal(false);
  });

  const plain = useServer();
  const untrusted = useServer("https");
  for (const [what, server, reason] of [
    [
      "its certificate is not trusted",
      untrusted,
      /^https:\/\/127\.0\.0\.1:\d+ cannot be reached \(DEPTH_ZERO_SELF_SIGNED_CERT\): its certificate is not trusted; renew it, or name .* in NODE_EXTRA_CA_CERTS \(/,
    ],
    [
      "it speaks no TLS",
      plain,
      /cannot be reached \(EPROTO\); check the address: the server may have http alone/,
    ],
  ] as const)
    it(`is not tried again and is sent nothing if ${what}`, async () => {
      const baseUrl = server.current.url.replace("http:", "https:");
      const { client } = clientOf(server.current, { baseUrl, maxRetries: 4 });
      const error = await failureOfType(client.call("listKeys", place), Unreachable);
      expect(error.message).to.match(reason);
      expect(server.current.requests).to.deep.equal([]);
      expect(server.current.connections).to.equal(1);
    });

  describe("with the certificate of another host", () => {
    const { createSecureContext } = tls;
    const { lookup } = dns;
    before(() => {
      tls.createSecureContext = (options) => createSecureContext({ ca: selfSigned.cert, ...options });
      dns.lookup = ((_host: string, ...rest: [dns.LookupOptions, () => void]) =>
        lookup("127.0.0.1", ...rest)) as typeof dns.lookup;
    });
    after(() => {
      tls.createSecureContext = createSecureContext;
      dns.lookup = lookup;
    });

    it("is named with that reason, and is sent nothing", async () => {
      const baseUrl = untrusted.current.url.replace("127.0.0.1", "api.example.com");
      const { client } = clientOf(untrusted.current, { baseUrl, maxRetries: 4 });
      const error = await failureOfType(client.call("listKeys", place), Unreachable);
      expect(error.message).to.match(
        /cannot be reached \(ERR_TLS_CERT_ALTNAME_INVALID\); check the address: its certificate is for another host \(/,
      );
      expect(untrusted.current.requests).to.deep.equal([]);
    });
  });
});
