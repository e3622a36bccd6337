import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { unknownText } from "../../../../provider/engine/engineValues";
import { emptyStack } from "../../../serviceContents";
import { pulumiThatAnswers } from "../runHere";
import { resource, useOrphansFixture } from "./orphansFixture";

const stack = "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev";
const providerOf = (name: string) =>
  `urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::${name}::${unknownText}`;
const urnOf = (type: string, name: string) =>
  `urn:pulumi:dev::test::pulumi-nodejs:dynamic/pipestack:${type}::${name}`;

function created(type: string, name: string, inputs: object, further: object = {}): object {
  const urn = urnOf(type, name);
  const token = `pulumi-nodejs:dynamic/pipestack:${type}`;
  const common = { urn, custom: true, type: token, parent: stack, provider: providerOf("default") };
  return { op: "create", urn, newState: { ...common, inputs, ...further } };
}

const tile = {
  ...{ name: "Errors", x: 0, y: 0, w: 12, h: 4 },
  series: [{ type: "time", aggFn: "count", groupBy: ["host"] }],
};
const alert = {
  ...{ name: "Errors", source: "tile", threshold: 5, thresholdType: "above", interval: "5m" },
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
};

function alertOn(dashboard: string, name: string, further: object = {}): object {
  const dependencies = [urnOf("Dashboard", dashboard)];
  return created(
    "Alert",
    name,
    { ...alert, ...further, dashboardId: unknownText, tileId: unknownText },
    { propertyDependencies: { dashboardId: dependencies, tileId: dependencies } },
  );
}

interface Imported {
  readonly nameTable: { readonly [name: string]: string };
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly logicalName: string;
    readonly id?: string;
    readonly parent?: string;
    readonly component?: boolean;
    readonly inputs?: { readonly [name: string]: unknown };
    readonly outputs?: { readonly [name: string]: unknown };
  }[];
}

if (process.platform !== "win32")
  describe("The command pipestack orphans --recover", () => {
    const fixture = useOrphansFixture();
    const { addAlert, addDashboard, addKey } = fixture;
    /** Makes a step of a preview that would create a dashboard with the content that `addDashboard` gives one. */
    const board = (name: string, inputs: object = {}, further: object = {}) =>
      created("Dashboard", name, { name: "Ingestion", tiles: [tile], ...inputs }, further);
    const nothing = { code: 7, text: undefined };
    const yes = ["--recover", "--yes"];

    /**
     * Runs `pipestack orphans --recover` with a Pulumi CLI that prints the given preview steps, and returns the file that the
     * CLI was to import.
     */
    async function run(
      steps: object[],
      { held = [] as object[], args = yes, pending = [] as object[] } = {},
    ) {
      const state = await fixture.state(held, { pending });
      const imported = join(fixture.folder, "imported.json");
      await writeFile(join(fixture.folder, "preview.json"), JSON.stringify({ steps }));
      const program = await pulumiThatAnswers(fixture.folder, {
        config: 'echo "{}"',
        stack: `cat "${state}"`,
        preview: `cat "${join(fixture.folder, "preview.json")}"`,
        import: `cp "$3" "${imported}"`,
        "*": "exit 1",
      });
      const result = await fixture.pipestack(["orphans", "--cwd", ".", ...args], {}, program);
      const text = existsSync(imported) ? await readFile(imported, "utf8") : undefined;
      const file: Imported = text === undefined ? { nameTable: {}, resources: [] } : JSON.parse(text);
      return { ...result, text, file, ids: file.resources.map(({ logicalName, id }) => [logicalName, id]) };
    }

    it("pipestack orphans --recover imports each dashboard with the alerts declared on it", async () => {
      const alerts = [await addAlert(), await addAlert()];
      const names = ["First", "Second"];
      for (const [index, { dashboardId }] of alerts.entries())
        Object.assign(fixture.sandbox.store.dashboards.get(dashboardId) ?? {}, { name: names[index] });
      const { code, stdout, stderr, file, ids } = await run([
        alertOn("second", "errors"),
        board("second", { name: "Second" }),
        alertOn("first", "first-errors"),
        board("first", { name: "First" }),
      ]);
      expect(code, stderr).to.equal(0);
      expect(ids).to.have.deep.members([
        ["first", alerts[0]?.dashboardId],
        ["second", alerts[1]?.dashboardId],
        ["first-errors", alerts[0]?.id],
        ["errors", alerts[1]?.id],
      ]);
      expect(stdout).to.match(/Alert +\w+ +errors\n/);
      expect(stdout).to.include('4 objects imported. Run "pulumi up"');
      const errors = file.resources.find(({ logicalName }) => logicalName === "errors");
      const tileId = fixture.sandbox.store.alerts.get(alerts[1]?.id ?? "")?.tileId;
      expect(errors?.inputs).to.deep.equal({
        ...{ ...alert, dashboardId: alerts[1]?.dashboardId, tileId },
        __provider: 'exports.handler=()=>require("pipestack/host").Alert',
      });
      expect(errors?.outputs).to.deep.include({ ...errors?.inputs, state: "inactive" });
    });

    it("pipestack orphans --recover saves the earlier state in a file that undoes the import", async () => {
      await addDashboard();
      const { stderr } = await run([board("one")]);
      const [backup = ""] = (await readdir(fixture.folder)).filter((name) => /^state-before-/.test(name));
      expect(stderr).to.include(`"pulumi stack import --file ${backup}" undoes the import`);
      expect(await readFile(join(fixture.folder, backup), "utf8")).to.equal(
        await readFile(join(fixture.folder, "state.json"), "utf8"),
      );
    });

    it("pipestack orphans --recover says which alerts of a set to delete before an update", async () => {
      const made = [await addAlert(), await addAlert()];
      const dashboardId = made[1]?.dashboardId ?? "";
      const { tileId } = fixture.sandbox.store.alerts.get(made[1]?.id ?? "") ?? {};
      await addDashboard();
      const unique = [...fixture.sandbox.store.dashboards.values()].at(-1);
      Object.assign(unique ?? {}, { name: "Unique" });
      const entry = { ...alert, dashboardId, tileId };
      const set = created("AlertSet", "all", { alerts: { one: entry, two: { ...entry, threshold: 7 } } });
      const { code, stdout } = await run([board("one", { name: "Unique" }), set]);
      expect(code).to.equal(7);
      expect(stdout).to.match(
        new RegExp(
          `\\n1 alert equal to entries of a set cannot be imported, .*: ${made[1]?.id}\\. Delete them before you run "pulumi up", with npx pipestack orphans --only Alert --delete`,
        ),
      );
      expect(stdout).to.include("1 object imported. Delete what is named at the beginning, and then run");
    });

    it("pipestack orphans --recover says how to adopt an object with other content", async () => {
      const { id } = await addDashboard();
      const { code, stdout, text } = await run([board("one", { tiles: [{ ...tile, w: 6 }] })]);
      expect({ code, text }).to.deep.equal(nothing);
      expect(stdout)
        .to.include("No orphan has exactly the content of a declared resource.")
        .and.include(
          `Dashboard ${id} "Ingestion" stays: its content is not as declared, or not unique; adoptId takes it over.`,
        );
    });

    it("pipestack orphans --recover --yes imports nothing into a stack that has no object of the service", async () => {
      await addDashboard();
      emptyStack(fixture.sandbox);
      const steps = [board("one")];
      const { code, stderr, text } = await run(steps);
      expect([code, text]).to.deep.equal([1, undefined]);
      expect(stderr).to.match(
        /^error: nothing was recovered: the given Pulumi states hold no object of the service in the settings/m,
      );
    });

    it("pipestack orphans --recover --yes goes on where a killed update has left nothing but a key", async () => {
      await addDashboard();
      const held = [resource("ApiKey", (await addKey()).id)];
      emptyStack(fixture.sandbox);
      expect((await run([board("one")], { held })).ids).to.have.length(1);
    });

    it("pipestack orphans --recover imports nothing where a match is ambiguous", async () => {
      await addDashboard();
      const one = board("one");
      const other = board("other");
      expect(await run([one, other])).to.include(nothing);
      await addDashboard();
      expect(await run([one])).to.include(nothing);
    });

    it("pipestack orphans --recover skips a dashboard of unknown name together with its alert", async () => {
      await addAlert();
      const first = board("board");
      const other = board("board", { name: "[secret]" });
      expect(await run([other, alertOn("board", "errors")])).to.include(nothing);
      expect((await run([first, alertOn("board", "errors")])).ids).to.have.length(2);
    });

    it("a resource with an explicit provider, another service or adoptId is not recovered", async () => {
      const { id } = await addDashboard();
      const { secondServiceId } = fixture.sandbox.credentials;
      for (const name of ["other", "default_eu"]) {
        const own = await run([board("own", {}, { provider: providerOf(name) })]);
        expect(own, name).to.include(nothing);
        expect(own.stdout).to.include(
          "Not looked for, since their provider or their service is another: own.",
        );
      }
      const elsewhere = board("elsewhere", { serviceId: secondServiceId });
      expect(await run([elsewhere])).to.include(nothing);
      for (const adoptId of [id, id.toUpperCase()]) {
        const adopting = board("adopting", { adoptId });
        expect(await run([adopting, board("one")])).to.include({ text: undefined });
      }
    });

    it("a child is recovered only if its parent is a component or in the state", async () => {
      const parents = ["team", "held", "lost"].map((name) => `urn:pulumi:dev::test::t:t:Team::${name}`);
      const [team, held] = parents;
      const names = ["A", "B", "C"];
      for (const name of names) await addDashboard(name);
      const steps = names.map((name, index) => board(name, { name }, { parent: parents[index] }));
      const component = {
        op: "create",
        urn: team,
        newState: { urn: team, type: "t:t:Team", custom: false, parent: stack },
      };
      const { code, stdout, file } = await run([...steps, component], {
        held: [{ urn: held, type: "t:t:Team", custom: false }],
      });
      expect(code).to.equal(7);
      expect(stdout).to.match(/Dashboard \w+ "C" stays: its parent is not in the state\./);
      expect(file.nameTable).to.deep.equal({ [file.resources.at(-1)?.parent ?? ""]: held });
      expect(
        file.resources.map(({ logicalName, parent, component: is }) => [logicalName, parent, is]),
      ).to.deep.equal([
        ["team", undefined, true],
        ["A", file.resources[0]?.name, undefined],
        ["B", file.resources[2]?.parent, undefined],
      ]);
    });

    it("pipestack orphans --recover keeps a key whose secret is lost", async () => {
      const { id: lost } = await addKey({ name: "lost" });
      fixture.sandbox.requests.length = 0;
      const { code, stdout, text } = await run([
        created("ApiKey", "lost", { name: "lost", roles: ["developer"] }),
      ]);
      expect({ code, text }).to.deep.equal(nothing);
      expect(stdout).to.include(
        `ApiKey ${lost} "lost" stays: its secret is lost, so "pulumi up" creates another key; revoke this one once nobody uses it.`,
      );
      expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
      expect(fixture.sandbox.store.keys.has(lost)).to.equal(true);
    });

    it("pipestack orphans --recover writes no secret of the program into the import file", async () => {
      await addAlert({ message: "hush-hush" });
      const steps = [board("board"), alertOn("board", "errors", { message: "[secret]" })];
      const { code, text, file } = await run(steps);
      expect(code).to.equal(0);
      expect(text).to.not.include("hush-hush");
      const message = file.resources.find(({ logicalName }) => logicalName === "errors")?.inputs?.message;
      expect(message).to.deep.equal({
        "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
        plaintext: '""',
      });
    });

    it("pipestack orphans --recover imports a dashboard whose tiles are secret", async () => {
      const { id } = await addDashboard();
      const { code, stderr, file, ids } = await run([board("one", { tiles: "[secret]" })]);
      expect(code, stderr).to.equal(0);
      expect(ids).to.deep.equal([["one", id]]);
      expect(file.resources[0]?.inputs?.tiles).to.deep.include({ plaintext: '""' });
    });

    it("pipestack orphans --recover refuses a state with unfinished operations", async () => {
      await addDashboard();
      const pending = [{ resource: resource("Dashboard", ""), type: "creating" }];
      const steps = [board("one")];
      const { code, stderr, text } = await run(steps, { pending });
      expect([code, text]).to.deep.equal([1, undefined]);
      expect(stderr).to.match(/^error: nothing was recovered: a Pulumi state has unfinished operations/m);
    });

    for (const [what, args, message] of [
      ["without a terminal to ask in", ["--recover"], "--recover cannot ask without a terminal; add --yes"],
      ["beside --delete", [...yes, "--delete"], "cannot be used with option '--recover"],
      ["with --json", [...yes, "--json"], "cannot be used with option '--json"],
    ] as const)
      it(`pipestack orphans refuses --recover without confirmation or with an option that excludes it: ${what}`, async () => {
        const { code, stderr, text } = await run([], { args: [...args] });
        expect([code, text]).to.deep.equal([1, undefined]);
        expect(stderr).to.include(message);
      });

    it("pipestack orphans refuses --recover without a stack", async () => {
      const { code, stderr } = await fixture.run([], { recover: true, yes: true });
      expect([code, stderr]).to.deep.equal([
        1,
        "error: --recover requires a stack; name it with --stack or --cwd\n",
      ]);
    });
  });
