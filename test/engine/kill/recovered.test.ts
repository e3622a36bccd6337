import { expect } from "chai";
import { builtPipestack } from "../../pipestackCommand";
import type { Host } from "../pluginHost";
import {
  interruptedUp,
  interruptionsOf,
  leftIn,
  program,
  resources,
  unlock,
  useEmptyStack,
} from "./interruption";

// Without checkpoints the CLI writes the Pulumi state only at the end of an update, which a killed update never reaches.
const withoutCheckpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
const hosts: Host[] = process.platform === "linux" ? ["dynamic", "plugin"] : [];
if (hosts.length === 0)
  console.log("Not tested here: recovery. The processes are found below /proc, which only Linux has.");

const firstProgram = 'new ApiKey("key", { roles: ["developer"] });';

for (const [turn, host] of hosts.entries()) {
  describe(`Killed updates of ${resources} resources of the ${host} host, without checkpoints`, () => {
    const fixture = useEmptyStack(host);
    const interruptions = interruptionsOf("the CLI killed", 0);
    // One half of the interruptions is tested with the dynamic host, the other half with the plugin: the recovery does not
    // depend on the host.
    for (const interruption of interruptions.filter((_, seed) => seed % hosts.length === turn)) {
      it(`after pipestack orphans --recover, an update completes one that was killed when creation ${interruption.creation} was ${interruption.stage}`, async () => {
        // `pipestack orphans` recovers only stacks that hold an object of the service, unless the user confirms it.
        await fixture.write(firstProgram);
        await fixture.up();
        await fixture.write(program);
        const creation = Math.min(interruption.creation, resources - 1);
        await interruptedUp(fixture, { ...interruption, creation }, withoutCheckpoints);
        await unlock(fixture);

        const args = ["orphans", "--only", "ApiKey,Dashboard,Alert", "--recover", "--yes"];
        const { code, stdout, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
        expect(code, stdout + stderr).to.be.oneOf([0, 7]);
        const { summary } = await fixture.up({ settles: true });
        expect(summary).to.not.have.any.keys("update", "replace", "delete");
        // The secrets of API keys whose create lost its answer are unknown. The update has created other keys in their place,
        // so the lost keys are left in the service until the user revokes them by hand.
        expect(leftIn(fixture).filter((kind) => kind !== "keys")).to.deep.equal([]);
        await fixture.preview({ args: ["--refresh", "--expect-no-changes"], settles: true });
      });
    }
  });
}
