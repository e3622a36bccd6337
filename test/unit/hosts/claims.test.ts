import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Board, FolderBoard } from "../../../provider/hosts/ownership/board";
import { Claims } from "../../../provider/hosts/ownership/claims";
import { Session } from "../../../provider/lifecycle/session";
import { apiKeyResource } from "../../../provider/resources/apiKey/apiKey";
import { memberResource } from "../../../provider/resources/member/member";
import { privateEndpointResource } from "../../../provider/resources/privateEndpoint/privateEndpoint";
import { queryEndpointResource } from "../../../provider/resources/queryEndpoint/queryEndpoint";
import { roleAssignmentResource } from "../../../provider/resources/roleAssignment/roleAssignment";
import { udfResource } from "../../../provider/resources/udf/udf";
import { unknown } from "../../../provider/values/unknown";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { settingsFor } from "../api/server";
import { captureWarnings, hostWith, withoutEnvironment } from "./dynamic/hostProcess";

const serviceId = "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";
const keyId = "0a1b2c3d-6e15-4a83-b1f7-24d8e6a03c59";

describe("The claims of resources on objects, which the provider processes of one update exchange", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pipestack-claims-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /**
   * Makes the claims of one provider process (its record of the objects that resources hold). Processes with the same port
   * belong to the same update.
   */
  const processOf = (port = 1) => new Claims(new FolderBoard(`127.0.0.1:${port}`, folder));

  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message), info: () => {} };
  const sessionAt = (baseUrl: string) => new Session(() => settingsFor(baseUrl), log);
  const session = sessionAt("http://127.0.0.1:1");
  const urnOf = (name: string) => ({ identity: `urn ${name}`, name });
  const endpoint = (claims: Claims, name: string | undefined, on = session) =>
    claims.declare(queryEndpointResource, { serviceId }, name === undefined ? undefined : urnOf(name), on);
  const adopt = (claims: Claims, adoptId: unknown, name: string) =>
    claims.declare(apiKeyResource, { adoptId }, urnOf(name), session);
  const isEndpointClaimed = (claims: Claims, id = serviceId) =>
    claims.isClaimed(queryEndpointResource, id, {});
  const isKeyClaimed = (claims: Claims, by?: string) =>
    claims.isClaimed(apiKeyResource, keyId, {}, by && urnOf(by).identity);

  it("a provider process sees which query endpoint another process of the update has checked", () => {
    const [deleting, checking] = [processOf(), processOf()];
    expect(isEndpointClaimed(deleting)).to.equal(false);
    expect(endpoint(checking, "renamed")).to.deep.equal([]);
    for (const claims of [deleting, checking, processOf()]) {
      expect(isEndpointClaimed(claims, serviceId.toUpperCase())).to.equal(true);
      expect(isEndpointClaimed(claims, keyId)).to.equal(false);
    }
    expect(isEndpointClaimed(processOf(2)), "in another update").to.equal(false);
  });

  it("a provider process sees which objects other processes of the update have created", () => {
    const [creating, asking, later] = [processOf(), processOf(), processOf(2)].map((claims) => {
      const own = sessionAt("http://127.0.0.1:1");
      claims.serve(own);
      return own;
    }) as [Session, Session, Session];
    expect(asking.run.wasCreated(apiKeyResource, keyId)).to.equal(false);
    creating.run.noteCreated(apiKeyResource, keyId);
    expect(asking.run.wasCreated(apiKeyResource, keyId.toUpperCase())).to.equal(true);
    expect(later.run.wasCreated(apiKeyResource, keyId), "in another update").to.equal(false);
  });

  it("if provider processes cannot tell each other what they claim, a check warns, and a deletion fails", () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    const claims = processOf();
    const told: string[] = [];
    const own = new Session(() => settingsFor("http://127.0.0.1:1"), {
      warn: (text) => void told.push(text),
      info() {},
    });
    expect(endpoint(claims, "first", own)).to.deep.equal([]);
    claims.keep(apiKeyResource, keyId, {}, own);
    expect(told.join()).to.include(
      "the provider processes of this update cannot tell each other which objects they have",
    );
    expect(() => isKeyClaimed(claims)).to.throw(`ApiKey ${keyId} is not deleted: another provider`);
  });

  it("the check refuses a second query endpoint of a service, and names both resources and the remedy", () => {
    const [one, two] = [processOf(), processOf()];
    endpoint(one, "first");
    for (const claims of [one, two])
      expect(endpoint(claims, "second")).to.deep.equal([
        {
          path: "",
          message: `QueryEndpoint "first" and QueryEndpoint "second" both declare the query endpoint of service ${serviceId}, which has one; remove one of them from the program`,
        },
      ]);
  });

  for (const [resource, inputs, object] of [
    [privateEndpointResource, { serviceId, endpointId: "vpce-0" }, "private endpoint"],
    [roleAssignmentResource, { roleId: serviceId, apiKeyId: keyId }, "role assignment"],
  ] as const)
    it(`the check refuses a second resource for the same ${object}`, () => {
      const claims = new Claims();
      const declare = (name: string) => claims.declare(resource, inputs, urnOf(name), session);
      expect(declare("first")).to.deep.equal([]);
      expect(
        declare("second")
          .map(({ message }) => message)
          .join(),
      ).to.match(
        new RegExp(`^\\w+ "first" and \\w+ "second" both declare ${object} \\S+; remove one of them`),
      );
    });

  it("the check refuses a second resource that adopts the same object", () => {
    const claims = new Claims();
    adopt(claims, keyId, "first");
    expect(adopt(claims, keyId, "second").map(({ message }) => message)).to.deep.equal([
      `ApiKey "first" and ApiKey "second" both adopt API key ${keyId}; remove one of them from the program`,
    ]);
  });

  const isHeld = `is API key ${keyId}, which another resource of the program has already; remove one of them, or rename it by the option aliases`;

  it("a resource cannot adopt an object that another resource of the program has", () => {
    const [one, two] = [processOf(), processOf()];
    one.keep(apiKeyResource, keyId, {}, session);
    for (const claims of [one, two])
      expect(adopt(claims, keyId.toUpperCase(), "second")).to.deep.equal([
        { path: "adoptId", message: isHeld.replace(keyId, keyId.toUpperCase()) },
      ]);
    const later = processOf(2);
    adopt(later, keyId, "second");
    expect(() => processOf(2).keep(apiKeyResource, keyId, {}, session)).to.throw(
      `adoptId of ApiKey "second" ${isHeld}`,
    );
  });

  it("two resources cannot have the same object, as after an import of what the stack has", () => {
    const [one, two] = [processOf(), processOf()];
    for (const claims of [one, two]) claims.keep(apiKeyResource, keyId, {}, session, urnOf("first"));
    for (const claims of [one, two])
      expect(() => claims.keep(apiKeyResource, keyId, {}, session, urnOf("second"))).to.throw(
        `ApiKey "second" ${isHeld}`,
      );
  });

  it("a resource that adopts the object that it has is no conflict", () => {
    const claims = new Claims();
    claims.keep(apiKeyResource, keyId, { adoptId: keyId }, session);
    expect(adopt(claims, keyId, "first")).to.deep.equal([]);
  });

  it("a resource that has the object that its option import names is no conflict", () => {
    const claims = new Claims();
    claims.name(apiKeyResource, serviceId, urnOf("second"), {}, session);
    claims.keep(apiKeyResource, serviceId, {}, session);
  });

  it("only the resource of an import may delete the object that the import has read", () => {
    const claims = new Claims();
    claims.name(apiKeyResource, keyId, urnOf("imported"), {}, session);
    const isClaimed = (name: string, isRead: boolean) =>
      claims.isClaimed(apiKeyResource, keyId, {}, urnOf(name).identity, isRead);
    expect(isClaimed("imported", true)).to.equal(false);
    expect(isClaimed("imported", false)).to.equal(true);
    expect(isClaimed("renamed", true)).to.equal(true);
  });

  it("the check of a query endpoint finds no conflict with an earlier check of the same resource", () => {
    const [one, two] = [processOf(), processOf()];
    for (const claims of [one, two, one]) expect(endpoint(claims, "same")).to.deep.equal([]);
    expect(endpoint(one, undefined)).to.deep.equal([]);
  });

  it("the check finds no conflict between query endpoints on different servers", () => {
    const [one, two] = [processOf(), processOf()];
    expect(endpoint(one, "here")).to.deep.equal([]);
    expect(endpoint(two, "elsewhere", sessionAt("http://127.0.0.1:2"))).to.deep.equal([]);
  });

  describe("claims of objects whose ids are names, in two organizations", () => {
    const email = "ann@example.com";
    const [first, second] = [
      { organizationId: serviceId, email },
      { organizationId: keyId, email },
    ];

    it("the check finds no conflict between one person's memberships of two organizations", () => {
      const [one, two] = [processOf(), processOf()];
      expect(one.declare(memberResource, first, urnOf("first"), session)).to.deep.equal([]);
      expect(two.declare(memberResource, second, urnOf("second"), session)).to.deep.equal([]);
      const [again] = two.declare(memberResource, first, urnOf("third"), session);
      expect(again?.message).to.match(/^Member "first" and Member "third" both declare/);
    });

    it("a membership is removed although the program declares one of another organization", () => {
      const [one, two] = [processOf(), processOf()];
      two.declare(memberResource, second, urnOf("second"), session);
      expect(one.isClaimed(memberResource, email, first)).to.equal(false);
      expect(one.isClaimed(memberResource, email, second)).to.equal(true);
    });

    it("the check takes memberships of organizations that a preview does not know for no conflict", () => {
      const claims = processOf();
      const inNew = { organizationId: unknown, email };
      for (const name of ["first", "second"])
        expect(claims.declare(memberResource, inNew, urnOf(name), session)).to.deep.equal([]);
      claims.keep(udfResource, "echo", { ...inNew, functionName: "echo" }, session, urnOf("third"));
      claims.keep(udfResource, "echo", { ...inNew, functionName: "echo" }, session, urnOf("fourth"));
    });

    it("functions of the same name in two organizations are no conflict", () => {
      const [one, two] = [processOf(), processOf()];
      const echo = { functionName: "echo" };
      one.keep(udfResource, "echo", { ...first, ...echo }, session, urnOf("first"));
      two.keep(udfResource, "echo", { ...second, ...echo }, session, urnOf("second"));
      one.hold(udfResource, "echo", urnOf("first"), first, session);
      expect(two.isClaimed(udfResource, "echo", second)).to.equal(false);
      expect(two.isClaimed(udfResource, "echo", first)).to.equal(true);
    });
  });

  it("the notes of provider processes show nothing of what they claim in plain text", () => {
    const claims = processOf();
    endpoint(claims, "named");
    adopt(claims, keyId, "adopting");
    claims.hold(apiKeyResource, keyId, urnOf("it"), {}, session);
    const notes = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(notes.join("").trim().split("\n")).to.have.length(3);
    expect(notes.join("")).to.not.match(/7c2d9b40|0a1b2c3d|urn|127\.0\.0\.1/);
  });

  describe("claims of resources on objects in the dynamic host", () => {
    const declared = { roles: ["sql_console_read_only"], openApiKeys: [] };
    let sandbox: Sandbox;
    let restore: () => void;
    const hostOf = (port?: number) => hostWith(settingsOf(sandbox), processOf(port));

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

    it("an object is not deleted if a process of the update has adopted it after a create with a lost answer", async () => {
      const webhook = { name: "Pages", service: "generic", url: "https://hooks.example.com/pages" };
      const [own, taking, later] = [hostOf().Webhook, hostOf().Webhook, hostOf(6).Webhook];
      const { inputs = {} } = await taking.check({}, webhook);
      const { id, outs = {} } = await taking.create(inputs);
      for (const process of [own, taking]) await process.delete(id, outs);
      expect(sandbox.store.webhooks.has(id)).to.equal(true);
      await later.delete(id, outs);
      expect(sandbox.store.webhooks.has(id)).to.equal(false);
    });

    for (const command of ["an update", "an update with a refresh"])
      it(`an object that two resources of one provider have is deleted only with the second one: ${command}`, async () => {
        const webhook = { name: "Imported", service: "generic", url: "https://hooks.example.com/imported" };
        const isRefreshed = command.endsWith("refresh");
        const [creating, host] = [hostOf(isRefreshed ? 15 : 5).Webhook, hostOf(isRefreshed ? 14 : 4).Webhook];
        const { inputs = {} } = await creating.check({}, webhook);
        const { id, outs = {} } = await creating.create(inputs);
        const exists = () => sandbox.store.webhooks.has(id);
        const former = { ...outs, adoptId: id };
        // The engine gives a diff the properties of the Pulumi state in another order than a deletion. The reversed order
        // imitates this: both calls must count as those of one resource.
        const reversed = Object.fromEntries(Object.entries(outs).reverse());
        if (isRefreshed)
          for (const state of [former, outs]) {
            await host.read(id, state);
            await host.diff(id, state, inputs);
          }
        await host.check(inputs, webhook);
        await host.diff(id, reversed, inputs);
        await host.delete(id, former);
        expect(exists()).to.equal(true);
        await host.delete(id, outs);
        expect(exists()).to.equal(false);
      });

    it("a repeated check of a query endpoint finds no conflict in the dynamic host", async () => {
      const { QueryEndpoint } = hostWith(settingsOf(sandbox));
      const check = (__declaration: string) => QueryEndpoint.check({}, { ...declared, __declaration });
      const [first, again] = [await check("1 first"), await check("1 first")];
      expect([first.failures, again.failures]).to.deep.equal([[], []]);
      expect(first.inputs).to.have.keys("organizationId", "serviceId", ...Object.keys(declared));
    });

    it("two resources for one query endpoint conflict in the dynamic host", async () => {
      const { QueryEndpoint } = hostWith(settingsOf(sandbox));
      const check = (__declaration: string) => QueryEndpoint.check({}, { ...declared, __declaration });
      await check("1 first");
      const second = await check("2 second");
      expect(second.failures?.map(({ reason }) => reason).join()).to.match(
        /^QueryEndpoint "first" and QueryEndpoint "second" both declare the query endpoint/,
      );
    });
  });

  describe("Claims of provider processes that cannot tell each other what they claim", () => {
    const unusable: Board = {
      publish() {
        throw new Error("EROFS: read-only file system");
      },
      news: () => [],
    };

    it("a provider process that cannot reach the others warns once when the program claims an object", () => {
      const claims = new Claims(unusable);
      expect([...endpoint(claims, "it"), ...endpoint(claims, "it")]).to.deep.equal([]);
      expect(warnings).to.have.length(1);
      expect(warnings.join()).to.match(/EROFS: read-only file system\); set \w+ to one that can$/);
    });

    it("a provider process that cannot reach the others refuses two resources of its own for one object", () => {
      const news = () => {
        throw new Error("EACCES: permission denied");
      };
      const claims = new Claims({ ...unusable, news });
      endpoint(claims, "first");
      expect(
        endpoint(claims, "second")
          .map(({ message }) => message)
          .join(),
      ).to.include('"first" and QueryEndpoint "second"');
    });

    it("a provider process that cannot reach the others deletes no object that they may declare", () => {
      const claims = new Claims(unusable);
      expect(() => isEndpointClaimed(claims)).to.throw(
        /^QueryEndpoint \S+ is not deleted: another provider of this update may declare it, which cannot be told, since .*EROFS/,
      );
      expect(() => claims.isClaimed(apiKeyResource, keyId, { adoptId: keyId })).to.throw(/is not deleted/);
      expect(isKeyClaimed(claims)).to.equal(false);
    });
  });
});
