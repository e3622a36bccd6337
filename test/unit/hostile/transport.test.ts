import { execFile } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { Unreachable } from "../../../provider/api/errors";
import { expectNoLeaks, tellingSecret } from "../../secrets";
import { failureOf, failureOfType } from "../api/failure";
import { clientOf, enveloped, place, useServer } from "../api/server";

describe("Unencrypted http to this machine", () => {
  const server = useServer();
  const { lookup } = dns;
  afterEach(() => {
    dns.lookup = lookup;
  });

  function resolveTo(...addresses: string[]): void {
    const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
    const answer = (_host: string, options: dns.LookupOptions, callback: (...args: unknown[]) => void) =>
      options.all ? callback(null, found) : callback(null, found[0]?.address, found[0]?.family);
    dns.lookup = answer as typeof dns.lookup;
  }

  for (const host of ["localhost", "stack.localhost"]) {
    const listKeys = () => {
      const baseUrl = server.current.url.replace("127.0.0.1", host);
      return clientOf(server.current, { baseUrl, maxRetries: 0 }).client.call("listKeys", place);
    };

    it(`the client sends unencrypted http to ${host} if the name resolves to this machine`, async () => {
      resolveTo("127.0.0.1");
      server.current.answer(enveloped([]));
      expect(await listKeys()).to.deep.equal([]);
    });

    it(`the client sends no unencrypted http to ${host} if the name resolves to another machine`, async () => {
      for (const addresses of [["10.255.255.1"], ["127.0.0.1", "10.255.255.1"], ["::ffff:10.255.255.1"]]) {
        resolveTo(...addresses);
        const { message } = await failureOfType(listKeys(), Unreachable);
        expect(message).to.include(`${host}:`);
        expect(message).to.include(
          `cannot be reached (${host} resolves to another machine, which needs https); check the address`,
        );
      }
      expect(server.current.connections).to.equal(0);
    });
  }
});

async function withProxy<Result>(
  treat: (socket: net.Socket, request: Buffer) => void,
  task: (address: string) => Promise<Result>,
): Promise<Result> {
  const proxy = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (request) => treat(socket, request));
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  try {
    return await task(`127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  } finally {
    proxy.close();
  }
}

describe("A proxy from the environment", () => {
  const variables = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];
  const server = useServer();
  let before: NodeJS.ProcessEnv;
  beforeEach(() => {
    before = { ...process.env };
    for (const name of variables) delete process.env[name];
  });
  afterEach(() => {
    for (const name of variables) delete process.env[name];
    Object.assign(process.env, before);
  });

  it("a proxy sees the host of a request, but neither its path nor its credentials", async () => {
    const received: Buffer[] = [];
    const openTunnel = (socket: net.Socket, request: Buffer) => {
      socket.once("data", (hello) => {
        received.push(request, hello);
        socket.destroy();
      });
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    };
    const credentials = { keySecret: tellingSecret("key"), accessToken: tellingSecret("token") };
    const baseUrl = "https://api.example.com";
    const { client } = clientOf(server.current, {
      ...credentials,
      baseUrl,
      obsBaseUrl: baseUrl,
      maxRetries: 0,
    });
    await withProxy(openTunnel, async (address) => {
      process.env.https_proxy = `http://${address}`;
      await failureOf(client.call("listKeys", place));
      await failureOf(client.call("updateAlert", { id: "a" }, {}));
    });
    const text = received.map((part) => part.toString("latin1")).join("\n");
    expect(text).to.match(/^CONNECT api\.example\.com:443 HTTP\/1\.1\r\n/);
    expect(received).to.have.length(4);
    // A TLS handshake begins with the byte 0x16, so the client sends only encrypted data through the proxy.
    expect([received[1]?.[0], received[3]?.[0]]).to.deep.equal([0x16, 0x16]);
    expect(text).to.not.match(/authorization|organizations|alerts/i);
    expectNoLeaks(credentials, { "what the proxy saw": text });
  });

  it("a proxy sees nothing of a request to this machine", async () => {
    for (const name of ["http_proxy", "https_proxy"]) process.env[name] = "http://127.0.0.1:9";
    server.current.answer(enveloped([]));
    expect(await clientOf(server.current).client.call("listKeys", place)).to.deep.equal([]);
  });

  const script = (timeoutSeconds: number) => `
    const { Client } = require("./provider/api/client");
    const { place, settingsFor } = require("./test/unit/api/server");
    const settings = settingsFor("https://api.example.com", { maxRetries: 0, timeoutSeconds: ${timeoutSeconds} });
    new Client(settings, () => undefined).call("listKeys", place).catch(({ message }) => console.log(message));`;

  const through = "through the proxy THE PROXY of https_proxy";
  for (const [what, treat, said, timeoutSeconds] of [
    ["closes", (socket: net.Socket) => socket.end(), `no answer within 1 s ${through}`, 1],
    [
      "resets",
      (socket: net.Socket) => socket.resetAndDestroy(),
      `the connection ${through} broke before`,
      10,
    ],
  ] as const)
    it(`an error names the proxy that ${what} the connection, and is reported before the process ends`, async () => {
      await withProxy(treat, async (address) => {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ["--require", "tsx/cjs", "--eval", script(timeoutSeconds)],
          {
            cwd: join(__dirname, "..", "..", ".."),
            env: { PATH: process.env.PATH, HOME: process.env.HOME, https_proxy: `http://u:pass@${address}` },
          },
        );
        expect(stdout).to.not.include("pass");
        expect(stdout.replace(address, "THE PROXY").slice(0, said.length)).to.equal(said);
      });
    }).timeout(60_000);
});

describe("Ids and credentials in requests", () => {
  const server = useServer();

  it("a credential cannot add a header to a request", async () => {
    const { client } = clientOf(server.current, { accessToken: "a\r\nX-Injected: yes", maxRetries: 0 });
    server.current.alwaysAnswer({ body: { data: { id: "a" } } });
    await client.call("updateAlert", { id: "a" }, {}).catch(() => undefined);
    for (const { headers } of server.current.requests) expect(headers).to.not.have.property("x-injected");
  });

  const keys = `/v1/organizations/${place.organizationId}/keys`;
  for (const id of [
    ...["a/../../b", "../x", "a/b", "a?b=c", "a#b", "a%2f..%2fb", "%2e%2e", "a\\..\\b", "//example.com"],
    ...["a\r\nX: y", "a;b", "http://example.com/", "\u202ea", "@example.com", "...", ". ", "💥"],
  ])
    it(`the client sends an id from a server as one segment of the path: ${JSON.stringify(id)}`, async () => {
      server.current.answer(enveloped({ id }));
      await clientOf(server.current).client.call("getKey", { ...place, id });
      const { path } = server.current.onlyRequest;
      expect(path.startsWith(`${keys}/`)).to.equal(true);
      const segment = path.slice(keys.length + 1);
      expect(segment).to.match(/^([\w.~!*'()-]|%[0-9A-F]{2})+$/);
      expect(decodeURIComponent(segment)).to.equal(id);
      // Servers and gateways normalize the path of a request, so the client must send it in its normal form.
      expect(new URL(path, server.current.url).pathname).to.equal(path);
    });

  for (const id of [".", "..", "\ud800", "a\udc00b"])
    it(`the client sends no request for an id that cannot be one segment of a path: ${JSON.stringify(id)}`, async () => {
      const { message } = await failureOf(clientOf(server.current).client.call("getKey", { ...place, id }));
      expect(message).to.match(/^getKey: the path parameter id (cannot be "\.+"|is not valid Unicode)$/);
      expect(server.current.requests).to.have.length(0);
    });
});
