import zlib from "node:zlib";
import { expect } from "chai";
import {
  LostAnswer,
  MalformedResponse,
  MissingRoute,
  RefusedRequest,
  TimedOut,
} from "../../../provider/api/errors";
import type { OperationName } from "../../../provider/api/operations";
import { differences, equal } from "../../../provider/lifecycle/compare";
import { dashboardResource } from "../../../provider/resources/dashboard";
import { idsByName, matchIds } from "../../../provider/resources/tiles";
import { settingVariables } from "../../pipestackCommand";
import { failureOf, failureOfType } from "../api/failure";
import { type Answer, clientOf, place, trickle, useServer } from "../api/server";
import { freshHost, freshIndex, type Host, withoutEnvironment } from "../freshProvider";

/** Members that every object has, or that lead to the prototype of all. */
const inherited = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "toJSON",
  "then",
];
const poison = `{"polluted": true, "prototype": {"polluted": true}, "__proto__": {"polluted": true}}`;
const poisoned = `{${inherited.map((name) => `"${name}": ${poison}`).join(", ")}, "id": "a"`;

/** Seconds for which this process computed: other than the time that went by, they do not depend on other processes. */
async function secondsOfWork(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function expectCleanPrototypes(): void {
  for (const value of [{}, [], () => undefined, "", 0])
    expect((value as { polluted?: unknown }).polluted, typeof value).to.equal(undefined);
  expect(Object.keys(Object.prototype)).to.deep.equal([]);
}

describe("a hostile answer", () => {
  const server = useServer();
  const read = (name: OperationName, parameters = {}) =>
    clientOf(server.current, { maxRetries: 0, timeoutSeconds: 60 }).client.call(
      name,
      { ...place, ...parameters },
      {},
    );

  it("cannot fill prototypes, whatever it calls its members", async () => {
    for (const body of [
      `{"status": 200, "requestId": "r", "__proto__": ${poison}, "result": [${poisoned}}]}`,
      `{"__proto__": {"result": [${poisoned}}]}}`,
      `{"constructor": {"prototype": {"polluted": true}}, "result": [${poisoned}, "tiles": [${poisoned}}]}]}`,
    ]) {
      server.current.answer({ body }, { status: 400, body });
      await read("listDashboards").catch(() => undefined);
      await read("listDashboards").catch(() => undefined);
      expectCleanPrototypes();
    }
  });

  for (const [what, body] of [
    ["a million opened lists", "[".repeat(1_000_000)],
    ["a million lists", `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`],
    ["a million objects", `${'{"result":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}`],
    ["101 lists in a good answer", `{"result":${"[".repeat(100)}${"]".repeat(100)}}`],
    [
      "5000 objects in a good answer",
      `{"result":[{"id":"a","config":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}]}`,
    ],
  ] as const) {
    it(`that is nested too deep is refused: ${what}`, async () => {
      server.current.answer({ body }, { status: 404, body }, { status: 400, body });
      await failureOfType(read("listKeys"), MalformedResponse);
      await failureOfType(read("listKeys"), MissingRoute);
      const { message } = await failureOfType(read("listKeys"), RefusedRequest);
      expect(message.length).to.be.below(1000);
    });
  }

  it("that is nested as deep as any tile is taken", async () => {
    const config = `${'{"a":'.repeat(50)}1${"}".repeat(50)}`;
    server.current.answer({ body: `{"result":[{"id":"a","tiles":[{"config":${config}}]}]}` });
    expect(await read("listDashboards")).to.have.length(1);
  });

  it("with a million members or entries is read in a moment", async () => {
    const members = Array.from({ length: 1_000_000 }, (_, index) => `"m${index}":${index}`).join(",");
    const entries = Array.from({ length: 1_000_000 }, () => '{"id":"a"}').join(",");
    server.current.answer({ body: `{"result":{"id":"a",${members}}}` }, { body: `{"result":[${entries}]}` });
    const work = await secondsOfWork(async () => {
      await read("getService");
      expect(await read("listKeys")).to.have.length(1_000_000);
    });
    expect(work).to.be.below(10);
  }).timeout(120_000);

  for (const [what, text] of [
    ["opened tags", "<a".repeat(5_000_000)],
    ["angle brackets", `<a>${"<".repeat(10_000_000)}`],
    ["opened scripts", "<script>".repeat(1_000_000)],
    ["spaces", `${" ".repeat(10_000_000)}x`],
    ["entities", "&nbsp;".repeat(2_000_000)],
  ] as const) {
    it(`with a message of ${what} without end is cut in a moment`, async () => {
      for (const body of [text, { error: text }, { errors: [text, [text]] }]) {
        server.current.answer({ status: 400, body });
        const work = await secondsOfWork(async () => {
          const { message } = await failureOfType(read("listKeys"), RefusedRequest);
          expect(message.length).to.be.below(600);
        });
        expect(work).to.be.below(4);
      }
    });
  }

  it("cannot ask for a file or for another host: nothing in it is looked up", async () => {
    const links = [
      "file:///etc/passwd",
      "http://169.254.169.254/latest",
      "../../etc/passwd",
      "\\\\host\\share",
    ];
    for (const link of links) {
      const members = {
        $ref: link,
        url: link,
        href: link,
        next: link,
        location: link,
        result: link,
        data: link,
      };
      server.current.answer(
        {
          headers: { Link: `<${link}>; rel=next`, Location: link, Refresh: `0; url=${link}` },
          body: members,
        },
        { status: 401, headers: { "WWW-Authenticate": `Bearer realm="${link}"` }, body: members },
        { status: 302, headers: { Location: encodeURI(link) }, body: members },
      );
      for (let count = 0; count < 3; count++) {
        const { message } = await failureOf(read("listKeys"));
        expect(message).to.not.match(/root:|ENOENT|EACCES/);
      }
    }
    expect(server.current.requests).to.have.length(links.length * 3);
  });

  it("cannot make the provider think that an object is gone by a member that every object has", async () => {
    for (const body of [
      '{"error": {}, "requestId": {}}',
      '{"requestId": "r"}',
      "{}",
      "[]",
      '"error"',
      "null",
      "1e999",
    ]) {
      server.current.answer({ status: 404, body });
      await failureOfType(read("getKey", { id: "a" }), MissingRoute);
    }
  });
});

describe("a server that never finishes", () => {
  const server = useServer();
  const limit = 0.3;

  /** Sends the same piece again and again, as fast as it is taken. */
  const endless =
    (piece: string | Buffer, headers = {}): Answer =>
    (_request, response) => {
      response.writeHead(200, headers);
      const send = (): void => {
        while (!response.destroyed) if (!response.write(piece)) return void response.once("drain", send);
      };
      send();
    };

  const answers: { [what: string]: Answer } = {
    "with its headers": (request) => {
      request.socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => request.socket.write("X-More: 1\r\n"), 20);
      request.socket.on("close", () => clearInterval(timer));
    },
    "with the first line": (request) => {
      const timer = setInterval(() => request.socket.write("H"), 1000);
      request.socket.on("close", () => clearInterval(timer));
    },
    "to say that it goes on": (request) => {
      const timer = setInterval(() => request.socket.write("HTTP/1.1 100 Continue\r\n\r\n"), 5);
      request.socket.on("close", () => clearInterval(timer));
    },
    "its body, byte by byte": trickle,
    "an empty body": endless(""),
    "to compress nothing": (_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" });
      const gzip = zlib.createGzip();
      gzip.pipe(response);
      const timer = setInterval(() => gzip.flush(), 20);
      response.on("close", () => clearInterval(timer));
    },
  };
  answers["an empty body"] = (_request, response) =>
    response.writeHead(200, { "Content-Length": 5 }).flushHeaders();

  for (const [what, answer] of Object.entries(answers)) {
    it(`is left after the time limit: ${what}`, async () => {
      server.current.alwaysAnswer(answer);
      const { client } = clientOf(server.current, { timeoutSeconds: limit, maxRetries: 0 });
      const begin = performance.now();
      for (const name of ["listKeys", "createKey"] as const)
        await failureOfType(client.call(name, place, {}), TimedOut);
      const seconds = (performance.now() - begin) / 1000;
      expect(seconds)
        .to.be.above(limit)
        .and.below(limit * 2 + 5);
    });
  }

  for (const [what, answer] of [
    ["sends", endless(Buffer.alloc(1 << 20, " "))],
    [
      "packs into a bomb",
      {
        headers: { "Content-Encoding": "gzip" },
        body: zlib.gzipSync(Buffer.alloc(256 << 20, " "), { level: 9 }),
      },
    ],
    [
      "packs into a bomb of another kind",
      {
        headers: { "Content-Encoding": "br" },
        body: zlib.brotliCompressSync(Buffer.alloc(256 << 20), {
          params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 },
        }),
      },
    ],
    [
      "packs into bombs one after the other",
      {
        headers: { "Content-Encoding": "gzip" },
        body: Buffer.concat(Array(40).fill(zlib.gzipSync(Buffer.alloc(4 << 20)))),
      },
    ],
  ] as [string, Answer][]) {
    it(`is left at 64 MB of what it ${what}, and not asked again`, async () => {
      server.current.alwaysAnswer(answer);
      const { client } = clientOf(server.current, { timeoutSeconds: 20, maxRetries: 4 });
      const before = process.memoryUsage.rss();
      const error = await failureOfType(client.call("listKeys", place), MalformedResponse);
      expect(error.message).to.include("the answer is too large or cannot be decoded");
      expect(server.current.requests).to.have.length(1);
      expect(process.memoryUsage.rss() - before).to.be.below(600 << 20);
    }).timeout(30_000);
  }

  it("is left where its headers have no end", async () => {
    server.current.alwaysAnswer((request) => {
      const send = (): void => {
        while (!request.socket.destroyed)
          if (!request.socket.write(`X-More: ${"a".repeat(1000)}\r\n`))
            return void request.socket.once("drain", send);
      };
      request.socket.write("HTTP/1.1 200 OK\r\n");
      send();
    });
    const { client } = clientOf(server.current, { timeoutSeconds: 5, maxRetries: 0 });
    await failureOfType(client.call("listKeys", place), LostAnswer);
  });
});

describe("names that every object has", () => {
  it("are names of tiles like any other", () => {
    const ids = ["1", "2", "3", "4", "5", "6", "7", "8"];
    const tiles = inherited.map((name, index) => ({ name, id: ids[index] }));
    const tileIds = idsByName(tiles);
    expect(Object.entries(tileIds)).to.deep.equal(inherited.map((name, index) => [name, ids[index]]));
    expect(Object.getPrototypeOf(tileIds)).to.equal(Object.prototype);
    const declared = inherited.map((name) => ({ name }));
    expect(matchIds(declared, tiles, tileIds)).to.deep.equal(ids);
    // New tiles that are called so have no id.
    expect(matchIds(declared, [], {})).to.deep.equal(inherited.map(() => undefined));
    // Renamed to that, a tile keeps its id by its position.
    expect(matchIds([{ name: "constructor" }], [{ name: "Errors" }], { Errors: "e" })).to.deep.equal(["e"]);
  });

  it("differ where only one value has them", () => {
    const config = (text: string) => ({ tiles: [{ name: "a", config: JSON.parse(text) }] });
    for (const name of inherited) {
      const [left, right] = [config(`{"a": 1, "${name}": "x"}`), config('{"a": 1}')];
      expect(equal(dashboardResource.inputs, left, right), name).to.equal(false);
      const found = differences(dashboardResource.inputs, left, right);
      expect(found.map(({ keys, right: other }) => [keys, other])).to.deep.equal([
        [["tiles", 0, "config", name], undefined],
      ]);
    }
  });

  describe("in what the engine sends", () => {
    let host: Host;
    let restore: () => void;
    before(() => {
      restore = withoutEnvironment();
      host = freshHost(settingsWithoutServer);
    });
    after(() => restore());
    const settingsWithoutServer = {
      ...place,
      baseUrl: "http://127.0.0.1:9",
      keyId: "keyId",
      keySecret: "secret",
    };

    it("are refused where they are no properties, and kept where they are keys", async () => {
      for (const name of inherited.filter((one) => one !== "__proto__")) {
        const inputs = { roles: ["admin"], keepers: { [name]: "x" } };
        const good = await host.ApiKey.check?.({}, inputs);
        expect(good?.failures, name).to.deep.equal([]);
        const refused = await host.ApiKey.check?.({}, { ...inputs, [name]: "x" });
        expect(refused?.failures?.[0]?.reason).to.match(new RegExp(`^${name} is not known here; known are `));
        const change = await host.ApiKey.diff?.(
          "id",
          { ...inputs, ...place, keepers: {} },
          { ...inputs, ...place },
        );
        expect(change, name).to.deep.include({ changes: true });
      }
      expectCleanPrototypes();
    });

    it("and nested too deep, are a plain error", async () => {
      let config: unknown = "x";
      for (let depth = 0; depth < 5000; depth++) config = { config };
      const inputs = { name: "d", tiles: [{ name: "t", x: 0, y: 0, w: 1, h: 1, config }] };
      const { message, stack } = await failureOf(host.Dashboard.check?.({}, inputs) ?? Promise.resolve());
      expect(message).to.equal("a property is nested more than 100 levels deep");
      expect(stack).to.equal(message);
    });
  });
});

describe("an answer that the engine would take for more than data", () => {
  const server = useServer();
  let restore: () => void;
  before(() => {
    restore = withoutEnvironment();
  });
  after(() => restore());

  const signature = "4dabf18193072939515e22adb298388d";
  const marks = {
    secret: { [signature]: "1b47061264138c4ac30d75fd1eb44270", value: "x" },
    // The engine reads these files.
    file: { [signature]: "c44067f5952c0a294b673a41bacd8c17", path: "/etc/passwd" },
    archive: { [signature]: "0def7320c3a5731c473e5ecbe6d01bc7", path: "/etc" },
    remote: { [signature]: "c44067f5952c0a294b673a41bacd8c17", uri: "http://169.254.169.254/" },
    resource: { [signature]: "5cf8f73096256a8f31e491e813e4eb8e", urn: "urn:pulumi:dev::test::a:b:C::d" },
    output: { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", value: "x" },
    unknown: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  };
  const tile = { id: "t", name: "t", x: 0, y: 0, w: 1, h: 1, config: { ...marks, displayType: "line" } };
  const dashboard = { id: "a", name: "d", tiles: [tile], ...marks };
  const settings = () => {
    const { url } = server.current;
    const credentials = { keyId: "keyId", keySecret: "key-secret", accessToken: "token" };
    return { baseUrl: url, obsBaseUrl: url, ...credentials, ...place, maxRetries: "0" };
  };

  function expectOnlyData(value: unknown): void {
    const text = JSON.stringify(value);
    expect(text).to.include("/etc/passwd").and.not.include(signature).and.not.include(marks.unknown);
  }

  it("is only data in a state", async () => {
    server.current.alwaysAnswer({ body: { status: 200, requestId: "r", result: [dashboard] } });
    const found = await freshHost(settings()).Dashboard.read?.("a", { ...place });
    expectOnlyData(found?.props);
    expectOnlyData(found?.inputs);
  });

  it("is only data in the result of a function", async () => {
    server.current.alwaysAnswer({ body: { status: 200, requestId: "r", result: [dashboard] } });
    Object.assign(process.env, settingVariables(settings()));
    expectOnlyData(await freshIndex().getDashboards());
  });
});
