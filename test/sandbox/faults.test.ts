import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import {
  createSandbox,
  type Fault,
  faultKindNames,
  faultKinds,
  faultSchema,
  type JournalEntry,
  operationNames,
  type Sandbox,
} from "../../sandbox/src";
import { Client, dashboard, send } from "./requests";

/** Statuses of some requests in a row for the alerts of the first service. */
async function statuses(client: Client, count: number): Promise<number[]> {
  const all: number[] = [];
  while (all.length < count) all.push((await client.service("GET", "/stack/alerts")).status);
  return all;
}

describe("sandbox: which calls a fault happens to", () => {
  let client: Client;
  before(async () => {
    client = await Client.start();
  });
  beforeEach(async () => {
    await client.sandbox.faults.clear();
    await client.sandbox.reset();
  });
  after(() => client.sandbox.close());

  const set = (...faults: Fault[]) => client.sandbox.faults.set(faults);

  it("every call of its operation, on both APIs, and no other", async () => {
    await set({ kind: "409", operation: "listAlerts" });
    expect(await statuses(client, 2)).to.deep.equal([409, 409]);
    expect((await client.observability("GET", "/alerts")).status).to.equal(409);
    expect((await client.service("GET", "/stack/dashboards")).status).to.equal(200);
    expect((await client.service("GET", `/stack/alerts/${"0".repeat(24)}`)).status).to.equal(404);
  });

  it("only on the API that it names", async () => {
    await set({ kind: "409", operation: "listAlerts", api: "observability" });
    expect(await statuses(client, 1)).to.deep.equal([200]);
    expect((await client.observability("GET", "/alerts")).status).to.equal(409);
  });

  it("* is any request, also to an unknown route", async () => {
    await set({ kind: "409", operation: "*" });
    expect(await statuses(client, 1)).to.deep.equal([409]);
    expect((await send("GET", `${client.sandbox.baseUrl}/nothing`)).status).to.equal(409);
  });

  it("nth: one call, counted since the fault was set", async () => {
    await statuses(client, 2);
    await set({ kind: "409", operation: "listAlerts", nth: 2 });
    expect(await statuses(client, 4)).to.deep.equal([200, 409, 200, 200]);
  });

  it("from and to: these calls, both included; each by itself is open at the other end", async () => {
    await set({ kind: "409", operation: "listAlerts", from: 2, to: 3 });
    expect(await statuses(client, 5)).to.deep.equal([200, 409, 409, 200, 200]);
    await set({ kind: "409", operation: "listAlerts", from: 3 });
    expect(await statuses(client, 4)).to.deep.equal([200, 200, 409, 409]);
    await set({ kind: "409", operation: "listAlerts", to: 2 });
    expect(await statuses(client, 4)).to.deep.equal([409, 409, 200, 200]);
  });

  it("probability: by chance, the same calls for the same seed", async () => {
    const fault: Fault = { kind: "409", operation: "listAlerts", probability: 0.3, seed: 7 };
    await set(fault);
    const first = await statuses(client, 200);
    await set(fault);
    expect(await statuses(client, 200)).to.deep.equal(first);
    await set({ ...fault, seed: 8 });
    expect(await statuses(client, 200)).to.not.deep.equal(first);
    expect(first.filter((status) => status === 409).length).to.be.within(40, 80);
    await set({ ...fault, probability: 0 });
    expect(await statuses(client, 20)).to.not.include(409);
    await set({ ...fault, probability: 1, nth: 2 });
    expect(await statuses(client, 3)).to.deep.equal([200, 409, 200]);
  });

  it("of several the one that was set first happens, and all of them count", async () => {
    await set(
      { kind: "409", operation: "listAlerts", nth: 1 },
      { kind: "403", operation: "*", to: 2 },
      { kind: "400", operation: "listAlerts", nth: 3 },
    );
    expect(await statuses(client, 4)).to.deep.equal([409, 403, 400, 200]);
    expect(client.sandbox.faults.list().map(({ seen, met }) => [seen, met])).to.deep.equal([
      [4, 1],
      [4, 1],
      [4, 1],
    ]);
  });

  it("faults are listed, added and cleared while the sandbox runs", async () => {
    const { faults } = client.sandbox;
    const first = await faults.add({ kind: "409", operation: "listAlerts" });
    const second = await faults.add({ kind: "403", operation: "listDashboards", nth: 2 });
    expect(faults.list()).to.deep.equal([
      { id: first, fault: { kind: "409", operation: "listAlerts" }, seen: 0, met: 0 },
      { id: second, fault: { kind: "403", operation: "listDashboards", nth: 2 }, seen: 0, met: 0 },
    ]);
    await faults.clear(first);
    expect(faults.list().map(({ id }) => id)).to.deep.equal([second]);
    expect(await statuses(client, 1)).to.deep.equal([200]);
    await faults.clear();
    expect(faults.list()).to.deep.equal([]);
  });

  it("what was given may be changed afterwards: the fault stays as it was set", async () => {
    const fault: Fault = { kind: "409", operation: "listAlerts" };
    await set(fault);
    fault.kind = "403";
    expect(await statuses(client, 1)).to.deep.equal([409]);
  });

  it("reset leaves them set and counts from the start", async () => {
    await set({ kind: "409", operation: "listAlerts", nth: 2 });
    expect(await statuses(client, 2)).to.deep.equal([200, 409]);
    await client.sandbox.reset();
    expect(client.sandbox.faults.list()[0]).to.include({ seen: 0, met: 0 });
    expect(await statuses(client, 2)).to.deep.equal([200, 409]);
  });

  it("can be given at the start", async () => {
    const other = await Client.start({ faults: [{ kind: "409", operation: "listAlerts" }] });
    expect(await statuses(other, 1)).to.deep.equal([409]);
    await other.sandbox.close();
  });
});

describe("sandbox: what is no fault", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await createSandbox({ faults: [{ kind: "409", operation: "listAlerts" }] });
  });
  after(() => sandbox.close());

  const refused: [unknown, string][] = [
    [{}, "faults must be a list of faults"],
    [["500"], "faults[0] must be an object"],
    [[null], "faults[0] must be an object"],
    [[{ kind: "500" }], "faults[0].operation must be one of *, listKeys, "],
    [[{ operation: "*" }], "faults[0].kind must be one of 400, 401, "],
    [[{ kind: "418", operation: "*" }], "faults[0].kind must be one of 400, 401, "],
    [[{ kind: 500, operation: "*" }], "faults[0].kind must be one of 400, 401, "],
    [[{ kind: "500", operation: "makeAlert" }], "faults[0].operation must be one of *, "],
    [
      [{ kind: "500", operation: "*", api: "both" }],
      "faults[0].api must be one of management, observability",
    ],
    [[{ kind: "500", operation: "*", nht: 1 }], "faults[0].nht is no member of a fault"],
    [[{ kind: "500", operation: "*", nth: 0 }], "faults[0].nth must be a whole number from 1"],
    [[{ kind: "500", operation: "*", nth: "1" }], "faults[0].nth must be a whole number from 1"],
    [
      [
        { kind: "500", operation: "*" },
        { kind: "500", operation: "*", from: 1.5 },
      ],
      "faults[1].from must be a whole number from 1",
    ],
    [[{ kind: "500", operation: "*", nth: 1, from: 1 }], "faults[0].nth conflicts with from and to"],
    [[{ kind: "500", operation: "*", from: 3, to: 2 }], "faults[0].from must not be above to"],
    [[{ kind: "500", operation: "*", probability: 5 }], "faults[0].probability must be a number from 0 to 1"],
    [[{ kind: "500", operation: "*", seed: 1 }], "faults[0].seed has no meaning without probability"],
    [[{ kind: "400", operation: "*", when: "after" }], "faults[0].when must be before for one of kind 400"],
    [[{ kind: "500", operation: "*", when: "later" }], "faults[0].when must be one of before, after"],
    [[{ kind: "500", operation: "*", seconds: 1 }], "faults[0].seconds has no meaning for one of kind 500"],
    [[{ kind: "429", operation: "*", seconds: -1 }], "faults[0].seconds must be a number from 0 to 3600"],
    [
      [{ kind: "delay", operation: "*", milliseconds: 0.5 }],
      "faults[0].milliseconds must be a whole number from 1 to 600000",
    ],
    [
      [{ kind: "redirect", operation: "*", location: "elsewhere" }],
      "faults[0].location must be an origin, such as https://elsewhere.invalid",
    ],
    [
      [{ kind: "refused", operation: "listAlerts" }],
      "faults[0].operation must be * for one of kind refused: a connection comes before its request",
    ],
    [
      [{ kind: "refused", operation: "*", from: 2 }],
      "faults[0]: one of kind refused starts with nth and ends when it is cleared",
    ],
  ];
  for (const [faults, message] of refused) {
    it(`${JSON.stringify(faults)} is refused: ${message}`, async () => {
      const given = faults as Fault[];
      for (const attempt of [() => createSandbox({ faults: given }), () => sandbox.faults.set(given)]) {
        const error = await attempt().then(
          () => undefined,
          (reason: Error) => reason,
        );
        expect(error).to.be.instanceOf(TypeError);
        expect(error?.message.startsWith(message), error?.message).to.equal(true);
      }
      expect(sandbox.faults.list()).to.have.length(1);
    });
  }

  it("add names no position", async () => {
    const error = await sandbox.faults.add({ kind: "500", operation: "*", nth: 0 }).catch((reason) => reason);
    expect(error).to.be.instanceOf(TypeError);
    expect(error.message).to.equal("fault.nth must be a whole number from 1");
    expect(sandbox.faults.list()).to.have.length(1);
  });

  it("a foreign certificate is refused by a sandbox without TLS", async () => {
    const fault: Fault = { kind: "certificate", operation: "*" };
    for (const attempt of [() => sandbox.faults.set([fault]), () => createSandbox({ faults: [fault] })]) {
      const error = await attempt().then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.equal("a fault of kind certificate needs a sandbox that serves with TLS");
    }
  });

  it("the schema is plain JSON, with a description of each member", () => {
    const { properties } = JSON.parse(JSON.stringify(faultSchema));
    for (const [name, { description }] of Object.entries<{ description?: string }>(properties)) {
      expect(description, name).to.match(/^[A-Z].{10,}/);
    }
  });
});

describe("sandbox: operations", () => {
  it("every route has a name, which the journal says", async () => {
    const client = await Client.start();
    const { organizationId, serviceId } = client.sandbox.credentials;
    const service = `/v1/organizations/${organizationId}/services/${serviceId}`;
    const routes: [string, string, string][] = [
      ...collection("Key", `/v1/organizations/${organizationId}/keys`, "PATCH"),
      ...collection("Dashboard", `${service}/stack/dashboards`, "PUT"),
      ...collection("Alert", `${service}/stack/alerts`, "PUT"),
      ["getService", "GET", service],
      ["updateScaling", "PATCH", `${service}/scaling`],
      ["updateReplicaScaling", "PATCH", `${service}/replicaScaling`],
      ["getQueryEndpoint", "GET", `${service}/serviceQueryEndpoint`],
      ["putQueryEndpoint", "POST", `${service}/serviceQueryEndpoint`],
      ["deleteQueryEndpoint", "DELETE", `${service}/serviceQueryEndpoint`],
      ["listPipes", "GET", `${service}/pipes`],
      ["createPipe", "POST", `${service}/pipes`],
      ["getPipe", "GET", `${service}/pipes/x`],
      ["getPipeSettings", "GET", `${service}/pipes/x/settings`],
      ["putPipeSettings", "PUT", `${service}/pipes/x/settings`],
      ["listReversePrivateEndpoints", "GET", `${service}/pipesReversePrivateEndpoints`],
      ["listSources", "GET", `${service}/stack/sources`],
      ["listWebhooks", "GET", `${service}/stack/webhooks`],
    ];
    const observability: [string, string, string][] = [
      ...collection("Dashboard", "/api/v2/dashboards", "PUT"),
      ...collection("Alert", "/api/v2/alerts", "PUT"),
      ["listSources", "GET", "/api/v2/sources"],
      ["listWebhooks", "GET", "/api/v2/webhooks"],
      ["getChartSeries", "POST", "/api/v2/charts/series"],
    ];
    const { baseUrl, obsBaseUrl } = client.sandbox;
    for (const [, method, path] of routes) await send(method, baseUrl + path);
    for (const [, method, path] of observability) await send(method, obsBaseUrl + path);
    const journal = ({ operation, method, path }: JournalEntry) => [operation, method, path];
    expect(client.sandbox.requests.map(journal)).to.deep.equal([...routes, ...observability]);
    const names = new Set([...routes, ...observability].map(([name]) => name));
    expect(names).to.deep.equal(new Set(operationNames));
    await send("GET", `${baseUrl}/nothing`);
    expect(client.sandbox.requests.at(-1)).to.not.have.any.keys("operation", "fault");
    await client.sandbox.close();
  });
});

function collection(noun: string, path: string, update: string): [string, string, string][] {
  return [
    [`list${noun}s`, "GET", path],
    [`create${noun}`, "POST", path],
    [`get${noun}`, "GET", `${path}/x`],
    [`update${noun}`, update, `${path}/x`],
    [`delete${noun}`, "DELETE", `${path}/x`],
  ];
}

describe("sandbox: the journal of faults", () => {
  let client: Client;
  before(async () => {
    client = await Client.start();
  });
  after(() => client.sandbox.close());

  it("names the fault and the status that was answered, and holds no secret", async () => {
    const { keySecret, accessToken } = client.sandbox.credentials;
    for (const kind of faultKindNames) {
      if ("ofConnections" in faultKinds[kind]) continue;
      const small = kind === "huge" || kind === "gzip-bomb" ? { megabytes: 1 } : {};
      const short = kind === "delay" ? { milliseconds: 1 } : {};
      await client.sandbox.faults.set([{ kind, operation: "createDashboard", ...small, ...short }]);
      client.sandbox.requests.length = 0;
      await client
        .service("POST", "/stack/dashboards", { ...dashboard, name: keySecret })
        .catch(() => undefined);
      await client
        .observability("POST", "/dashboards", { ...dashboard, name: accessToken })
        .catch(() => undefined);
      const entries = client.sandbox.requests.map(({ fault, operation }) => ({ fault, operation }));
      const entry = { fault: kind, operation: "createDashboard" };
      // The client may repeat a request of its own accord when a used connection was reset.
      expect(entries.length, kind).to.be.within(2, 3);
      for (const each of entries) expect(each).to.deep.equal(entry);
      const status = { reset: 0, redirect: 307 }[kind as string] ?? (Number.parseInt(kind, 10) || 200);
      expect(client.sandbox.requests[0]?.status, kind).to.equal(status);
      const journal = JSON.stringify(client.sandbox.requests);
      expect(journal).to.not.include(keySecret).and.not.include(accessToken);
    }
  });
});

describe("sandbox: its document", () => {
  it("describes every kind of fault in a table", () => {
    const document = readFileSync(join(__dirname, "../../docs/sandbox.md"), "utf8");
    const rows = faultKindNames.map((name) => {
      const { description, when, ...rest } = faultKinds[name];
      const parameters = "parameters" in rest ? rest.parameters.map((word) => `\`${word}\``) : [];
      return `| \`${name}\` | ${description} | ${when.join(", ")} | ${parameters.join(", ")} |`;
    });
    expect(document).to.include(
      ["| kind | what the client meets | when | parameters |", "|---|---|---|---|", ...rows, ""].join("\n"),
    );
  });

  it("names every operation and every member of a fault", () => {
    const document = readFileSync(join(__dirname, "../../docs/sandbox.md"), "utf8");
    for (const name of [...operationNames, ...Object.keys(faultSchema.properties)]) {
      expect(document).to.include(`\`${name}\``);
    }
  });
});
