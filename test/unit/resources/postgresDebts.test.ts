import { expect } from "chai";
import type { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { sha256Base64 } from "../../../sandbox/core/identifiers";
import { failureOf } from "../api/failure";
import { enveloped, refused, reset } from "../api/server";
import { minute, usePostgres } from "./postgresSteps";

describe("What an update of a Postgres service does after one that failed in part: it", () => {
  const { service, model, open, stored, make, update } = usePostgres();

  it("restarts nothing after an update whose new password was lost, and makes another one", async () => {
    const { id, state } = await make();
    const more = { restartForConfig: true, pgConfig: { work_mem: "8MB" } };
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      return operation === "updatePostgresPassword" ? reset : answer;
    };
    const failure = await failureOf(update(id, state, { ...more, passwordKeepers: { rotation: "2" } }));
    service.gateway = undefined;
    const back = await update(id, (failure as UpdatedIncompletely).state, more);
    expect(sha256Base64(String(back.generatedPassword))).to.equal(stored(id).passwordHash);
    expect(service.bodiesOf("updatePostgresState")).to.deep.equal([]);
  });

  it("sends a restart for parameters whose answer was lost", async () => {
    const { id, state } = await make();
    const changed = { pgConfig: { max_connections: 300 }, restartForConfig: true };
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      return operation === "updatePostgresConfig" ? reset : answer;
    };
    const failure = await failureOf(update(id, state, changed, open({ maxRetries: 0 }).session));
    service.gateway = undefined;
    await update(id, (failure as UpdatedIncompletely).state, changed);
    expect(service.bodiesOf("updatePostgresState")).to.deep.equal([{ command: "restart" }]);
  });

  it("repeats no restart that was carried out before the password was refused", async () => {
    const { id, state } = await make();
    const changed = { pgConfig: { max_connections: 300 }, restartForConfig: true };
    const failing = async (known: object, operation: string) => {
      service.gateway = (name, carryOut) => (name === operation ? refused(409, "CONFLICT: no") : carryOut());
      const rotated = { ...changed, passwordKeepers: { rotation: "2" } };
      const failure = await failureOf(update(id, known, rotated));
      service.gateway = undefined;
      return (failure as UpdatedIncompletely).state;
    };
    const unrestarted = await failing(state, "updatePostgresState");
    const unrotated = await failing(unrestarted, "updatePostgresPassword");
    const count = service.count("updatePostgresState");
    await update(id, unrotated, changed);
    expect(service.count("updatePostgresState")).to.equal(count);
  });

  it("makes another password for one whose answer was lost, although a restart failed meanwhile", async () => {
    const { id, state } = await make({ pgConfig: { max_connections: 200 } });
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      return operation === "updatePostgresPassword" ? reset : answer;
    };
    const former = { pgConfig: { max_connections: 200 } };
    const lost = await failureOf(update(id, state, { ...former, passwordKeepers: { rotation: "2" } }));
    service.gateway = (name, carryOut) =>
      name === "updatePostgresState" ? refused(409, "CONFLICT: no") : carryOut();
    const next = { pgConfig: { max_connections: 300 }, restartForConfig: true };
    const failure = await failureOf(update(id, (lost as UpdatedIncompletely).state, next));
    service.gateway = undefined;
    const done = await update(id, (failure as UpdatedIncompletely).state, next);
    expect(sha256Base64(String(done.generatedPassword))).to.equal(stored(id).passwordHash);
  });

  for (const [what, happen] of [
    ["is gone", (id: string) => model.store.postgresServices.delete(id)],
    ["is being deleted", (id: string) => Object.assign(stored(id), { state: "deleting", steps: undefined })],
  ] as const)
    it(`ends the wait for a new size at once if the service ${what}`, async () => {
      const { id, state } = await make();
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (operation === "updatePostgresService") happen(id);
        return answer;
      };
      service.time.pass(10 * minute);
      const begun = Date.now();
      const { message } = await failureOf(update(id, state, { size: "r8gd.xlarge" }));
      expect(message).to.match(/was deleted while this change waited|is deleting, and does not get ready/);
      expect(Date.now() - begun).to.be.below(2 * minute);
    });

  it("ends the wait for a new size in time though every other list lacks the service", async () => {
    const { id, state } = await make();
    let lists = 0;
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation === "updatePostgresService")
        Object.assign(stored(id), { state: "running", size: state.size, steps: undefined });
      if (operation !== "listPostgresServices" || service.count("updatePostgresService") === 0) return answer;
      if (++lists > 2000) throw new Error("the wait has no end");
      return lists % 2 === 0 ? answer : enveloped([]);
    };
    service.time.pass(10 * minute);
    const { message } = await failureOf(update(id, state, { size: "r8gd.xlarge" }));
    expect(message).to.include("does not show size r8gd.xlarge after 30 min");
  });

  it("sends the size of a program that goes back, though the service shows the new one late", async () => {
    const { id, state } = await make();
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      return operation === "updatePostgresService" ? reset : answer;
    };
    const failure = await failureOf(update(id, state, { size: "r8gd.xlarge" }));
    service.gateway = undefined;
    await update(id, (failure as UpdatedIncompletely).state, {});
    expect(
      service.bodiesOf("updatePostgresService").map((body) => (body as { size: string }).size),
    ).to.deep.equal(["r8gd.xlarge", "r8gd.large"]);
  });

  it("keeps a parameter of somebody else that an update which did nothing was to change", async () => {
    const before = { pgConfig: { work_mem: "4MB" } };
    const { id, state } = await make(before);
    const theirs = { ...before.pgConfig, lock_timeout: "5" };
    stored(id).pgConfig = theirs;
    service.gateway = async (operation, carryOut) =>
      operation === "updatePostgresConfig" ? reset : carryOut();
    const ours = { pgConfig: { ...before.pgConfig, lock_timeout: "9" } };
    const failure = await failureOf(update(id, state, ours, open({ maxRetries: 0 }).session));
    service.gateway = undefined;
    await update(id, (failure as UpdatedIncompletely).state, before);
    expect(stored(id).pgConfig).to.deep.equal(theirs);
  });

  for (const [what, before, after] of [
    ["a map", {}, { pgConfig: { work_mem: "8MB" } }],
    ["a parameter", { pgConfig: { work_mem: "4MB" } }, { pgConfig: { work_mem: "8MB", lock_timeout: "5" } }],
  ] as const)
    it(`takes away ${what} that a failed update has added, if the program goes back`, async () => {
      const { id, state } = await make(before);
      service.gateway = (operation, carryOut) =>
        operation === "updatePostgresPassword" ? refused(400, "BAD_REQUEST: no") : carryOut();
      const failure = await failureOf(update(id, state, { ...after, passwordKeepers: { rotation: "2" } }));
      service.gateway = undefined;
      await update(id, (failure as UpdatedIncompletely).state, before);
      expect(stored(id).pgConfig).to.deep.equal({ ...{ pgConfig: {} }, ...before }.pgConfig);
    });

  it("sends a restart again that the service has refused", async () => {
    const { id, state } = await make();
    const changed = { pgConfig: { max_connections: 300 }, restartForConfig: true };
    service.gateway = async (operation, carryOut) =>
      operation === "updatePostgresState"
        ? { status: 409, body: { status: 409, error: "Postgres service must be running" } }
        : carryOut();
    const failure = await failureOf(update(id, state, changed));
    expect(failure.message).to.include("must be running");
    service.gateway = undefined;
    const { state: incomplete } = failure as UpdatedIncompletely;
    const done = await update(id, incomplete, changed);
    expect(service.bodiesOf("updatePostgresState")).to.deep.equal([{ command: "restart" }]);
    await update(id, done, changed);
    expect(service.count("updatePostgresState")).to.equal(2);
  });
});

describe("An update of a Postgres service whose request for parameters is sent twice", () => {
  const { service, open, make, update } = usePostgres();

  const repeated = async (further: object) => {
    const { id, state } = await make();
    let isLost = false;
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation !== "updatePostgresConfig" || isLost) return answer;
      isLost = true;
      return reset;
    };
    const { session, warnings } = open();
    await update(id, state, { pgConfig: { max_connections: 300 }, ...further }, session);
    expect(service.count("updatePostgresConfig")).to.equal(2);
    return { id, warnings };
  };

  it("restarts the service if the program allows it", async () => {
    await repeated({ restartForConfig: true });
    expect(service.bodiesOf("updatePostgresState")).to.deep.equal([{ command: "restart" }]);
  });

  it("says that it may need a restart if the program does not allow it", async () => {
    const { id, warnings } = await repeated({});
    expect(service.bodiesOf("updatePostgresState")).to.deep.equal([]);
    expect(warnings).to.deep.equal([
      `Postgres service ${id}: the answer that tells whether its parameters need a restart was lost; restart it, or declare restartForConfig: true`,
    ]);
  });

  it("restarts nothing for a request for parameters that the rate limit has refused first", async () => {
    const { id, state } = await make();
    let isRefused = false;
    service.gateway = (operation, carryOut) => {
      if (operation !== "updatePostgresConfig" || isRefused) return carryOut();
      isRefused = true;
      return refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "5" });
    };
    await update(id, state, { pgConfig: { work_mem: "8MB" }, restartForConfig: true });
    expect(service.count("updatePostgresConfig")).to.equal(2);
    expect(service.bodiesOf("updatePostgresState")).to.deep.equal([]);
  });
});
