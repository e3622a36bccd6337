import type { ChildProcess } from "node:child_process";
import { expect } from "chai";
import type { RequestMoment } from "../../../sandbox/index";
import { selected } from "../../seed";
import { useFixture } from "../fixture";
import type { Host } from "../pluginHost";
import { type Kind, strikes, unlock } from "./interruption";
import { endLeftProcesses } from "./processes";

/**
 * The moments at which the test interrupts the creation of a service: before the create is sent, at a stage of its request, or
 * while the update waits for the service.
 */
const points = ["to come", "received", "carriedOut", "answered", "waiting"] as const;

type Point = (typeof points)[number];

const kinds = ["the host killed", "the CLI killed", "the CLI interrupted"] as const satisfies readonly Kind[];

const hosts = ["dynamic", "plugin"] as const satisfies readonly Host[];

const all = hosts.flatMap((host) => kinds.flatMap((kind) => points.map((point) => ({ host, kind, point }))));

const tried = selected(all, 7);

const program = (adoptId?: string, options = "{}") => `
new Service("lake", {
  ${adoptId ? `adoptId: "${adoptId}",` : ""}
  name: "lake", provider: "aws", region: "eu-west-1", ipAccessList: [], deletionProtection: false,
}, ${options});
`;

for (const host of hosts)
  describe(`Interrupted creations of a service in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox: { dialect: "clickhouse", stateMilliseconds: 300 } });
    const created = () => [...fixture.sandbox.store.services.values()].slice(2);

    afterEach(() => endLeftProcesses(fixture));

    /** Runs an update that creates the service, and interrupts it. The service becomes ready afterwards. */
    async function interruptedUp(kind: Kind, point: Point): Promise<void> {
      fixture.sandbox.store.organization.provisioning = "hangs";
      let cli: ChildProcess | undefined;
      let isStruck = false;
      let failure: unknown;
      const stop = fixture.sandbox.watch(async (moment) => {
        if (isStruck || !cli || !isAt(moment, point, created().length)) return;
        isStruck = true;
        // The engine does not tell the dynamic host of an interruption, so the host goes on waiting until the service
        // is ready.
        if (host === "dynamic" && kind === "the CLI interrupted") makeReady();
        await strikes[kind](cli, fixture, moment).catch((error) => {
          failure = error;
        });
      });
      await fixture.up({
        ...{ expect: "any", args: ["--skip-preview"], isKilled: kind !== "the CLI interrupted" },
        started: (child) => {
          cli = child;
        },
      });
      stop();
      await endLeftProcesses(fixture);
      if (failure) throw failure;
      expect(isStruck, "the update was interrupted").to.equal(true);
      if (kind === "the CLI killed") await unlock(fixture);
      makeReady();
    }

    function makeReady(): void {
      Object.assign(fixture.sandbox.store.organization, { provisioning: "works" });
      for (const service of created()) Object.assign(service, { state: "running" });
    }

    async function idsInState(): Promise<readonly (string | undefined)[]> {
      return ((await fixture.exportState()).deployment.resources ?? []).map(({ id }) => id);
    }

    /**
     * Does what a user would do after the interruption: if a message names a service that is in no Pulumi state, the program
     * adopts it.
     */
    async function applyAgain(): Promise<void> {
      const { pending_operations: unfinished = [] } = (await fixture.exportState()).deployment;
      await fixture.refresh({ args: unfinished.length > 0 ? ["--clear-pending-creates"] : [] });
      const { output } = await fixture.up({ expect: "any", args: ["--skip-preview"] });
      expect(created()).to.have.length(1);
      const [{ id }] = created() as unknown as [{ id: string }];
      if ((await idsInState()).includes(id)) return;
      expect(output).to.include(`service ${id} in aws eu-west-1 is also named "lake"`).and.include("adoptId");
      await fixture.write(program(id));
      await fixture.up({ args: ["--skip-preview"] });
    }

    async function endsWithOne(): Promise<void> {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(created()).to.have.length(1);
      await fixture.destroy();
      expect(created()).to.have.length(0);
    }

    for (const { kind, point } of tried.filter((each) => each.host === host))
      it(`with ${kind} when the creation of a service is ${point === "carriedOut" ? "carried out" : point}, the next update ends with exactly one service`, async () => {
        await fixture.write(program());
        await interruptedUp(kind, point);
        if (kind === "the CLI interrupted") expect(await idsInState()).to.include(created()[0]?.id);
        await applyAgain();
        await endsWithOne();
      });

    // The test only runs with the plugin, since the engine does not tell the dynamic host of the option customTimeouts.
    if (host === "plugin")
      it("an update completes a service whose creation exceeded customTimeouts", async () => {
        fixture.sandbox.store.organization.provisioning = "hangs";
        await fixture.write(program(undefined, '{ customTimeouts: { create: "3s" } }'));
        const { output } = await fixture.up({ expect: "failure", args: ["--skip-preview"] });
        expect(output).to.match(/service \S+ is provisioning: .*it is kept in the state/);
        makeReady();
        await fixture.refresh();
        expect((await fixture.up()).summary).to.deep.equal({ update: 1 });
        await endsWithOne();
      });
  });

function isAt({ method, path, stage }: RequestMoment, point: Point, services: number): boolean {
  if (!path.endsWith("/services")) return false;
  if (point === "to come") return method === "GET" && stage === "answered" && services === 0;
  if (point === "waiting") return method === "GET" && stage === "answered" && services > 0;
  return method === "POST" && stage === point;
}
