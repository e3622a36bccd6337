import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../../sandbox/src";
import {
  type CommandResult,
  pipestack,
  pipestackBin,
  settingVariables,
  withoutSettings,
} from "../../pipestackCommand";
import { fillService, send, settingsOf } from "../../serviceContents";

interface Report {
  organizationId: string | null;
  serviceId: string | null;
  states: string[];
  orphans: {
    type: string;
    id: string;
    name: string | null;
    createdAt: string | null;
    usedAt: string | null;
    kept: string | null;
    deleted: boolean;
  }[];
}

describe("pipestack orphans", () => {
  let sandbox: Sandbox;
  let folder: string;
  let service: string;
  let signingKey: string;

  before(async () => {
    sandbox = await createSandbox();
    service = `/services/${sandbox.credentials.serviceId}`;
    signingKey = [...sandbox.store.keys.keys()][0] ?? "";
  });
  beforeEach(async () => {
    await sandbox.reset();
    folder = await mkdtemp(join(tmpdir(), "pipestack-orphans-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  after(() => sandbox.close());

  const run = (args: string[], settings: Record<string, string> = {}): Promise<CommandResult> =>
    pipestack(["orphans", ...args], folder, settingVariables({ ...settingsOf(sandbox), ...settings }));
  const report = async (args: string[], settings: Record<string, string> = {}) => {
    const result = await run([...args, "--json"], settings);
    return { ...result, report: JSON.parse(result.stdout) as Report };
  };
  const idsIn = ({ orphans }: Report) => orphans.map(({ id }) => id);

  const resource = (type: string, id: string, inputs: object = {}) => ({
    urn: `urn:pulumi:dev::test::pulumi-nodejs:dynamic/pipestack:${type}::${type}-${id}`,
    type: `pulumi-nodejs:dynamic/pipestack:${type}`,
    id,
    inputs,
  });
  /** A file as `pulumi stack export` writes it. */
  async function state(
    resources: object[],
    { name = "state.json", pending = [] as object[] } = {},
  ): Promise<string> {
    const deployment = { manifest: {}, resources, pending_operations: pending };
    await writeFile(join(folder, name), JSON.stringify({ version: 3, deployment }));
    return name;
  }

  const addDashboard = (name = "Ingestion") =>
    send<{ id: string; tiles: { id: string }[] }>(sandbox, "POST", `${service}/stack/dashboards`, {
      name,
      tiles: [
        {
          name: "Errors",
          x: 0,
          y: 0,
          w: 12,
          h: 4,
          series: [{ type: "time", aggFn: "count", groupBy: ["host"] }],
        },
      ],
    });
  const addAlert = async (body: object = {}) => {
    const { id: dashboardId, tiles } = await addDashboard();
    const { id } = await send<{ id: string }>(sandbox, "POST", `${service}/stack/alerts`, {
      name: "Errors",
      source: "tile",
      dashboardId,
      tileId: tiles[0]?.id,
      threshold: 5,
      thresholdType: "above",
      interval: "5m",
      channel: { type: "webhook", webhookId: [...sandbox.store.webhooks.keys()][0] },
      ...body,
    });
    return { id, dashboardId };
  };
  const addKey = async (body: object = {}) =>
    await send<{ key: { id: string; keySuffix: string }; keyId: string; keySecret: string }>(
      sandbox,
      "POST",
      "/keys",
      { name: "Reporting", roles: ["developer"], ...body },
    );
  const addEndpoint = (key: string) =>
    send(sandbox, "POST", `${service}/serviceQueryEndpoint`, {
      roles: ["sql_console_admin"],
      openApiKeys: [key],
    });

  describe("lists", () => {
    it("nothing, and ends with 0, where every object is in the state", async () => {
      const { id, dashboardId } = await addAlert();
      const { key } = await addKey();
      await addEndpoint(key.id);
      const file = await state([
        resource("Alert", id),
        resource("Dashboard", dashboardId),
        resource("ApiKey", key.id),
        resource("QueryEndpoint", sandbox.credentials.serviceId),
      ]);
      const { code, stdout, stderr } = await run(["--state", file]);
      expect(stderr).to.equal("");
      expect(stdout).to.equal(
        `No orphans: all that was looked at on service ${sandbox.credentials.serviceId} is held by state.json.\n`,
      );
      expect(code).to.equal(0);
    });

    it("all that no state holds, with name and time, by one request for each kind", async () => {
      await fillService(sandbox);
      sandbox.requests.length = 0;
      const { code, stderr, report: found } = await report(["--state", await state([])]);
      expect(code, stderr).to.equal(7);
      const { keys, dashboards, alerts } = sandbox.store;
      const made = [...alerts.keys(), ...dashboards.keys(), ...keys.keys(), sandbox.credentials.serviceId];
      expect(idsIn(found)).to.have.members(made.filter((id) => id !== signingKey));
      const { organizationId, serviceId } = sandbox.credentials;
      expect(found)
        .to.include({ organizationId, serviceId })
        .and.deep.include({ states: ["state.json"] });
      const [key] = [...keys.values()].filter(({ name }) => name === "数据");
      expect(found.orphans).to.deep.include({
        type: "ApiKey",
        id: key?.id,
        name: "数据",
        createdAt: key?.createdAt,
        usedAt: null,
        kept: null,
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
      expect(sandbox.requests.map(({ method }) => method)).to.deep.equal(["GET", "GET", "GET", "GET"]);
    });

    it("them as a table with their ages, and says how to go on", async () => {
      const { key } = await addKey();
      const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
      Object.assign(sandbox.store.keys.get(key.id) ?? {}, { createdAt: hours(50), usedAt: hours(1.5) });
      const { id, dashboardId } = await addAlert({ name: undefined });
      const { code, stdout } = await run(["--state", await state([])]);
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
        `3 objects of service ${sandbox.credentials.serviceId} in no state of state.json.`,
        'To take one over, declare it with adoptId: "<id>" (a query endpoint: declare it). To delete: pipestack orphans --delete.',
      ]);
    });

    it("what none of several states holds", async () => {
      const [first, second, third] = [await addDashboard(), await addDashboard(), await addDashboard()];
      const files = [
        await state([resource("Dashboard", first.id)], { name: "one.json" }),
        await state([resource("Dashboard", third.id)], { name: "two.json" }),
      ];
      const { report: found } = await report(files.flatMap((file) => ["--state", file]));
      expect(idsIn(found)).to.deep.equal([second.id]);
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
      expect((await report(["--state", file])).report.orphans).to.deep.equal([]);
    });

    it("an object although a resource of another type, or of another package, has its id", async () => {
      const { id } = await addDashboard();
      const other = {
        urn: "urn:pulumi:dev::test::aws:s3/bucket:Bucket::logs",
        type: "aws:s3/bucket:Bucket",
        id,
      };
      const file = await state([resource("Alert", id), other]);
      expect(idsIn((await report(["--state", file])).report)).to.deep.equal([id]);
    });

    it("only the types that are asked for", async () => {
      const { id, dashboardId } = await addAlert();
      const { key } = await addKey();
      const file = await state([]);
      const only = async (types: string) => idsIn((await report(["--state", file, "--only", types])).report);
      expect(await only("apikey")).to.deep.equal([key.id]);
      expect(await only("Dashboard")).to.deep.equal([dashboardId]);
      expect(await only("dashboard, Alert")).to.deep.equal([id, dashboardId]);
    });

    it("those of another service, if that is asked for", async () => {
      await addDashboard();
      const { secondServiceId } = sandbox.credentials;
      const { id } = await send<{ id: string }>(
        sandbox,
        "POST",
        `/services/${secondServiceId}/stack/dashboards`,
        {
          name: "Second",
          tiles: [],
        },
      );
      const { report: found } = await report(["--state", await state([]), "--service", secondServiceId]);
      expect(idsIn(found)).to.deep.equal([id]);
      expect(found.serviceId).to.equal(secondServiceId);
    });

    it("names that a terminal would obey without doing so", async () => {
      await addDashboard("\u001b[2Jgone\u009b\u202e");
      const { stdout } = await run(["--state", await state([])]);
      expect(stdout).to.include("\\u001b[2Jgone\\u009b\\u202e");
      expect(stdout).to.not.match(/[\u001b\u009b\u202e]/);
    });
  });

  describe("takes for no orphan the key that signs", () => {
    it("its own requests", async () => {
      const { report: found } = await report(["--state", await state([])]);
      expect(found.orphans).to.deep.equal([]);
    });

    it("those of a given stack, by its configuration or by an explicit provider", async () => {
      const [configured, explicit, other] = [await addKey(), await addKey(), await addKey()];
      const provider = {
        urn: "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::default",
        type: "pulumi:providers:pulumi-nodejs",
        inputs: { "pipestack:keyId": configured.keyId, "pipestack-provider:keyId": explicit.keyId },
      };
      expect(idsIn((await report(["--state", await state([provider])])).report)).to.deep.equal([
        other.key.id,
      ]);
    });

    it("as far as that can be told: keys that end alike are listed and never deleted", async () => {
      const { key } = await addKey();
      const keySuffix = sandbox.credentials.keyId.slice(-4);
      Object.assign(sandbox.store.keys.get(key.id) ?? {}, { keySuffix });
      const held = await addDashboard();
      const args = ["--state", await state([resource("Dashboard", held.id)]), "--delete", "--yes"];
      const { code, report: found } = await report(args);
      expect(code).to.equal(7);
      expect(idsIn(found)).to.have.members([key.id, signingKey]);
      for (const { kept, deleted } of found.orphans) {
        expect(kept).to.equal("it ends as a key does that signs requests");
        expect(deleted).to.equal(false);
      }
      expect(sandbox.store.keys.size).to.equal(2);
    });

    it("and deletes no key where none can be told to be that one", async () => {
      const { key } = await addKey();
      for (const { id } of sandbox.store.keys.values()) {
        Object.assign(sandbox.store.keys.get(id) ?? {}, { keySuffix: "" });
      }
      const held = await addDashboard();
      const args = ["--state", await state([resource("Dashboard", held.id)]), "--delete", "--yes"];
      const { report: found } = await report(args);
      expect(idsIn(found)).to.have.members([key.id, signingKey]);
      expect(found.orphans.every(({ kept }) => kept?.startsWith("none of the keys can be told"))).to.equal(
        true,
      );
      expect(sandbox.store.keys.size).to.equal(2);
    });
  });

  describe("with --delete --yes", () => {
    it("deletes exactly the orphans, alerts before their dashboards, and ends with 0", async () => {
      const orphan = await addAlert();
      const held = await addAlert();
      const [{ key }, { key: heldKey }] = [await addKey(), await addKey()];
      await addEndpoint(heldKey.id);
      const file = await state([
        resource("Alert", held.id),
        resource("Dashboard", held.dashboardId),
        resource("ApiKey", heldKey.id),
      ]);
      sandbox.requests.length = 0;
      const { code, stderr, stdout } = await run(["--state", file, "--delete", "--yes"]);
      expect(stderr).to.equal("");
      expect(stdout.trimEnd().split("\n").pop()).to.equal("4 objects deleted.");
      expect(code).to.equal(0);
      const { alerts, dashboards, keys, queryEndpoints } = sandbox.store;
      expect([...alerts.keys()]).to.deep.equal([held.id]);
      expect([...dashboards.keys()]).to.deep.equal([held.dashboardId]);
      expect([...keys.keys()]).to.have.members([signingKey, heldKey.id]);
      expect(queryEndpoints.size).to.equal(0);
      const deletions = sandbox.requests.filter(({ method }) => method === "DELETE");
      expect(deletions.map(({ path }) => path.split("/").slice(-2).join("/"))).to.deep.equal([
        `alerts/${orphan.id}`,
        `dashboards/${orphan.dashboardId}`,
        `${sandbox.credentials.serviceId}/serviceQueryEndpoint`,
        `keys/${key.id}`,
      ]);
    });

    it("keeps a dashboard with an alert that a state holds, since the alert would go with it", async () => {
      const { id, dashboardId } = await addAlert();
      const { code, report: found } = await report([
        "--state",
        await state([resource("Alert", id)]),
        "--delete",
        "--yes",
      ]);
      expect(code).to.equal(7);
      expect(found.orphans.map(({ kept }) => kept)).to.deep.equal([`the alert ${id} on it stays`]);
      expect(sandbox.store.dashboards.has(dashboardId)).to.equal(true);
      const { stdout } = await run(["--state", "state.json"]);
      expect(stdout).to.include(
        `Dashboard ${dashboardId} "Ingestion" is not for --delete: the alert ${id} on it stays.\n`,
      );
    });

    it("keeps a dashboard with alerts, if only dashboards are asked for", async () => {
      const { id } = await addAlert();
      const held = await addDashboard();
      const file = await state([resource("Dashboard", held.id)]);
      const { report: found } = await report(["--state", file, "--only", "Dashboard", "--delete", "--yes"]);
      expect(found.orphans.map(({ kept }) => kept)).to.deep.equal([`the alert ${id} on it stays`]);
      expect(sandbox.store.alerts.has(id)).to.equal(true);
    });

    it("keeps what any resource of a state refers to", async () => {
      const { key } = await addKey();
      const held = await addDashboard();
      const stack = {
        urn: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev",
        type: "pulumi:pulumi:Stack",
        outputs: { link: `https://example.com/keys/${key.id}` },
      };
      const file = await state([stack, resource("Dashboard", held.id)]);
      const { report: found } = await report(["--state", file, "--delete", "--yes"]);
      expect(found.orphans.map(({ kept }) => kept)).to.deep.equal(["test-dev refers to it"]);
      expect(sandbox.store.keys.has(key.id)).to.equal(true);
    });

    it("deletes nothing while a state has unfinished operations, and says what to do", async () => {
      const [held, { id }] = [await addDashboard(), await addDashboard()];
      const pending = [{ resource: { ...resource("Dashboard", ""), id: undefined }, type: "creating" }];
      const file = await state([resource("Dashboard", held.id)], { pending });
      const { code, stderr } = await run(["--state", file, "--delete", "--yes"]);
      expect(code).to.equal(1);
      expect(stderr)
        .to.include("warning: state.json has 1 unfinished operation (creating Dashboard-): an orphan may be")
        .and.match(/^error: nothing is deleted while .*"pulumi refresh --clear-pending-creates"\n$/m);
      expect(sandbox.store.dashboards.has(id)).to.equal(true);
    });

    it("deletes nothing if the states hold nothing of the service", async () => {
      const { id } = await addDashboard();
      const file = await state([resource("Dashboard", "65f1c0a2b3d4e5f607182999")]);
      const { code, stderr } = await run(["--state", file, "--delete", "--yes"]);
      expect(code).to.equal(1);
      expect(stderr).to.match(/^error: nothing is deleted: the given states hold nothing of this service/);
      expect(sandbox.store.dashboards.has(id)).to.equal(true);
    });

    it("goes on after a deletion that fails, and ends with 1", async () => {
      const { key } = await addKey();
      // By its suffix it is another key, but the service knows that it is the one that signs.
      const own = sandbox.store.keys.get(signingKey);
      Object.assign(own ?? {}, { keySuffix: "abcd" });
      Object.assign(sandbox.store.keys.get(key.id) ?? {}, { keySuffix: sandbox.credentials.keyId.slice(-4) });
      const [held, { id }] = [await addDashboard(), await addDashboard()];
      const args = ["--state", await state([resource("Dashboard", held.id)]), "--delete", "--yes"];
      const { code, stderr, report: found } = await report(args);
      expect(code).to.equal(1);
      expect(stderr).to.match(
        new RegExp(
          `^error: ApiKey ${signingKey} "sandbox admin" was not deleted: deleteKey .*cannot delete itself`,
        ),
      );
      expect(found.orphans.map(({ deleted }) => deleted)).to.deep.equal([true, false]);
      expect(sandbox.store.dashboards.has(id)).to.equal(false);
    });
  });

  describe("against other servers", () => {
    it("uses documented operations only where that is set, and says what it cannot see or delete", async () => {
      const { dashboardId } = await addAlert();
      const held = await addDashboard();
      sandbox.requests.length = 0;
      const args = ["--state", await state([resource("Dashboard", held.id)]), "--delete", "--yes"];
      const { code, stderr, report: found } = await report(args, { operations: "documented" });
      expect(code).to.equal(7);
      expect(found.orphans).to.have.length(1);
      expect(found.orphans[0]).to.include({ id: dashboardId, deleted: false });
      expect(found.orphans[0]?.kept).to.match(/^deleting it takes an operation .* rules out$/);
      for (const type of ["Alert", "QueryEndpoint", "ApiKey"]) {
        expect(stderr).to.match(new RegExp(`^warning: ${type}: left out, since .* rules out$`, "m"));
      }
      expect(sandbox.requests).to.have.length(1);
    });

    for (const dialect of ["neutral", "clickhouse"] as const) {
      for (const apis of ["both", "management", "observability"] as const) {
        it(`finds and deletes them in the dialect ${dialect}, with ${apis} of the APIs`, async () => {
          const other = await createSandbox({ dialect, apis });
          try {
            const settings: Record<string, string> = {
              ...settingsOf(other),
              dialect,
              ...(apis === "management" ? { accessToken: "" } : {}),
              ...(apis === "observability"
                ? { keyId: "", keySecret: "", organizationId: "", serviceId: "" }
                : {}),
            };
            const held = addDirectly(other, "Held");
            const orphan = addDirectly(other, "Orphan");
            const file = await state([resource("Dashboard", held)]);
            const { code, stderr, report: found } = await report(["--state", file], settings);
            expect(stderr).to.equal("");
            expect(code).to.equal(7);
            expect(found.orphans.map(({ type, id }) => [type, id])).to.deep.equal([["Dashboard", orphan]]);
            const deleting = await run(["--state", file, "--delete", "--yes"], settings);
            expect(deleting.code, deleting.stderr).to.equal(0);
            expect([...other.store.dashboards.keys()]).to.deep.equal([held]);
          } finally {
            await other.close();
          }
        });
      }
    }

    function addDirectly({ store, credentials }: Sandbox, name: string): string {
      const id = Buffer.from(name.padEnd(12)).toString("hex");
      store.dashboards.set(id, { id, serviceId: credentials.serviceId, name, tiles: [], tags: [] });
      return id;
    }
  });

  describe("ends with 1 and one clear message", () => {
    const cases: Record<string, [RegExp, string[], Record<string, string>?]> = {
      "when the service refuses": [/answered 401.*keyId and keySecret/, [], { keySecret: "wrong-secret" }],
      "when a setting is missing": [
        /setting serviceId is missing.*PIPESTACK_SERVICE_ID/,
        [],
        { serviceId: "" },
      ],
      "when an option is no uuid": [/setting serviceId must be a uuid/, ["--service", "x"]],
      "when a type is not known": [
        /Types are Alert, Dashboard, QueryEndpoint, ApiKey/,
        ["--only", "ServiceScaling"],
      ],
      "when a file is not there": [
        /state file nowhere\.json cannot be read \(ENOENT\)/,
        ["--state", "nowhere.json"],
      ],
      "when a file is no state": [
        /other\.json is not what "pulumi stack export" writes/,
        ["--state", "other.json"],
      ],
      "when a file is a state of another shape": [
        /checkpoint\.json is not what/,
        ["--state", "checkpoint.json"],
      ],
      "when there is nobody to ask": [
        /--delete asks first, and there is no terminal; add --yes/,
        ["--delete"],
      ],
      "when nobody could see what is asked about": [
        /does not go with --json; add --yes/,
        ["--delete", "--json"],
      ],
      "when --yes stands alone": [/--yes goes with --delete/, ["--yes"]],
    };
    for (const [title, [message, args, settings]] of Object.entries(cases)) {
      it(title, async () => {
        const { id } = await addDashboard();
        await writeFile(join(folder, "other.json"), '{"version": 3, "deployment": {"resources": [{}]}}');
        await writeFile(join(folder, "checkpoint.json"), '{"version": 3, "checkpoint": {"latest": {}}}');
        const { code, stderr, stdout } = await run(["--state", await state([]), ...args], settings);
        expect(stderr)
          .to.match(/^error: /)
          .and.match(message)
          .and.not.match(/^\s+at /m)
          .and.not.include("wrong-secret");
        expect(stdout).to.equal("");
        expect(code).to.equal(1);
        expect(sandbox.store.dashboards.has(id)).to.equal(true);
      });
    }
  });

  if (process.platform !== "win32") {
    it("asks in a terminal, and deletes what is agreed to", async () => {
      const [held, first, second] = [
        await addDashboard(),
        await addDashboard("First"),
        await addDashboard("Second"),
      ];
      const file = await state([resource("Dashboard", held.id)]);
      const printed = await inTerminal(
        ["orphans", "--state", file, "--delete"],
        [
          [/Delete 2 objects\? .*: $/, "o\n"],
          [/Delete Dashboard \w+ "First"\? .*: $/, "y\n"],
          [/Delete Dashboard \w+ "Second"\? .*: $/, "\n"],
        ],
      );
      expect(printed).to.include("1 object deleted.");
      expect([...sandbox.store.dashboards.keys()]).to.deep.equal([held.id, second.id]);
      expect(sandbox.store.dashboards.has(first.id)).to.equal(false);
    });
  }

  /** Runs the command in a terminal of its own, and answers what it asks. */
  function inTerminal(args: string[], dialogue: [RegExp, string][]): Promise<string> {
    const line = [process.execPath, ...pipestackBin, ...args].map((word) => `'${word}'`).join(" ");
    const command =
      process.platform === "linux" ? ["-qec", line, "/dev/null"] : ["-q", "/dev/null", "sh", "-c", line];
    return new Promise((resolve, reject) => {
      const child = spawn("script", command, {
        cwd: folder,
        env: { ...withoutSettings(), ...settingVariables(settingsOf(sandbox)) },
        stdio: ["pipe", "pipe", "inherit"],
      });
      let printed = "";
      const open = [...dialogue];
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        const [question, answer] = open[0] ?? [];
        if (question?.test(printed.replaceAll(/\u001b\[\d*\w/g, ""))) {
          open.shift();
          child.stdin.write(answer ?? "");
        }
      });
      child.on("error", reject);
      child.on("close", () => resolve(printed));
    });
  }
});
