import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { OrphansCommandOptions } from "../../../../provider/cli/orphans/command";
import { resources, type TypeName } from "../../../../provider/resources/registry";
import type { Webhook } from "../../../../sandbox/index";
import { emptyStack, fillService, send } from "../../../serviceContents";
import { createdTypes, resource, unlistedServices, useOrphansFixture } from "./orphansFixture";

describe("pipestack orphans", () => {
  const fixture = useOrphansFixture();
  const { run, report, state, addDashboard, addAlert, addKey, addQueryEndpoint } = fixture;

  describe("lists", () => {
    it("nothing, and ends with 0, where every object is in the state", async () => {
      const { id, dashboardId } = await addAlert();
      const key = await addKey();
      await addQueryEndpoint({ openApiKeys: [key.id] });
      const file = await state([
        resource("Alert", id),
        resource("Dashboard", dashboardId),
        resource("ApiKey", key.id),
        resource("QueryEndpoint", fixture.sandbox.credentials.serviceId),
      ]);
      const { code, stdout, stderr } = await run({ state: [file] });
      expect(stderr).to.equal("");
      expect(stdout).to.equal(
        `No orphans: every object found on service ${fixture.sandbox.credentials.serviceId} is in ${file}.\n`,
      );
      expect(code).to.equal(0);
    });

    it("all that no state holds, with name and time, by one request for each kind of a service", async () => {
      await fillService(fixture.sandbox);
      fixture.sandbox.requests.length = 0;
      const file = await state([]);
      const { code, stderr, found, ids } = await report({ state: [file] });
      expect(code, stderr).to.equal(7);
      const { keys, dashboards, alerts } = fixture.sandbox.store;
      const made = [
        ...alerts.keys(),
        ...dashboards.keys(),
        ...keys.keys(),
        fixture.sandbox.credentials.serviceId,
      ];
      expect(ids).to.have.members(made.filter((id) => id !== fixture.signingKey()));
      const { organizationId, serviceId } = fixture.sandbox.credentials;
      expect(found)
        .to.include({ organizationId, serviceId })
        .and.deep.include({ states: [file] });
      const [key] = [...keys.values()].filter(({ name }) => name === "数据");
      expect(found.orphans).to.deep.include({
        type: "ApiKey",
        id: key?.id,
        name: "数据",
        createdAt: key?.createdAt,
        usedAt: null,
        kept: unlistedServices,
        deleted: false,
      });
      const [dashboard] = dashboards.values();
      expect(found.orphans).to.deep.include({
        type: "Dashboard",
        id: dashboard?.id,
        name: dashboard?.name,
        createdAt: null,
        usedAt: null,
        kept: null,
        deleted: false,
      });
      const looks = createdTypes.map((type) => {
        const { list, get } = resources[type].operations;
        return list ?? get;
      });
      // Other services may use a key. This server does not list them.
      expect(fixture.sandbox.requests.map(({ operation }) => operation)).to.have.members([
        ...looks,
        undefined,
      ]);
    });

    it("them as a table with their ages, and says how to go on", async () => {
      const key = await addKey();
      const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
      Object.assign(fixture.sandbox.store.keys.get(key.id) ?? {}, {
        createdAt: hours(50),
        usedAt: hours(1.5),
      });
      const { id, dashboardId } = await addAlert({ name: undefined });
      const file = await state([]);
      const { code, stdout } = await run({ state: [file] });
      expect(code).to.equal(7);
      const [headings, , ...lines] = stdout.trimEnd().split("\n");
      expect(headings).to.match(/^TYPE +ID +NAME +CREATED +LAST USED$/);
      expect(lines.slice(0, 3).map((line) => line.split(/ {2,}/))).to.deep.equal([
        ["Alert", id, "(none)", `${new Date().toISOString().slice(0, 16).replace("T", " ")} (0 minutes)`],
        ["Dashboard", dashboardId, '"Ingestion"', "(not shown)"],
        [
          "ApiKey",
          key.id,
          '"Reporting"',
          `${hours(50).slice(0, 16).replace("T", " ")} (2 days)`,
          `${hours(1.5).slice(0, 16).replace("T", " ")} (1 hour)`,
        ],
      ]);
      expect(lines.slice(3)).to.deep.equal([
        "",
        `--delete keeps ApiKey ${key.id} "Reporting": ${unlistedServices}.`,
        `3 objects on service ${fixture.sandbox.credentials.serviceId} missing from ${file}.`,
        'To adopt one, declare it with adoptId: "<id>".',
        "After a killed update: npx pipestack orphans --recover. To delete: npx pipestack orphans --delete.",
      ]);
    });

    it("a query endpoint, which a program takes over by declaring it", async () => {
      await fixture.addQueryEndpoint({ openApiKeys: [] });
      const { stdout } = await run({ state: [await state([])] });
      expect(stdout).to.include('declare it with adoptId: "<id>" (a query endpoint: just declare it).');
    });

    it("a webhook, kept while an alert that stays uses it", async () => {
      const { id: alert } = await addAlert();
      const { id, ...webhook } = [...fixture.sandbox.store.webhooks.values()][0] ?? { id: "" };
      const unused = "65f1c0a2b3d4e5f607182922";
      fixture.sandbox.store.webhooks.set(unused, { ...(webhook as Webhook), id: unused });
      const file = join(fixture.folder, "held.json");
      const resources = [resource("Alert", alert)];
      await writeFile(file, JSON.stringify({ version: 3, deployment: { resources } }));
      const { found } = await report({ state: [file], only: ["Webhook"] });
      expect(found.orphans.map(({ id, kept }) => [id, kept])).to.deep.equal([
        [id, `alert ${alert} uses it and stays`],
        [unused, null],
      ]);
    });

    it("a key, kept while a query endpoint that stays names it", async () => {
      const key = await addKey();
      const unused = await addKey();
      await fixture.addQueryEndpoint({ openApiKeys: [key.id] });
      const { serviceId } = fixture.sandbox.credentials;
      const { found } = await report({ state: [await state([])], only: ["ApiKey"] });
      const kept = new Map(found.orphans.map(({ id, kept }) => [id, kept]));
      expect(kept.get(key.id)).to.equal(`query endpoint ${serviceId} uses it and stays`);
      expect(kept.get(unused.id)).to.equal(unlistedServices);
    });

    it("all, where the stack was never updated", async () => {
      emptyStack(fixture.sandbox);
      const { id } = await addDashboard();
      const file = join(fixture.folder, "new.json");
      await writeFile(file, '{ "version": 3, "deployment": null }');
      expect((await report({ state: [file] })).ids).to.deep.equal([id]);
    });

    it("what none of several states holds", async () => {
      const [first, second, third] = [await addDashboard(), await addDashboard(), await addDashboard()];
      const files = [
        await state([resource("Dashboard", first.id)], { name: "one.json" }),
        await state([resource("Dashboard", third.id)], { name: "two.json" }),
      ];
      const { found, ids } = await report({ state: files });
      expect(ids).to.deep.equal([second.id]);
      expect(found.states).to.deep.equal(files);
    });

    it("nothing that a state only reads, waits to delete, or was interrupted at", async () => {
      const [read, replaced, interrupted] = [
        await addDashboard(),
        await addDashboard(),
        await addDashboard(),
      ];
      const file = await state(
        [
          { ...resource("Dashboard", read.id), external: true },
          { ...resource("Dashboard", replaced.id), delete: true },
        ],
        { pending: [{ resource: resource("Dashboard", interrupted.id), type: "updating" }] },
      );
      expect((await report({ state: [file] })).ids).to.deep.equal([]);
    });

    it("an object although a resource of another type, or of another package, has its id", async () => {
      const { id } = await addDashboard();
      const other = {
        urn: "urn:pulumi:dev::test::aws:s3/bucket:Bucket::logs",
        type: "aws:s3/bucket:Bucket",
        id,
      };
      const file = await state([resource("Alert", id), other]);
      expect((await report({ state: [file] })).ids).to.deep.equal([id]);
    });

    it("only the types that are asked for", async () => {
      const { id, dashboardId } = await addAlert();
      const key = await addKey();
      const file = await state([]);
      const only = async (...types: TypeName[]) => (await report({ state: [file], only: types })).ids;
      expect(await only("ApiKey")).to.deep.equal([key.id]);
      expect(await only("Dashboard")).to.deep.equal([dashboardId]);
      expect(await only("Dashboard", "Alert")).to.deep.equal([id, dashboardId]);
    });

    it("those of another service, if that is asked for", async () => {
      await addDashboard();
      const { secondServiceId } = fixture.sandbox.credentials;
      const path = `/services/${secondServiceId}/stack/dashboards`;
      const { id } = await send<{ id: string }>(fixture.sandbox, "POST", path, { name: "Second", tiles: [] });
      const { found, ids } = await report({ state: [await state([])], service: secondServiceId });
      expect(ids).to.deep.equal([id]);
      expect(found.serviceId).to.equal(secondServiceId);
    });

    it("names that a terminal would obey without doing so", async () => {
      await addDashboard("\u001b[2Jgone\u009b\u202e");
      const { stdout } = await run({ state: [await state([])] });
      expect(stdout).to.include("\\u001b[2Jgone\\u009b\\u202e");
      for (const character of "\u001b\u009b\u202e") expect(stdout).to.not.include(character);
    });
  });

  describe("ends with 1 and one clear message", () => {
    const cases: Record<string, [RegExp, OrphansCommandOptions, Record<string, string>?]> = {
      "when the service refuses": [/keyId and keySecret: .*answered 401/, {}, { keySecret: "wrong-secret" }],
      "when a setting is missing": [/serviceId is missing.*PIPESTACK_SERVICE_ID/, {}, { serviceId: "" }],
      "when an option is no uuid": [/setting serviceId must be a uuid/, { service: "x" }],
      "when a file is not there": [
        /cannot read the state file nowhere\.json \(ENOENT\)/,
        { state: ["nowhere.json"] },
      ],
      "when there is no such folder": [/there is no folder \S+nowhere$/m, { state: [], cwd: ["nowhere"] }],
      "when nobody could see what is asked about": [/add --yes/, { json: true, delete: true }],
      "when --yes stands alone": [/--yes requires --delete/, { yes: true }],
    };
    for (const [title, [message, options, settings]] of Object.entries(cases)) {
      it(title, async () => {
        const { id } = await addDashboard();
        const { code, stderr, stdout } = await run({ state: [await state([])], ...options }, settings);
        expect(stderr)
          .to.match(/^error: /)
          .and.match(message)
          .and.not.match(/^\s+at /m)
          .and.not.include("wrong-secret");
        expect(stdout).to.equal("");
        expect(code).to.equal(1);
        expect(fixture.sandbox.store.dashboards.has(id)).to.equal(true);
      });
    }

    const contents: Record<string, string> = {
      "is no JSON": "{",
      "is a checkpoint": '{ "version": 3, "checkpoint": { "latest": {} } }',
      "has resources without a name": '{ "version": 3, "deployment": { "resources": [{}] } }',
      "has something else for resources": '{ "version": 3, "deployment": { "resources": {} } }',
      "has operations on nothing": '{ "version": 3, "deployment": { "pending_operations": [null] } }',
      "is null": "null",
    };
    for (const [title, content] of Object.entries(contents)) {
      it(`when a file ${title}`, async () => {
        const file = join(fixture.folder, "state.json");
        await writeFile(file, content);
        const { code, stderr } = await run({ state: [file] });
        expect(stderr).to.equal(
          `error: ${file} is not an export of a stack; write it with "pulumi stack export"\n`,
        );
        expect(code).to.equal(1);
      });
    }
  });
});
