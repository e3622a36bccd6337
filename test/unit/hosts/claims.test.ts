import { expect } from "chai";
import type { Board } from "../../../provider/hosts/board";
import { Claims } from "../../../provider/hosts/claims";
import { Session } from "../../../provider/lifecycle/session";
import { apiKeyResource } from "../../../provider/resources/apiKey/apiKey";
import { queryEndpointResource } from "../../../provider/resources/queryEndpoint/queryEndpoint";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { settingsFor } from "../api/server";
import { inVirtualTime } from "../api/virtualTime";
import { captureWarnings, hostWith, withoutEnvironment } from "./dynamic/hostProcess";

const serviceId = "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";
const keyId = "0a1b2c3d-6e15-4a83-b1f7-24d8e6a03c59";

/** The boards of the processes of one update. */
function update(): { join(): Board; readonly notes: string[] } {
  const processes: string[][] = [];
  return {
    get notes() {
      return processes.flat();
    },
    join() {
      const own: string[] = [];
      processes.push(own);
      const seen = new Map<string[], number>();
      return {
        publish: (note) => void own.push(note),
        news: () =>
          processes.flatMap((notes, index) => {
            if (notes === own) return [];
            const news = notes.slice(seen.get(notes) ?? 0);
            seen.set(notes, notes.length);
            return [[String(index), news] as const];
          }),
      };
    },
  };
}

describe("The claims of the provider processes of one update", () => {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message), info: () => {} };
  const sessionAt = (baseUrl: string) => new Session(() => settingsFor(baseUrl), log);
  const session = sessionAt("http://127.0.0.1:1");
  const endpoint = (claims: Claims, name: string | undefined, on = session) =>
    claims.declare(
      queryEndpointResource,
      { serviceId },
      name === undefined ? undefined : { identity: `urn ${name}`, name },
      on,
    );
  const adopt = (claims: Claims, adoptId: unknown, name: string) =>
    claims.declare(apiKeyResource, { adoptId }, { identity: `urn ${name}`, name }, session);
  beforeEach(() => {
    warnings.length = 0;
  });

  it("know of a singleton that another process has checked, before or after this one began", () => {
    const { join } = update();
    const [deleting, checking] = [new Claims(join()), new Claims(join())];
    expect(deleting.isClaimed(queryEndpointResource, serviceId, {})).to.equal(false);
    expect(endpoint(checking, "renamed")).to.deep.equal([]);
    for (const claims of [deleting, checking, new Claims(join())]) {
      expect(claims.isClaimed(queryEndpointResource, serviceId.toUpperCase(), {})).to.equal(true);
      expect(claims.isClaimed(queryEndpointResource, keyId, {})).to.equal(false);
    }
    expect(new Claims(update().join()).isClaimed(queryEndpointResource, serviceId, {})).to.equal(false);
  });

  it("know of an object that another process adopts, and nothing of an id that is not known yet", () => {
    const { join } = update();
    const [deleting, checking] = [new Claims(join()), new Claims(join())];
    adopt(checking, Symbol("unknown"), "later");
    expect(deleting.isClaimed(apiKeyResource, keyId, {})).to.equal(false);
    adopt(checking, keyId, "renamed");
    expect(deleting.isClaimed(apiKeyResource, keyId, {})).to.equal(true);
  });

  it("let a resource's own object go, and keep the one that another resource has", () => {
    const { join } = update();
    const [one, two] = [new Claims(join()), new Claims(join())];
    const [old, renamed] = [{ identity: "urn old" }, { identity: "urn renamed" }];
    one.hold(apiKeyResource, keyId, old, session);
    expect(one.isClaimed(apiKeyResource, keyId, {}, old.identity)).to.equal(false);
    two.hold(apiKeyResource, keyId, renamed, session);
    expect(one.isClaimed(apiKeyResource, keyId, {}, old.identity)).to.equal(true);
    one.release(old, session);
    expect(two.isClaimed(apiKeyResource, keyId, {}, renamed.identity)).to.equal(false);
  });

  it("refuse a second query endpoint of a service, with the names of both and what to do", () => {
    const { join } = update();
    const [one, two] = [new Claims(join()), new Claims(join())];
    endpoint(one, "first");
    for (const claims of [one, two])
      expect(endpoint(claims, "second")).to.deep.equal([
        {
          path: "",
          message: `QueryEndpoint "first" and QueryEndpoint "second" both declare the query endpoint of service ${serviceId}, which has one; remove one of them from the program`,
        },
      ]);
  });

  it("refuse a second resource that adopts an object", () => {
    const claims = new Claims();
    adopt(claims, keyId, "first");
    expect(adopt(claims, keyId, "second").map(({ message }) => message)).to.deep.equal([
      `ApiKey "first" and ApiKey "second" both adopt API key ${keyId}; remove one of them from the program`,
    ]);
  });

  it("take a resource that is checked again, a service of another server and one without a declaration for no rival", () => {
    const { join } = update();
    const [one, two] = [new Claims(join()), new Claims(join())];
    for (const claims of [one, two, one]) expect(endpoint(claims, "same")).to.deep.equal([]);
    expect(endpoint(one, undefined)).to.deep.equal([]);
    expect(endpoint(two, "elsewhere", sessionAt("http://127.0.0.1:2"))).to.deep.equal([]);
  });

  it("publish no id and no URN in plain text", () => {
    const shared = update();
    const claims = new Claims(shared.join());
    endpoint(claims, "named");
    adopt(claims, keyId, "adopting");
    claims.hold(apiKeyResource, keyId, { identity: "urn it" }, session);
    expect(shared.notes).to.have.length(3);
    expect(shared.notes.join()).to.not.match(/7c2d9b40|0a1b2c3d|urn|127\.0\.0\.1/);
  });

  describe("of the dynamic host", () => {
    const declared = { roles: ["sql_console_read_only"], openApiKeys: [] };
    const webhook = { name: "Pages", service: "generic", url: "https://hooks.example.com/pages" };
    let sandbox: Sandbox;
    let restore: () => void;

    before(async () => {
      const { restore: restoreConsole } = captureWarnings();
      const restoreEnvironment = withoutEnvironment();
      restore = () => {
        restoreConsole();
        restoreEnvironment();
      };
      sandbox = await createSandbox();
    });
    after(async () => {
      await sandbox.close();
      restore();
    });

    it("keep the query endpoint that another process has created anew, and let destroy delete it", async () => {
      const settings = settingsOf(sandbox);
      const { serviceId: id } = sandbox.credentials;
      const exists = () => sandbox.store.queryEndpointOf(id) !== undefined;
      const made = hostWith(settings).QueryEndpoint;
      const { inputs } = await made.check({}, declared);
      const { outs } = await made.create(inputs as object);
      const { join } = update();
      const [own, other] = [0, 1].map(() => hostWith(settings, new Claims(join())).QueryEndpoint);
      const { inputs: renamed } = (await other?.check({}, declared)) ?? {};
      await other?.create(renamed as object);
      await own?.delete(id, outs as object);
      expect(exists()).to.equal(true);
      await hostWith(settings, new Claims(update().join())).QueryEndpoint.delete(id, outs as object);
      expect(exists()).to.equal(false);
    });

    it("keep what this process or another one has taken for the outcome of its lost create", async () => {
      const { join } = update();
      const [own, taking] = [0, 1].map(() => hostWith(settingsOf(sandbox), new Claims(join())).Webhook);
      const { inputs } = (await taking?.check({}, webhook)) ?? {};
      await sandbox.faults.add({ kind: "reset", when: "after", operation: "createWebhook", nth: 1 });
      const { id, outs } = (await inVirtualTime(async () => taking?.create(inputs as object))) ?? {};
      for (const process of [own, taking]) await process?.delete(id as string, outs as object);
      expect(sandbox.store.webhooks.has(id as string)).to.equal(true);
      const { id: fresh, outs: freshOuts } = (await taking?.create({ ...inputs, name: "Fresh" })) ?? {};
      await own?.delete(fresh as string, freshOuts as object);
      expect(sandbox.store.webhooks.has(fresh as string)).to.equal(false);
    });

    it("tell two resources of one program apart by what their class says, and show none of it to the lifecycle", async () => {
      const { QueryEndpoint } = hostWith(settingsOf(sandbox));
      const first = await QueryEndpoint.check({}, { ...declared, __declaration: "1 first" });
      const again = await QueryEndpoint.check({}, { ...declared, __declaration: "1 first" });
      const second = await QueryEndpoint.check({}, { ...declared, __declaration: "2 second" });
      expect([first.failures, again.failures]).to.deep.equal([[], []]);
      expect(first.inputs).to.have.keys("organizationId", "serviceId", ...Object.keys(declared));
      expect(second.failures?.map(({ reason }) => reason).join()).to.match(
        /^QueryEndpoint "first" and QueryEndpoint "second" both declare the query endpoint/,
      );
    });
  });

  describe("where the processes cannot reach each other", () => {
    const unusable: Board = {
      publish() {
        throw new Error("EROFS: read-only file system");
      },
      news: () => [],
    };

    it("say so once, and how to mend it, when the program claims an object", () => {
      const claims = new Claims(unusable);
      expect([...endpoint(claims, "it"), ...endpoint(claims, "it")]).to.deep.equal([]);
      expect(warnings).to.have.length(1);
      expect(warnings.join()).to.match(/EROFS: read-only file system\); set \w+ to one that can$/);
    });

    it("keep what another resource may have: a singleton, and an adopted object", () => {
      const claims = new Claims(unusable);
      expect(() => claims.isClaimed(queryEndpointResource, serviceId, {})).to.throw(
        /^QueryEndpoint \S+ is not deleted: another provider of this update may declare it, and .*EROFS/,
      );
      expect(() => claims.isClaimed(apiKeyResource, keyId, { adoptId: keyId })).to.throw(/is not deleted/);
      expect(claims.isClaimed(apiKeyResource, keyId, {})).to.equal(false);
    });
  });
});
