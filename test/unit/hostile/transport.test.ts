import { execFile } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { Client } from "../../../provider/api/client";
import { SettingsError, Unreachable } from "../../../provider/api/errors";
import { resolveSettings } from "../../../provider/api/settings";
import { expectNoLeaks, tellingSecret } from "../../secrets";
import { failureOf, failureOfType } from "../api/failure";
import { enveloped, place, settingsFor, useServer } from "../api/server";

const resolve = (settings: { readonly [name: string]: string }) =>
  resolveSettings([(name) => settings[name]]);

describe("plain http", () => {
  const elsewhere = [
    ...["http://api.example.com", "HTTP://API.EXAMPLE.COM", "http:api.example.com"],
    ...["http:\\\\api.example.com", "ht\ttp://api.example.com", "http://127.0.0.1.example.com"],
    ...["http://127.0.0.1\t.example.com", "http://localhost.example.com", "http://localhost."],
    ...["http://LOCALHOST.", "http://my-localhost", "http://localhost%2eexample.com", "http://0.0.0.0"],
    ...["http://0", "http://128.0.0.1", "http://2130706434.example.com", "http://0x7e000001"],
    ...["http://10.0.0.1", "http://192.168.0.1", "http://169.254.169.254", "http://[::]"],
    ...["http://[::ffff:10.0.0.1]", "http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]"],
    ...["http://[64:ff9b::7f00:1]", "http://[fe80::1]", "http://user@127.0.0.1"],
    ...["http://127.0.0.1@example.com", "http://127.0.0.1:80@example.com"],
    ...["http://127.0.0.1#@example.com", "http://127.0.0.1?@example.com"],
    ...["http://example.com#127.0.0.1", "http://ⓔⓧⓐⓜⓟⓛⓔ.com", "ws://127.0.0.1", "ftp://127.0.0.1"],
    ...["file:///etc/passwd", "data:text/plain,a", "javascript:alert(1)", "unix:/var/run/docker.sock"],
  ];
  for (const address of elsewhere) {
    it(`is refused to an address elsewhere: ${JSON.stringify(address)}`, () => {
      for (const name of ["baseUrl", "obsBaseUrl"])
        expect(() => resolve({ [name]: address })).to.throw(
          SettingsError,
          `${name} must be an https:// address`,
        );
    });
  }

  // Other spellings of loopback addresses, which a URL turns into the usual one before anything is looked up.
  const numbers = ["http://0x7f000001", "http://2130706433", "http://127.1", "http://017700000001"];
  for (const address of [...numbers, "http://127。0。0。1"]) {
    it(`is allowed to another form of a loopback address: ${address}`, () => {
      expect(resolve({ baseUrl: `${address}:8080` }).baseUrl).to.equal("http://127.0.0.1:8080");
    });
  }

  describe("to a name that should mean this machine", () => {
    const server = useServer();
    const { lookup } = dns;
    afterEach(() => {
      dns.lookup = lookup;
    });

    /** A resolver that says this of every name. */
    function resolveTo(...addresses: string[]): void {
      const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
      const answer = (_host: string, options: dns.LookupOptions, callback: (...args: unknown[]) => void) =>
        options.all ? callback(null, found) : callback(null, found[0]?.address, found[0]?.family);
      dns.lookup = answer as typeof dns.lookup;
    }

    const clientAt = (host: string) => {
      const url = server.current.url.replace("127.0.0.1", host);
      return new Client(settingsFor(url, { maxRetries: 0 }), () => undefined);
    };

    for (const host of ["localhost", "stack.localhost"]) {
      it(`is sent if a resolver says so: ${host}`, async () => {
        resolveTo("127.0.0.1");
        server.current.answer(enveloped([]));
        expect(await clientAt(host).call("listKeys", place)).to.deep.equal([]);
      });

      it(`is not sent if a resolver says otherwise: ${host}`, async () => {
        for (const addresses of [["10.255.255.1"], ["127.0.0.1", "10.255.255.1"], ["::ffff:10.255.255.1"]]) {
          resolveTo(...addresses);
          const error = await failureOfType(clientAt(host).call("listKeys", place), Unreachable);
          expect(error.message)
            .to.include(`${host}:`)
            .and.include(`cannot be reached (${host} is not this machine); check the address`);
        }
        expect(server.current.connections).to.equal(0);
      });
    }
  });
});

describe("a proxy of the environment", () => {
  const variables = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY"];
  let before: NodeJS.ProcessEnv;
  beforeEach(() => {
    before = { ...process.env };
    for (const name of variables) delete process.env[name];
  });
  afterEach(() => {
    for (const name of variables) delete process.env[name];
    Object.assign(process.env, before);
  });

  it("sees the host of a request, and neither its path nor its credentials", async () => {
    const received: Buffer[] = [];
    const proxy = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (request) => {
        received.push(request);
        socket.once("data", (hello) => {
          received.push(hello);
          socket.destroy();
        });
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      });
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    process.env.https_proxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    try {
      const credentials = { keySecret: tellingSecret("key"), accessToken: tellingSecret("token") };
      const settings = settingsFor("https://api.example.com", { ...credentials, maxRetries: 0 });
      const client = new Client(settings, () => undefined);
      await failureOf(client.call("listKeys", place));
      await failureOf(client.call("updateAlert", { id: "a" }, {}));
      const text = received.map((part) => part.toString("latin1")).join("\n");
      expect(text).to.match(/^CONNECT api\.example\.com:443 HTTP\/1\.1\r\n/);
      expect(received).to.have.length(4);
      // The first bytes inside the tunnel begin a TLS handshake.
      expect([received[1]?.[0], received[3]?.[0]]).to.deep.equal([0x16, 0x16]);
      expect(text).to.not.match(/authorization|organizations|alerts/i);
      expectNoLeaks(credentials, { "what the proxy saw": text });
    } finally {
      proxy.close();
    }
  });
});

describe("a proxy of the environment that fails", () => {
  const script = (timeoutSeconds: number) => `
    const { Client } = require("./provider/api/client");
    const { place, settingsFor } = require("./test/unit/api/server");
    const settings = settingsFor("https://api.example.com", { maxRetries: 0, timeoutSeconds: ${timeoutSeconds} });
    new Client(settings, () => undefined).call("listKeys", place).catch(({ message }) => console.log(message));`;

  /** What a process says of a call through a proxy that treats each request for a tunnel so. */
  async function saidThrough(treat: (socket: net.Socket) => void, timeoutSeconds = 10): Promise<string> {
    const proxy = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => treat(socket));
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--require", "tsx/cjs", "--eval", script(timeoutSeconds)],
        {
          cwd: join(__dirname, "..", "..", ".."),
          env: { PATH: process.env.PATH, HOME: process.env.HOME, https_proxy: `http://u:pass@${address}` },
        },
      );
      expect(stdout).to.not.include("pass");
      return stdout.replace(address, "THE PROXY");
    } finally {
      proxy.close();
    }
  }

  const through = "through the proxy THE PROXY of https_proxy";
  for (const [what, treat, said, timeoutSeconds] of [
    ["closes the connection", (socket) => socket.end(), `no answer within 1 s ${through}`, 1],
    [
      "resets the connection",
      (socket) => socket.resetAndDestroy(),
      `the connection ${through} broke before the answer was complete`,
      10,
    ],
  ] as [string, (socket: net.Socket) => void, string, number][]) {
    it(`is named by the process, which ends only then, if it ${what}`, async () => {
      expect((await saidThrough(treat, timeoutSeconds)).slice(0, said.length)).to.equal(said);
    }).timeout(60_000);
  }
});

describe("a setting that would end its header", () => {
  const server = useServer();

  for (const ending of ["\n", "\r\n", "\r", "\u0000", "\u2028", "\u0085", "\t", " ", "é"]) {
    for (const name of ["keyId", "keySecret", "accessToken"]) {
      it(`is refused before any request, and not shown: ${name} with ${JSON.stringify(ending)}`, () => {
        const injected = `first${ending}X-Injected: yes`;
        // The whole of the message: it has no room for the value.
        const rule = `^setting ${name} must be printable ASCII without spaces; set it with "pulumi config set [^"]*" or`;
        expect(() => resolve({ [name]: injected })).to.throw(
          SettingsError,
          new RegExp(`${rule} the environment variable [A-Z_]+$`),
        );
      });
    }
    for (const name of ["organizationId", "serviceId"]) {
      it(`is refused before any request: ${name} with ${JSON.stringify(ending)}`, () => {
        const injected = `7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11${ending}X-Injected: yes`;
        expect(() => resolve({ [name]: injected })).to.throw(SettingsError, `${name} must be a uuid`);
      });
    }
  }

  it("adds no header if it reaches the client", async () => {
    const settings = settingsFor(server.current.url, { accessToken: "a\r\nX-Injected: yes", maxRetries: 0 });
    const client = new Client(settings, () => undefined);
    server.current.alwaysAnswer({ body: { data: { id: "a" } } });
    await failureOf(client.call("updateAlert", { id: "a" }, {})).catch(() => undefined);
    for (const { headers } of server.current.requests) expect(headers).to.not.have.property("x-injected");
  });
});

describe("an id that a server gave", () => {
  const server = useServer();
  const keys = `/v1/organizations/${place.organizationId}/keys`;

  for (const id of [
    ...["a/../../b", "../x", "a/b", "a?b=c", "a#b", "a%2f..%2fb", "%2e%2e", "a\\..\\b", "//example.com"],
    ...["a\r\nX: y", "a;b", "http://example.com/", "\u202ea", "@example.com", "...", ". ", "💥"],
  ]) {
    it(`is one segment of a later path: ${JSON.stringify(id)}`, async () => {
      server.current.answer(enveloped({ id }));
      const client = new Client(settingsFor(server.current.url), () => undefined);
      await client.call("getKey", { ...place, id });
      const { path } = server.current.onlyRequest;
      expect(path.startsWith(`${keys}/`)).to.equal(true);
      const segment = path.slice(keys.length + 1);
      expect(segment).to.match(/^([\w.~!*'()-]|%[0-9A-F]{2})+$/);
      expect(decodeURIComponent(segment)).to.equal(id);
      // As every server and every gateway before it sees it.
      expect(new URL(path, server.current.url).pathname).to.equal(path);
    });
  }

  for (const id of [".", "..", "\ud800", "a\udc00b"]) {
    it(`is refused if no encoding makes it one segment: ${JSON.stringify(id)}`, async () => {
      const client = new Client(settingsFor(server.current.url), () => undefined);
      const { message } = await failureOf(client.call("getKey", { ...place, id }));
      expect(message).to.match(/^getKey: id (cannot be "\.+"|holds half of a character)$/);
      expect(server.current.requests).to.have.length(0);
    });
  }
});
