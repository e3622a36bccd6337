import { join } from "node:path";
import { expect } from "chai";
import { chooseOrphans, deleteOrphans } from "../../../../cli/orphans/deletion";
import type { Orphan } from "../../../../cli/orphans/findOrphans";
import type { ListedObject } from "../../../../cli/orphans/listObjects";
import { emptyStack } from "../../../serviceContents";
import { sessionOf } from "../../drift/fixture";
import { deleting, resource, unlistedServices, useOrphansFixture } from "./orphansFixture";

describe("The command pipestack orphans --delete --yes", () => {
  const fixture = useOrphansFixture();
  const { run, report, addDashboard, addAlert, addKey, addQueryEndpoint } = fixture;

  describe("The deletion of the orphans of a service", () => {
    type Added<Add extends () => Promise<object>> = Awaited<ReturnType<Add>>;
    let orphan: Added<typeof addAlert>;
    let held: Added<typeof addAlert>;
    let key: Added<typeof addKey>;
    let heldKey: Added<typeof addKey>;
    let ended: Awaited<ReturnType<typeof run>>;

    beforeEach(async () => {
      orphan = await addAlert();
      held = await addAlert();
      [key, heldKey] = [await addKey(), await addKey()];
      await addQueryEndpoint({ openApiKeys: [heldKey.id] });
      const inState = [resource("Alert", held.id), resource("Dashboard", held.dashboardId)];
      fixture.sandbox.requests.length = 0;
      ended = await run([...inState, resource("ApiKey", heldKey.id)], deleting);
    });

    it("pipestack orphans --delete deletes the orphans and no object of a state", () => {
      const { code, stderr, stdout } = ended;
      expect(stderr).to.equal("");
      expect(stdout.trimEnd().split("\n").pop()).to.equal("3 objects deleted.");
      expect(code).to.equal(7);
      const { alerts, dashboards, queryEndpoints } = fixture.sandbox.store;
      expect([...alerts.keys()]).to.deep.equal([held.id]);
      expect([...dashboards.keys()]).to.deep.equal([held.dashboardId]);
      expect(queryEndpoints.size).to.equal(0);
    });

    it("pipestack orphans --delete deletes alerts before their dashboards", () => {
      const deletions = fixture.sandbox.requests.filter(({ method }) => method === "DELETE");
      expect(deletions.map(({ path }) => path.split("/").slice(-2).join("/"))).to.deep.equal([
        `alerts/${orphan.id}`,
        `dashboards/${orphan.dashboardId}`,
        `${fixture.sandbox.credentials.serviceId}/serviceQueryEndpoint`,
      ]);
    });

    it("pipestack orphans --delete keeps a key whose users it cannot list", () => {
      const kept = `--delete keeps ApiKey ${key.id} "Reporting": ${unlistedServices}.\n`;
      expect(ended.stdout).to.include(kept);
      const keys = [...fixture.sandbox.store.keys.keys()];
      expect(keys).to.have.members([fixture.signingKey(), heldKey.id, key.id]);
    });
  });

  it("pipestack orphans --delete keeps objects whose users the key may not list", async () => {
    const { id, dashboardId } = await addAlert();
    const key = await addKey();
    await fixture.sandbox.faults.set([{ kind: "403", operation: "listAlerts" }]);
    const { code, stderr, stdout } = await run([], deleting);
    await fixture.sandbox.faults.clear();
    expect(stderr).to.match(/^warning: Alert: skipped, because .*listAlerts: GET \S+ answered 403/m);
    expect(stdout).to.include(
      `--delete keeps Dashboard ${dashboardId} "Ingestion": cannot tell which alerts use it`,
    );
    expect(stdout).to.include(`--delete keeps ApiKey ${key.id}`);
    expect(code).to.equal(7);
    const { alerts, dashboards } = fixture.sandbox.store;
    expect([alerts.has(id), dashboards.has(dashboardId)]).to.deep.equal([true, true]);
  });

  it("pipestack orphans --delete fails if the key may list nothing", async () => {
    await fixture.sandbox.faults.set([{ kind: "403", operation: "*" }]);
    const { code, stderr } = await run([], deleting);
    await fixture.sandbox.faults.clear();
    expect([code, stderr]).to.satisfy(
      ([exit, text]: [number, string]) => exit === 1 && /answered 403/.test(text),
    );
  });

  it("pipestack orphans --delete keeps a dashboard with an alert that a state has", async () => {
    const { id, dashboardId } = await addAlert();
    const { code, kept } = await report([resource("Alert", id)], deleting);
    expect(code).to.equal(7);
    expect(kept).to.deep.equal([`its alert ${id} stays`]);
    expect(fixture.sandbox.store.dashboards.has(dashboardId)).to.equal(true);
    const { stdout } = await run([resource("Alert", id)]);
    expect(stdout).to.include(
      `--delete keeps Dashboard ${dashboardId} "Ingestion": its alert ${id} stays.\n`,
    );
  });

  it("pipestack orphans --delete keeps a dashboard with alerts if --only names dashboards alone", async () => {
    const { id } = await addAlert();
    const held = await addDashboard();
    const { kept } = await report([resource("Dashboard", held.id)], { only: ["Dashboard"], ...deleting });
    expect(kept).to.deep.equal([`its alert ${id} stays`]);
    expect(fixture.sandbox.store.alerts.has(id)).to.equal(true);
  });

  it("pipestack orphans --delete keeps an object that any resource of a state refers to", async () => {
    const key = await addKey();
    const held = await addDashboard();
    const stack = {
      urn: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev",
      type: "pulumi:pulumi:Stack",
      outputs: { link: `https://example.com/keys/${key.id}` },
    };
    const { kept } = await report([stack, resource("Dashboard", held.id)], deleting);
    expect(kept).to.deep.equal(["test-dev refers to it"]);
    expect(fixture.sandbox.store.keys.has(key.id)).to.equal(true);
  });

  it("pipestack orphans --delete keeps an object whose id a state has in capital letters", async () => {
    const key = await addKey();
    const other = await addKey();
    await addQueryEndpoint({ openApiKeys: [key.id] });
    const serviceId = fixture.sandbox.credentials.serviceId.toUpperCase();
    const endpoint = resource("QueryEndpoint", serviceId, { openApiKeys: [other.id.toUpperCase()] });
    const { ids, kept } = await report([endpoint, resource("ApiKey", key.id.toUpperCase())], deleting);
    expect(ids).to.deep.equal([other.id]);
    expect(kept).to.deep.equal([`QueryEndpoint-${serviceId} refers to it`]);
    expect(fixture.sandbox.store.queryEndpoints.size).to.equal(1);
  });

  it("pipestack orphans --delete deletes nothing while a state has unfinished operations", async () => {
    const [held, { id }] = [await addDashboard(), await addDashboard()];
    const pending = [{ resource: { ...resource("Dashboard", ""), id: undefined }, type: "creating" }];
    const { code, stderr } = await run([resource("Dashboard", held.id)], { pending, ...deleting });
    expect(code).to.equal(1);
    expect(stderr)
      .to.include(
        `warning: ${join(fixture.folder, "state.json")} has 1 unfinished operation (creating Dashboard-), which may have created an orphan`,
      )
      .and.match(
        /^error: nothing was deleted: a Pulumi state has unfinished operations.*"pulumi refresh --clear-pending-creates"\n$/m,
      );
    expect(fixture.sandbox.store.dashboards.has(id)).to.equal(true);
  });

  for (const [what, held] of [
    ["have no object of the service", () => resource("Dashboard", "65f1c0a2b3d4e5f607182999")],
    ["have only a key, which all services share", async () => resource("ApiKey", (await addKey()).id)],
  ] as const)
    it(`pipestack orphans --delete deletes nothing if the states ${what}`, async () => {
      const { id } = await addDashboard();
      emptyStack(fixture.sandbox);
      const { code, stderr } = await run([await held()], deleting);
      expect(code).to.equal(1);
      expect(stderr).to.match(
        /^error: nothing was deleted: the given Pulumi states hold no object of the service in the settings/,
      );
      expect(fixture.sandbox.store.dashboards.has(id)).to.equal(true);
    });

  for (const [what, held] of [
    ["the service itself", (serviceId: string) => resource("Service", serviceId)],
    ["its scaling", (serviceId: string) => resource("ServiceScaling", serviceId, { serviceId })],
  ] as const)
    it(`pipestack orphans --delete deletes the leftovers of a stack that has of a service only ${what}`, async () => {
      const { id } = await addDashboard();
      emptyStack(fixture.sandbox);
      const { stderr } = await run([held(fixture.sandbox.credentials.serviceId)], deleting);
      expect(stderr).to.equal("");
      expect(fixture.sandbox.store.dashboards.has(id)).to.equal(false);
    });

  it("pipestack orphans --delete keeps a signing key that the search took for an orphan", async () => {
    const id = fixture.signingKey();
    const answer = { ...fixture.sandbox.store.keys.get(id) };
    fixture.sandbox.requests.length = 0;
    const reasons: string[] = [];
    const deleted = await deleteOrphans(
      [{ type: "ApiKey", id, name: null, createdAt: null, usedAt: null, kept: null }],
      [{ type: "ApiKey", id, answer }],
      sessionOf(fixture.sandbox).session,
      (_orphan, reason) => reasons.push(reason),
    );
    expect(deleted).to.deep.equal([]);
    expect(reasons.join()).to.include(`API key ${id}`).and.include("is not deleted");
    expect(fixture.sandbox.requests).to.deep.equal([]);
  });

  it("pipestack orphans --delete takes an orphan for deleted that somebody else has deleted meanwhile", async () => {
    const { id, ...answer } = fixture.sandbox.store.dashboards.get((await addDashboard()).id) ?? { id: "" };
    fixture.sandbox.store.dashboards.delete(id);
    const reasons: string[] = [];
    const [deleted] = await deleteOrphans(
      [{ type: "Dashboard", id, name: null, createdAt: null, usedAt: null, kept: null }],
      [{ type: "Dashboard", id, answer: { ...answer, createdAt: "2026-01-01T00:00:00Z" } }],
      sessionOf(fixture.sandbox).session,
      (_orphan, reason) => reasons.push(reason),
    );
    expect(reasons).to.deep.equal([]);
    expect(deleted?.id).to.equal(id);
  });

  it("after a failed deletion, pipestack orphans --delete deletes all but what is still in use", async () => {
    const { id: refused, dashboardId } = await addAlert();
    const [held, { id }] = [await addDashboard(), await addDashboard()];
    await fixture.sandbox.faults.set([{ kind: "403", operation: "deleteAlert" }]);
    const options = { only: ["Alert", "Dashboard"] as const, ...deleting };
    const { code, stderr, report: found } = await report([resource("Dashboard", held.id)], options);
    await fixture.sandbox.faults.clear();
    expect(code).to.equal(1);
    expect(stderr)
      .to.match(new RegExp(`^error: Alert ${refused} "Errors" was not deleted: .*answered 403`, "m"))
      .and.include(
        `"Ingestion" was not deleted: the dashboard is still in use by alert ${refused}, which could not be deleted\n`,
      );
    expect(found.orphans.filter(({ deleted }) => deleted).map((one) => one.id)).to.deep.equal([id]);
    const { alerts, dashboards } = fixture.sandbox.store;
    expect(alerts.has(refused)).to.equal(true);
    expect([...dashboards.keys()]).to.have.members([dashboardId, held.id]);
  });
});

describe("The dialogue of pipestack orphans --delete", () => {
  const objects: ListedObject[] = [
    { type: "Alert", id: "a1", answer: { dashboard: "d1" } },
    { type: "Alert", id: "a2", answer: { dashboardId: "d2" } },
    { type: "Dashboard", id: "d1", answer: {} },
    { type: "Dashboard", id: "d2", answer: {} },
    { type: "ApiKey", id: "k1", answer: {} },
  ];
  const orphans: Orphan[] = objects.map(({ type, id }) => ({
    ...{ type, id, name: type === "ApiKey" ? "a\nb" : null, createdAt: null, usedAt: null, kept: null },
  }));

  /** Runs the dialogue of `pipestack orphans --delete` with the given answers, after which the input ends. */
  async function dialogue(...answers: string[]) {
    const asked: string[] = [];
    const chosen = await chooseOrphans(orphans, objects, async (question) => {
      asked.push(question);
      return answers.shift();
    });
    return { asked, chosen: chosen.map(({ id }) => id) };
  }

  for (const answer of ["a", "all", " A "]) {
    it(`pipestack orphans --delete chooses all objects after the answer "${answer}"`, async () => {
      expect(await dialogue(answer)).to.deep.equal({
        asked: ["Delete 5 objects? [a]ll, [o]ne by one, [n]one (none): "],
        chosen: ["a1", "a2", "d1", "d2", "k1"],
      });
    });
  }

  for (const answer of ["", "n", "none", "y", "yes", "alle", "1"]) {
    it(`pipestack orphans --delete chooses no object after the answer "${answer}"`, async () => {
      const { asked, chosen } = await dialogue(answer);
      expect(asked).to.have.length(1);
      expect(chosen).to.deep.equal([]);
    });
  }

  it('after the answer "o", orphans --delete asks for each object that it could delete', async () => {
    expect(await dialogue("o", "y", "n", "yes", "Y")).to.deep.equal({
      asked: [
        "Delete 5 objects? [a]ll, [o]ne by one, [n]one (none): ",
        "Delete Alert a1? [y]es, [n]o (no): ",
        "Delete Alert a2? [y]es, [n]o (no): ",
        "Delete Dashboard d1? [y]es, [n]o (no): ",
        'Delete ApiKey k1 "a\\nb"? [y]es, [n]o (no): ',
      ],
      chosen: ["a1", "d1", "k1"],
    });
  });

  it("pipestack orphans --delete chooses nothing once the user stops answering", async () => {
    expect((await dialogue()).chosen).to.deep.equal([]);
    expect((await dialogue("o", "y")).chosen).to.deep.equal([]);
  });

  it("orphans --delete chooses each confirmed object, also two with the id of the service", async () => {
    const ofService: ListedObject[] = [
      { type: "QueryEndpoint", id: "s1", answer: { openApiKeys: ["k1"] } },
      { type: "ApiKey", id: "k1", answer: {} },
      { type: "ServiceScalingSchedule", id: "s1", answer: {} },
    ];
    const found = ofService.map(({ type, id }) => ({
      ...{ type, id, name: null, createdAt: null, usedAt: null, kept: null },
    }));
    const answers = ["o", "y", "y", "y"];
    const chosen = await chooseOrphans(found, ofService, async () => answers.shift());
    expect(chosen).to.deep.equal(found);
  });
});
