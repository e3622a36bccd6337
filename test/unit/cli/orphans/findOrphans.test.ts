import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { OrphansCommandOptions } from "../../../../cli/orphans/command";
import { resources } from "../../../../provider/resources/registry";
import type { Webhook } from "../../../../sandbox/index";
import { fillService } from "../../../serviceContents";
import { errorOf } from "../runHere";
import { createdTypes, resource, unlistedServices, useOrphansFixture } from "./orphansFixture";

describe("The list of pipestack orphans", () => {
  const fixture = useOrphansFixture();
  const { run, report, addDashboard, addAlert, addKey, addQueryEndpoint } = fixture;
  const stateFile = () => join(fixture.folder, "state.json");

  it("pipestack orphans finds no orphan if every object is in the state", async () => {
    const { id, dashboardId } = await addAlert();
    const key = await addKey();
    await addQueryEndpoint({ openApiKeys: [key.id] });
    const { code, stdout, stderr } = await run([
      ...[resource("Alert", id), resource("Dashboard", dashboardId), resource("ApiKey", key.id)],
      resource("QueryEndpoint", fixture.sandbox.credentials.serviceId),
    ]);
    expect(stderr).to.equal("");
    expect(stdout).to.equal(
      `No orphans: every object found on service ${fixture.sandbox.credentials.serviceId} is in ${stateFile()}.\n`,
    );
    expect(code).to.equal(0);
  });

  describe("The orphans of a service if the state is empty", () => {
    let listed: Awaited<ReturnType<typeof report>>;

    beforeEach(async () => {
      await fillService(fixture.sandbox);
      fixture.sandbox.requests.length = 0;
      listed = await report([]);
      expect(listed.code, listed.stderr).to.equal(7);
    });

    it("pipestack orphans lists every object that no state has", () => {
      const { keys, dashboards, alerts } = fixture.sandbox.store;
      const { organizationId, serviceId } = fixture.sandbox.credentials;
      const made = [...alerts.keys(), ...dashboards.keys(), ...keys.keys(), serviceId];
      expect(listed.ids).to.have.members(made.filter((id) => id !== fixture.signingKey()));
      expect(listed.report)
        .to.include({ organizationId, serviceId })
        .and.deep.include({ states: [stateFile()] });
    });

    it("pipestack orphans lists each orphan with its name and times", () => {
      const { keys, dashboards } = fixture.sandbox.store;
      const [key] = [...keys.values()].filter(({ name }) => name === "数据");
      const [dashboard] = dashboards.values();
      const { id, name } = dashboard ?? {};
      const unused = { usedAt: null, deleted: false };
      expect(listed.report.orphans)
        .to.deep.include({
          ...{ type: "ApiKey", id: key?.id, name: "数据", createdAt: key?.createdAt, ...unused },
          kept: unlistedServices,
        })
        .and.deep.include({ type: "Dashboard", id, name, createdAt: null, kept: null, ...unused });
    });

    it("pipestack orphans lists the objects by one request for each type", () => {
      const looks = createdTypes.map((type) => {
        const { list, get } = resources[type].operations;
        return list ?? get;
      });
      // Services may use an API key, so orphans asks for the list of services. The test's server lacks that route.
      const asked = fixture.sandbox.requests.map(({ operation }) => operation);
      expect(asked).to.have.members([...looks, undefined]);
    });
  });

  it("pipestack orphans prints a table of orphans with their ages and the commands to run next", async () => {
    const key = await addKey();
    const minute = (time: string) => time.slice(0, 16).replace("T", " ");
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
    const times = { createdAt: hours(50), usedAt: hours(1.5) };
    Object.assign(fixture.sandbox.store.keys.get(key.id) ?? {}, times);
    const { id, dashboardId } = await addAlert({ name: undefined });
    const { code, stdout } = await run([]);
    expect(code).to.equal(7);
    const [headings, , ...lines] = stdout.trimEnd().split("\n");
    expect(headings).to.match(/^TYPE +ID +NAME +CREATED +LAST USED$/);
    expect(lines.slice(0, 3).map((line) => line.split(/ {2,}/))).to.deep.equal([
      ["Alert", id, "(none)", `${minute(hours(0))} (0 minutes)`],
      ["Dashboard", dashboardId, '"Ingestion"', "(not shown)"],
      ["ApiKey", key.id, '"Reporting"', `${minute(hours(50))} (2 days)`, `${minute(hours(1.5))} (1 hour)`],
    ]);
    expect(lines.slice(3)).to.deep.equal([
      "",
      `--delete keeps ApiKey ${key.id} "Reporting": ${unlistedServices}.`,
      `3 objects on service ${fixture.sandbox.credentials.serviceId} missing from ${stateFile()}.`,
      'To adopt one, declare it with adoptId: "<id>".',
      "After a killed update: npx pipestack orphans --recover. To delete: npx pipestack orphans --delete.",
    ]);
  });

  it("pipestack orphans keeps a webhook while an alert that stays uses it", async () => {
    const { id: alert } = await addAlert();
    const { id, ...webhook } = [...fixture.sandbox.store.webhooks.values()][0] ?? { id: "" };
    const unused = "65f1c0a2b3d4e5f607182922";
    fixture.sandbox.store.webhooks.set(unused, { ...(webhook as Webhook), id: unused });
    const { report: found } = await report([resource("Alert", alert)], { only: ["Webhook"], seeded: false });
    expect(found.orphans.map(({ id, kept }) => [id, kept])).to.deep.equal([
      [id, `alert ${alert} uses it and stays`],
      [unused, null],
    ]);
  });

  it("an object that a state only reads, waits to delete or is still changing is no orphan", async () => {
    const [read, replaced] = [await addDashboard(), await addDashboard()];
    const interrupted = await addDashboard();
    const { ids } = await report(
      [
        { ...resource("Dashboard", read.id), external: true },
        { ...resource("Dashboard", replaced.id), delete: true },
      ],
      { pending: [{ resource: resource("Dashboard", interrupted.id), type: "updating" }] },
    );
    expect(ids).to.deep.equal([]);
  });

  it("an orphan is listed although a resource of another type or package has its id", async () => {
    const { id } = await addDashboard();
    const bucket = "aws:s3/bucket:Bucket";
    const other = { urn: `urn:pulumi:dev::test::${bucket}::logs`, type: bucket, id };
    expect((await report([resource("Alert", id), other])).ids).to.deep.equal([id]);
  });

  const cases: Record<string, [RegExp, OrphansCommandOptions, Record<string, string>?]> = {
    "the service refuses": [/keyId and keySecret: .*answered 401/, {}, { keySecret: "wrong-secret" }],
    "a setting is missing": [/serviceId is missing.*PIPESTACK_SERVICE_ID/, {}, { serviceId: "" }],
    "a file is not there": [
      /cannot read the state file nowhere\.json \(ENOENT\)/,
      { state: ["nowhere.json"] },
    ],
    "--json leaves nobody to ask": [/add --yes/, { json: true, delete: true }],
    "--yes stands alone": [/--yes requires --delete/, { yes: true }],
  };
  for (const [title, [message, options, settings]] of Object.entries(cases)) {
    it(`pipestack orphans exits with 1, one message and no deletion if ${title}`, async () => {
      const { id } = await addDashboard();
      expect(await errorOf(run([], options, settings)))
        .to.match(/^error: /)
        .and.match(message)
        .and.not.match(/^\s+at /m)
        .and.not.include("wrong-secret");
      expect(fixture.sandbox.store.dashboards.has(id)).to.equal(true);
    });
  }

  const contents: Record<string, string> = {
    "is a checkpoint": '{ "version": 3, "checkpoint": { "latest": {} } }',
    "has resources without a name": '{ "version": 3, "deployment": { "resources": [{}] } }',
    "has something else for resources": '{ "version": 3, "deployment": { "resources": {} } }',
    "has operations on nothing": '{ "version": 3, "deployment": { "pending_operations": [null] } }',
    "is null": "null",
  };
  for (const [title, content] of Object.entries(contents)) {
    it(`pipestack orphans exits with 1 and one message if a state file has another form: it ${title}`, async () => {
      const file = join(fixture.folder, "state.json");
      await writeFile(file, content);
      const { code, stderr } = await run([], { state: [file] });
      expect(stderr).to.equal(
        `error: ${file} is not an export of a stack; write it with "pulumi stack export"\n`,
      );
      expect(code).to.equal(1);
    });
  }
});
