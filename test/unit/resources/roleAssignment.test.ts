import { expect } from "chai";
import { listObjects } from "../../../provider/lifecycle/observe";
import { importObject } from "../../../provider/lifecycle/read";
import { contextOf } from "../../../provider/lifecycle/scope";
import type { Session } from "../../../provider/lifecycle/session";
import { declarable, resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { actorsOf, setActors } from "../../../sandbox/core/resources/assignments";
import { type Role, seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { type Answer, refused } from "../api/server";
import { threeMinutesLater } from "../drift/fixture";
import { pause, useService } from "../lifecycle/scriptedService";
import { addKey } from "./apiKey.example";

const { RoleAssignment: resource } = declarable;
const { organizationId } = seededCredentials;
const roleId = "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11";
const signingKey = "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204";
const keyAt = (index: number) => `aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaa${index}`;
const actorAt = (index: number) => `apiKey/${keyAt(index)}`;
const userId = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb1";

describe("Role assignments", () => {
  const service = useService({ dialect: "clickhouse" });
  const { store } = service.model;
  const open = () => service.open({ dialect: "clickhouse" });
  const role = () => store.roles.get(roleId) as Role;
  const actors = () => actorsOf(store, role());
  const give = (...given: string[]) => setActors(store, role(), given);
  const inputsOf = (index: number) => ({ organizationId, roleId, apiKeyId: keyAt(index) });
  const create = (inputs: PropertyMap, { session }: { session: Session } = open()) =>
    resource.create(inputs, session);
  const requests = () =>
    service.requests.filter((name) => name !== "none").map((name) => name.replace("Role", ""));

  beforeEach(() => {
    for (const index of [0, 1, 2, 3])
      addKey({ store } as never, {
        id: keyAt(index),
        roles: [],
        assignedRoles: [],
        keySuffix: `k${index}xy`,
      });
    store.members.set(userId, {
      ...{ id: userId, email: "ann@example.com", name: "Ann" },
      ...{ joinedAt: "2026-01-01T00:00:00Z", roleIds: [] },
    });
  });

  it("a role assignment changes no other actors of the role than its own", async () => {
    give(actorAt(1), `user/${userId}`);
    const { id, state } = await create(inputsOf(0));
    expect(requests()).to.deep.equal(["get", "update", "get"]);
    expect(actors()).to.have.members([actorAt(0), actorAt(1), `user/${userId}`]);
    expect(id).to.equal(`${roleId}:apikey:${keyAt(0)}`);
    expect(state).to.include({ roleName: "Reports" });
    const live = await resource.read(id, state, open().session);
    expect(live).to.deep.include({ inputs: inputsOf(0) });
    await resource.delete(id, state, open().session);
    expect(actors()).to.have.members([actorAt(1), `user/${userId}`]);
  });

  it("a role assignment takes the user id of an identity provider as it is", async () => {
    const saml = "samlp|Acme:eu|Ann@example.com";
    store.members.set(saml, { id: saml, email: "ann@example.org", name: "Ann", joinedAt: "", roleIds: [] });
    const inputs = { organizationId, roleId, userId: saml };
    const { id, state } = await create(inputs);
    expect([id, actors()]).to.deep.equal([`${roleId}:user:${saml}`, [`user/${saml}`]]);
    expect(await resource.read(id, state, open().session)).to.deep.include({ inputs });
    const imported = await importObject(resource, id, {}, open().session);
    expect(imported).to.deep.include({ inputs });
    const objects = await listObjects(resource, contextOf(resource, { organizationId }, open().session));
    expect(objects.map((object) => object.id)).to.include(id);
    const other = `user/${saml.toLowerCase()}`;
    store.members.set(saml.toLowerCase(), { ...store.members.get(saml), id: saml.toLowerCase() } as never);
    give(`user/${saml}`, other);
    await resource.delete(id, state, open().session);
    expect(actors()).to.deep.equal([other]);
  });

  it("a role assignment sends no update that would change nothing", async () => {
    give(actorAt(0));
    const { id, state } = await create(inputsOf(0));
    give();
    await resource.delete(id, state, open().session);
    expect(service.requests.filter((name) => name === "updateRole")).to.deep.equal([]);
  });

  it("twenty role assignments created at once need two writes, each followed by a read", async () => {
    for (let index = 10; index < 30; index++)
      addKey({ store } as never, { id: keyAt(0).slice(0, -2) + index });
    const by = open();
    const ids = Array.from({ length: 20 }, (_, index) => keyAt(0).slice(0, -2) + (index + 10));
    await Promise.all(ids.map((apiKeyId) => create({ organizationId, roleId, apiKeyId }, by)));
    expect(actors()).to.have.members(ids.map((apiKeyId) => `apiKey/${apiKeyId}`));
    expect(requests()).to.deep.equal(["get", "update", "get", "get", "update", "get"]);
  });

  it("a role assignment fails if another client overwrites each of its writes", async () => {
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation === "updateRole") give();
      return answer;
    };
    expect((await failureOf(create(inputsOf(0)))).message).to.match(
      /after 6 writes its actors are not as declared: somebody else changes them at the same time, or the service ignores the writes; run the update again$/,
    );
  });

  /** Replaces the actors in the sandbox's answers about a role; undefined removes them. */
  const showActors = (shown: unknown) => {
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (!/^(get|list)Role/.test(operation) || typeof answer === "function") return answer;
      const body = JSON.parse(String(answer.body)) as { result: PropertyMap | PropertyMap[] };
      for (const each of [body.result].flat()) Object.assign(each, { actors: shown });
      return { ...answer, body };
    };
  };

  it("a role assignment fails without a write if an answer lacks the role's actors", async () => {
    give(actorAt(1));
    const { id, state } = await create(inputsOf(0));
    for (const shown of [undefined, null, [{ id: keyAt(1) }, actorAt(2)]]) {
      showActors(shown);
      expect((await failureOf(create(inputsOf(2)))).message).to.match(
        /does not show the actors of role 5e1d7c90-\S+; nothing is written without them/,
      );
      await threeMinutesLater(async () => {
        expect((await failureOf(resource.read(id, state, open().session))).message).to.match(
          /does not show the actors of role/,
        );
      });
    }
    expect(actors()).to.have.members([actorAt(0), actorAt(1)]);
  });

  it("a role assignment warns only of an existing assignment that it takes over", async () => {
    give(actorAt(0));
    const by = open();
    await Promise.all([create(inputsOf(0), by), create(inputsOf(1), by)]);
    expect(by.warnings).to.deep.equal([
      `RoleAssignment: ${actorAt(0)} has role ${roleId} already; the assignment is taken over, and destroying the resource takes the role away`,
    ]);
  });

  it("a role assignment fails if the rate limit allows no write after its read", async () => {
    const slow = service.open({ dialect: "clickhouse", requestsPerSecond: 0.1 });
    expect((await failureOf(create(inputsOf(0), slow))).message).to.match(
      /nothing more was written, since the rate limit lets no write follow a read within 5 seconds; raise requestsPerSecond/,
    );
    expect(service.requests).to.not.include("updateRole");
  });

  it("a role assignment is written even if the assignment before it in the queue exceeds its time limit", async () => {
    const by = open();
    service.gateway = async (operation, carryOut) => {
      if (operation === "getRole") await pause(3000);
      return carryOut();
    };
    const first = by.session.interruption.within(1, () => create(inputsOf(0), by));
    const [limited, other] = await Promise.allSettled([first, create(inputsOf(1), by)]);
    expect((limited as PromiseRejectedResult).reason.message).to.match(/time limit of 1 s/);
    expect(other.status).to.equal("fulfilled");
    expect(actors()).to.include(actorAt(1));
  });

  it("a role assignment is written even if the actor of an earlier assignment was deleted meanwhile", async () => {
    const by = open();
    await create(inputsOf(0), by);
    store.keys.delete(keyAt(0));
    await create(inputsOf(1), by);
    expect(actors()).to.deep.equal([actorAt(1)]);
  });

  it("only the role assignment whose actor the service refuses fails, not those sent with it", async () => {
    const by = open();
    const unknownKey = "dddddddd-dddd-4ddd-8ddd-dddddddddddd";
    const [first, second, third] = await Promise.allSettled([
      create(inputsOf(0), by),
      create({ organizationId, roleId, apiKeyId: unknownKey }, by),
      create(inputsOf(1), by),
    ]);
    expect([first?.status, second?.status, third?.status]).to.deep.equal([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(actors()).to.have.members([actorAt(0), actorAt(1)]);
  });

  it("a role assignment that somebody has removed is gone only once reads can no longer lag", async () => {
    const { id, state } = await create(inputsOf(0));
    give();
    expect(await resource.read(id, state, open().session)).to.equal("unseen");
    await threeMinutesLater(async () => {
      expect(await resource.read(id, state, open().session)).to.equal("gone");
    });
  });

  it("assignments of 16 roles at once are written under the rate limit of the service", async () => {
    const roles = Array.from({ length: 16 }, (_, at) => `${roleId.slice(0, -2)}${at + 30}`);
    for (const [at, id] of roles.entries())
      store.roles.set(id, { ...structuredClone(role()), id, name: `Role ${at}` });
    const { session } = open();
    await Promise.all(roles.map((id) => create({ organizationId, roleId: id, userId }, { session })));
    expect(store.members.get(userId)?.roleIds).to.have.members(roles);
    expect(requests().length).to.be.below(4 * roles.length);
  });

  it("a role assignment cannot be deleted for the key that signs the requests", async () => {
    give(`apiKey/${signingKey}`);
    const { id, state } = await create({ organizationId, roleId, apiKeyId: signingKey });
    expect((await failureOf(resource.delete(id, state, open().session))).message).to.match(
      /is not deleted: key \S+ is the one that signs the requests, or has its last characters/,
    );
    expect(actors()).to.deep.equal([`apiKey/${signingKey}`]);
  });

  it("deletions of role assignments share the list of keys that tells which one signs the requests", async () => {
    const { session } = open();
    const made = await Promise.all([0, 1, 2].map((index) => create(inputsOf(index))));
    for (const { id, state } of made) await resource.delete(id, state, session);
    expect(actors()).to.deep.equal([]);
    expect(requests().filter((name) => name === "listKeys")).to.have.length(1);
  });

  it("a role assignment cannot be deleted if the list hides whether its key signs the requests", async () => {
    const { id, state } = await create(inputsOf(0));
    Object.assign(store.keys.get(keyAt(0)) ?? {}, { keySuffix: undefined });
    expect((await failureOf(resource.delete(id, state, open().session))).message).to.match(
      /nothing tells whether key aaaaaaaa-\S+ signs the requests: the list of keys does not show its last characters/,
    );
    expect(actors()).to.deep.equal([actorAt(0)]);
  });

  describe("A complete list of keys that lacks the key of an assignment", () => {
    const hideFromLists = (id: string, ofKey: (answer: Answer) => Answer = (answer) => answer) => {
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (typeof answer === "function") return answer;
        if (operation === "getKey") return ofKey(answer);
        if (operation !== "listKeys") return answer;
        const body = JSON.parse(String(answer.body)) as { result: PropertyMap[]; totalCount?: number };
        const result = body.result.filter((key) => key.id !== id);
        return { ...answer, body: { ...body, result, totalCount: result.length } };
      };
    };

    it("refuses to take the role from the key that signs the requests", async () => {
      give(`apiKey/${signingKey}`);
      const { id, state } = await create({ organizationId, roleId, apiKeyId: signingKey });
      hideFromLists(signingKey);
      expect((await failureOf(resource.delete(id, state, open().session))).message).to.match(
        /is not deleted: key c6a1e9d4-\S+ is the one that signs .*To go on, .*"pulumi state delete"; what the stack still has, such as services, stays and is billed/,
      );
      expect(actors()).to.deep.equal([`apiKey/${signingKey}`]);
    });

    it("takes the role only from a key that the API itself says does not exist", async () => {
      const { id, state } = await create(inputsOf(0));
      hideFromLists(keyAt(0), () => ({ status: 500, body: "{}" }));
      expect((await failureOf(resource.delete(id, state, open().session))).message).to.match(
        /nothing tells whether key \S+ signs the requests/,
      );
      hideFromLists(keyAt(0), () => refused(404, "NOT_FOUND: no such key"));
      await resource.delete(id, state, open().session);
      expect(actors()).to.deep.equal([]);
    });

    it("refuses nothing where the role has lost the key already", async () => {
      const { id, state } = await create(inputsOf(0));
      give();
      hideFromLists(keyAt(0), () => ({ status: 500, body: "{}" }));
      await resource.delete(id, state, open().session);
    });
  });

  it("the update or adoption of the key that signs the requests takes no role from it", async () => {
    give(`apiKey/${signingKey}`);
    const { ApiKey: keys } = resources;
    const adopting = { organizationId, adoptId: signingKey, name: "own", assignedRoleIds: [] };
    expect((await failureOf(keys.create(adopting, open().session))).message).to.match(
      /^assignedRoleIds: API key c6a1e9d4-\S+ signs the provider's requests, .* would lose role \S+/,
    );
    const state = { ...adopting, keySuffix: seededCredentials.keyId.slice(-4), assignedRoles: [{ roleId }] };
    expect((await failureOf(keys.diff(signingKey, state, adopting, open().session))).message).to.match(
      /would lose role 5e1d7c90-/,
    );
    const kept = { ...adopting, assignedRoleIds: [roleId.toUpperCase()] };
    await keys.diff(signingKey, state, kept, open().session);
    expect(actors()).to.deep.equal([`apiKey/${signingKey}`]);
  });

  it("the deletion of a role assignment succeeds after the role is gone", async () => {
    const { id, state } = await create(inputsOf(0));
    store.roles.delete(roleId);
    store.organization.deletedIds = [roleId];
    await resource.delete(id, state, open().session);
  });

  it("pulumi import says which form the id of a role assignment has", async () => {
    expect((await failureOf(resource.read("reports", { organizationId }, open().session))).message).to.match(
      /"reports" is not the id of a role assignment: write "<role>:apiKey:<key>" or "<role>:user:<user>"/,
    );
  });

  const check = (inputs: PropertyMap, { session } = open()) =>
    resource.check({}, { organizationId, ...inputs }, session);
  const failuresOf = async (inputs: PropertyMap, by = open()) =>
    (await check(inputs, by)).failures.map(({ path, message }) => `${path} ${message}`.trim());

  it("the check of a role assignment requires exactly one actor", async () => {
    expect((await failuresOf({ roleId })).join()).to.equal(
      "apiKeyId is missing, and so is userId: declare the one that gets the role",
    );
    expect((await failuresOf({ roleId, userId, apiKeyId: keyAt(0) })).join()).to.match(
      /conflicts with userId/,
    );
    expect(await failuresOf({ roleId: unknown, apiKeyId: unknown })).to.deep.equal([]);
  });

  describe("beside assignedRoleIds of their keys", () => {
    const { ApiKey: keys } = resources;
    const listed = { organizationId, name: "ci", assignedRoleIds: [roleId] };

    it("a role assignment beside assignedRoleIds of its key is refused in either order", async () => {
      const first = open();
      await keys.check(listed, listed, first.session);
      await keys.diff(keyAt(0), listed, listed, first.session);
      expect((await failuresOf(inputsOf(0), first)).join()).to.match(
        /^API key \S+ declares assignedRoleIds, which are all of its roles, and a RoleAssignment gives it role 5e1d7c90-\S+; declare/,
      );
      const second = open();
      expect(await failuresOf(inputsOf(0), second)).to.deep.equal([]);
      expect((await failureOf(keys.diff(keyAt(0), listed, listed, second.session))).message).to.match(
        /declares assignedRoleIds/,
      );
    });

    it("a warning precedes the refusal of a role assignment beside assignedRoleIds of a new key", async () => {
      const opened = open();
      await keys.check({}, listed, opened.session);
      const { warnings } = await check({ roleId, apiKeyId: unknown }, opened);
      expect(warnings.join()).to.match(/may declare the same role in its assignedRoleIds/);
      const made = await keys.create(listed, opened.session);
      service.requests.length = 0;
      expect(
        (await failureOf(create({ organizationId, roleId, apiKeyId: made.id }, opened))).message,
      ).to.match(/declares assignedRoleIds/);
      expect(service.requests).to.deep.equal([]);
    });
  });

  it("the check warns of a new member's roles only beside role assignments to users", async () => {
    const opened = open();
    const listed = { organizationId, email: "ann@example.com", assignedRoleIds: [unknown] };
    await resources.Member.check({}, listed, opened.session);
    const { warnings } = await check({ roleId: unknown, apiKeyId: unknown }, opened);
    expect(warnings).to.deep.equal([]);
    const ofUser = await check({ roleId: unknown, userId: unknown }, opened);
    expect(ofUser.warnings.join()).to.match(/a member of the program may declare the same role/);
  });
});
