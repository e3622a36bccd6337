import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { login, stream, usePipes } from "./pipeSteps";

const { Pipe: resource } = resources;

describe("The state of a pipe", () => {
  const { service, open, stored, make, update, writes, operations } = usePipes();

  for (const [now, wished, isOther] of [
    ["Stopped", "running", true],
    ["Stopped", "stopped", false],
    ["Running", "stopped", false],
  ] as const)
    it(`an update that begins to declare the state ${wished} for a pipe that ran and is now ${now} warns of ${isOther ? "somebody else's change" : "nothing"}`, async () => {
      const { id, state } = await make(stream);
      stored(id).state = now;
      const { session, warnings } = open();
      await update(id, state, { ...stream, state: wished }, session);
      const conflict = `pipe ${id}: somebody else changed state (now "stopped") since the last deployment or refresh; the update overwrites this change`;
      expect(warnings).to.deep.equal(isOther ? [conflict] : []);
    });

  it("an update waits for a pipe that restarts because an earlier update was killed", async () => {
    const { id, state } = await make(stream);
    const steps = [{ state: "Failed", at: Date.now() + 60_000 }];
    Object.assign(stored(id), { state: "Provisioning", steps });
    const next = { ...stream, settings: { engine_max_threads: 4 } };
    expect((await failureOf(update(id, state, next))).message).to.match(/is Failed, .*clickpipes_log/);
  });

  it("an update stops a failed pipe before the change and starts it afterwards", async () => {
    const { id, state } = await make(stream);
    Object.assign(stored(id), { state: "Failed" });
    const next = { ...stream, credentials: { ...login, password: "the right password" } };
    const updated = await update(id, state, next);
    expect(writes()).to.deep.equal([
      ["updatePipeState", { command: "stop" }],
      ["updatePipe", { source: { kafka: { credentials: { username: "reader", password: "[redacted]" } } } }],
      ["updatePipeState", { command: "start" }],
    ]);
    expect(updated.status).to.equal("Running");
  });

  it("an update stops or starts a pipe as the program declares", async () => {
    const { id, state } = await make(stream);
    const stopped = await update(id, state, { ...stream, state: "stopped" });
    expect(stopped.status).to.equal("Stopped");
    const running = await update(id, stopped, { ...stream, state: "running" });
    expect(running.status).to.equal("Running");
    expect(operations()).to.deep.equal(["updatePipeState", "updatePipeState"]);
  });

  it("a refresh shows a Completed pipe as running if the program declares it running", async () => {
    const inputs = { ...stream, state: "running" };
    const { id, state } = await make(inputs);
    Object.assign(stored(id), { state: "Completed" });
    const read = (await resource.read(id, state, open().session)) as {
      inputs: PropertyMap;
      state: PropertyMap;
    };
    expect(read.inputs).to.deep.equal(inputs);
  });

  it("an update that starts a pipe succeeds if the service has started the pipe meanwhile", async () => {
    const { id, state } = await make({ ...stream, state: "stopped" });
    const answers: unknown[] = [];
    service.gateway = async (operation, carryOut) => {
      if (operation === "updatePipeState") Object.assign(stored(id), { state: "Running", steps: undefined });
      const answer = await carryOut();
      if (operation === "updatePipeState") answers.push(answer);
      return answer;
    };
    const updated = await update(id, state, { ...stream, state: "running" });
    expect(JSON.stringify(answers)).to.include("already running");
    expect([updated.status, stored(id).state]).to.deep.equal(["Running", "Running"]);
  });
});
