import { expect } from "chai";
import { isSingleton } from "../../../provider/lifecycle/resource";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { createSandbox, type Fault, type OperationName, type Sandbox } from "../../../sandbox/index";
import { useVirtualTime } from "../api/virtualTime";
import { furnish } from "../faults/furnish";
import { Service } from "../faults/service";
import { examples } from "../resources/examples";
import { Declared, sessionOf } from "./fixture";

describe("Newly created objects", () => {
  let sandbox: Sandbox;
  const time = useVirtualTime();

  before(async () => {
    sandbox = await createSandbox();
  });
  beforeEach(async () => {
    await sandbox.faults.clear();
    await sandbox.reset();
  });
  after(() => sandbox.close());

  const operationsOf = (type: TypeName) =>
    ({ ...resources[type].operations }) as { readonly [step: string]: OperationName | undefined };

  /** An object that no read shows for ten minutes, and then further faults. */
  async function created(type: TypeName, further: readonly [Fault["kind"], step: string][] = []) {
    const service = new Service(sandbox, {});
    furnish(service);
    const [program, next] = examples[type].programs(service);
    const own = operationsOf(type);
    const creation = examples[type].createdBy?.(program, "neutral") ?? (own.create as OperationName);
    await sandbox.faults.set([{ kind: "stale-reads", operation: creation, milliseconds: 600_000, nth: 1 }]);
    const declared = new Declared(type, program);
    await declared.up(sessionOf(sandbox).session);
    for (const [kind, step] of further) {
      const operation = own[step];
      if (operation) await sandbox.faults.add({ kind, operation });
    }
    return { declared, next };
  }
  const failureOf = (step: Promise<unknown>) =>
    step.then(
      () => undefined,
      ({ message }: Error) => message,
    );

  // A scaling is always there.
  const hidden = typeNames.filter((type) => type !== "ServiceScaling");

  for (const type of hidden)
    for (const [what, faults] of [
      ["single reads lag like lists", []],
      ["no route shows it by itself", [["404-gateway", "get"]]],
    ] as [string, [Fault["kind"], string][]][])
      it(`a new object stays in the state when ${what}: ${type}`, async () => {
        const { declared } = await created(type, faults);
        const state = structuredClone(declared.state);
        for (const wait of [0, 90_000]) {
          time.pass(wait);
          const { session, warnings } = sessionOf(sandbox);
          const outcome = await declared.refresh(session).catch(({ message }: Error) => message);
          if (outcome === "unseen") expect(warnings[0]).to.include("the server has no route");
          else
            expect(outcome)
              .to.be.a("string")
              .that.matches(/less than 3 minutes ago|NOT_FOUND/);
        }
        expect(declared.state).to.deep.equal(state);
      });

  for (const type of typeNames.filter((each) => isSingleton(resources[each]) && each !== "ServiceScaling"))
    it(`an update that finds its object gone makes it anew, which reads may not show yet: ${type}`, async () => {
      const [program, next] = examples[type].programs(new Service(sandbox, {}));
      const declared = new Declared(type, program);
      await declared.up(sessionOf(sandbox).session);
      time.pass(200_000);
      for (const records of [sandbox.store.queryEndpoints, sandbox.store.scalingSchedules]) records.clear();
      const operation = operationsOf(type).update as OperationName;
      await sandbox.faults.set([{ kind: "stale-reads", operation, milliseconds: 600_000, nth: 1 }]);
      const changed = declared.changedTo(next);
      await changed.up(sessionOf(sandbox).session);
      expect(await failureOf(changed.refresh(sessionOf(sandbox).session))).to.include(
        "less than 3 minutes ago",
      );
    });

  // The fault 404 has not the words with which a server denies connections.
  for (const type of hidden.filter((one) => operationsOf(one).list && one !== "Connection")) {
    it(`a new object stays in the state while its deletion is denied and reads may lag: ${type}`, async () => {
      const { declared } = await created(type, [["404", "delete"]]);
      expect(await failureOf(declared.delete(sessionOf(sandbox).session))).to.include(
        "less than 3 minutes ago",
      );
      time.pass(180_000);
      expect(await failureOf(declared.delete(sessionOf(sandbox).session))).to.equal(undefined);
    });

    it(`an update of a new object says when to try again if it comes too early: ${type}`, async () => {
      const { declared, next } = await created(type, [["404", "update"]]);
      const update = () => failureOf(declared.changedTo(next).up(sessionOf(sandbox).session));
      expect(await update())
        .to.include("less than 3 minutes ago")
        .and.not.include("--refresh");
      time.pass(180_000);
      expect(await update()).to.include("--refresh");
    });
  }
});
