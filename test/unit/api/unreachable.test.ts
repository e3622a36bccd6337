import dns from "node:dns";
import tls from "node:tls";
import { expect } from "chai";
import { mayHaveHappened, Unreachable } from "../../../provider/api/errors";
import { selfSigned } from "./certificate";
import { failureOfType } from "./failure";
import { clientOf, place, useServer } from "./server";
import { useVirtualTime } from "./virtualTime";

describe("Services that cannot be reached", () => {
  useVirtualTime();
  const plain = useServer();
  const secure = useServer("https");

  it("the client repeats a request to an unreachable service, and then fails with the URL and the reason", async () => {
    const { client } = clientOf(plain.current);
    const { url } = plain.current;
    await plain.current.close();
    const start = performance.now();
    const error = await failureOfType(client.call("createKey", place, {}), Unreachable);
    expect(performance.now() - start, "waits before it tries again").to.be.within(400, 480);
    const [reason] = error.message.split(" (createKey: POST ");
    expect(reason).to.equal(`${url} cannot be reached (ECONNREFUSED); check the address and the network`);
    expect(mayHaveHappened(error)).to.equal(false);
  });

  for (const [what, server, reason] of [
    [
      "has a certificate that is not trusted",
      secure,
      "(DEPTH_ZERO_SELF_SIGNED_CERT): its certificate is not trusted; renew it, or name the file of its authority's certificate in NODE_EXTRA_CA_CERTS",
    ],
    ["speaks no TLS", plain, "(EPROTO); check the address: the server may speak plain http only"],
    [
      "has the certificate of another host",
      secure,
      "(ERR_TLS_CERT_ALTNAME_INVALID); check the address: its certificate is for another host",
    ],
  ] as const)
    describe(`Requests to a server with which the client cannot connect, since it ${what}`, () => {
      const { createSecureContext } = tls;
      const { lookup } = dns;
      const isElsewhere = reason.startsWith("(ERR_TLS");
      before(() => {
        if (!isElsewhere) return;
        tls.createSecureContext = (options) => createSecureContext({ ca: selfSigned.cert, ...options });
        dns.lookup = ((_host: string, ...rest: [dns.LookupOptions, () => void]) =>
          lookup("127.0.0.1", ...rest)) as typeof dns.lookup;
      });
      after(() => {
        tls.createSecureContext = createSecureContext;
        dns.lookup = lookup;
      });

      it(`the error about a service that ${what} has its URL, and the client connects only once and sends no request`, async () => {
        const origin = server.current.url.replace("http:", "https:");
        const baseUrl = isElsewhere ? origin.replace("127.0.0.1", "api.example.com") : origin;
        const { client } = clientOf(server.current, { baseUrl, maxRetries: 4 });
        const { message } = await failureOfType(client.call("listKeys", place), Unreachable);
        expect(message.split(" (listKeys: ")[0]).to.equal(`${baseUrl} cannot be reached ${reason}`);
        expect(server.current.requests).to.deep.equal([]);
        expect(server.current.connections).to.equal(1);
      });
    });
});
