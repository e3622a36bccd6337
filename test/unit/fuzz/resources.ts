import { expect } from "chai";
import fc from "fast-check";
import { typeNames as all, resources, type TypeName } from "../../../provider/resources/registry";
import { classes } from "../hosts/dynamic/classes";
import { validInputs } from "../resources/validInputs";
import { expectCleanJson, expectPlain, forAll, plainErrorOf } from "./cases";
import { type Judged, useJudged } from "./judged";
import { anyJson, changed, unknownText } from "./weirdValues";

/** The judge, a server that replaces the API in these tests, has the neutral dialect, which lacks some resource types. */
const typeNames = all.filter((type) => !resources[type].dialect);

/**
 * The least number of the 500 fuzzed cases of each type that must be tested to their end. The provider's check refuses most
 * cases; about 30 are valid.
 */
const atLeastComplete = 5;

type Data = Record<string, unknown>;

/** Returns the inputs that the provider's check returns, or undefined if the check refuses them with readable messages. */
async function checked(
  { host }: Judged,
  type: TypeName,
  before: Data,
  declared: Data,
): Promise<Data | undefined> {
  const code = { __provider: `exports.handler=()=>require("pipestack/host").${type}` };
  let inputs: Data | undefined;
  await plainErrorOf(async () => {
    const { failures = [], ...answer } = (await host[type].check?.(before, { ...declared, ...code })) ?? {};
    for (const { property, reason } of failures) {
      expect(property).to.equal("");
      expectPlain(reason);
    }
    const reasons = failures.map(({ reason }) => reason);
    expect(new Set(reasons).size, "each thing is said once").to.equal(reasons.length);
    expect(reasons.length).to.be.below(30);
    if (failures.length === 0) inputs = answer.inputs;
  });
  return inputs;
}

/** Defines fuzz tests of every resource type: inputs that the provider's check accepts must lead only to valid requests. */
export function fuzzResources(): void {
  describe("Fuzzed inputs of resources", () => {
    const judged = useJudged();

    for (const type of typeNames) {
      const valid = validInputs[type];
      const { adoptId, ...fresh } = valid;
      const inputs = fc.oneof(
        { weight: 3, arbitrary: changed(fresh) },
        { weight: 1, arbitrary: changed(valid) },
      );

      forAll(
        `the provider refuses fuzzed inputs of ${type} with a plain error, or sends valid requests`,
        500,
        fc.tuple(inputs, inputs),
        async ([first, second]) => {
          const { host, laterHost, judge } = judged;
          judge.reset();
          const declared = await checked(judged, type, {}, first);
          if (declared === undefined) {
            expect(judge.lines, "requests").to.deep.equal([]);
            return false;
          }
          if (JSON.stringify(declared).includes(unknownText)) return false;
          const handlers = host[type] as Required<typeof host.Alert>;
          const later = laterHost[type] as typeof handlers;
          const error = await plainErrorOf(async () => {
            const { id, outs } = await handlers.create(declared);
            expect(id).to.be.a("string").with.length.above(0);
            expectCleanJson(outs);
            const again = await handlers.diff(id, outs, declared);
            expect(again, "what was just created needs no change").to.deep.include({ changes: false });
            const live = await handlers.read(id, outs);
            if (live.id) expectCleanJson(live.props);
            const changedInputs = await checked(judged, type, declared, second);
            if (changedInputs) {
              const change = await handlers.diff(id, outs, changedInputs);
              for (const path of change.replaces ?? []) expectPlain(path);
              const hasUnknown = JSON.stringify(changedInputs).includes(unknownText);
              if (change.changes !== false && !change.replaces?.length && !hasUnknown) {
                expectCleanJson((await handlers.update(id, outs, changedInputs)).outs);
              }
            }
            await later.delete(id, outs);
          });
          expect(judge.faults.join("\n")).to.equal("");
          // The judge, a server that checks every request, carries out all valid requests. So a create can fail only because
          // the object to adopt does not exist.
          if (error) expect(error.message).to.match(/^adoptId: /);
          return error === undefined;
        },
        atLeastComplete,
      );
    }

    forAll(
      "with a fuzzed state, a read, diff and deletion succeed or fail with a plain error",
      300,
      fc.tuple(fc.constantFrom(...typeNames), fc.string({ unit: "binary", minLength: 1 }), anyJson),
      async ([type, id, state]) => {
        const { host, judge } = judged;
        judge.reset();
        const outs = typeof state === "object" && state !== null ? (state as Data) : { state };
        const handlers = host[type] as Required<typeof host.Alert>;
        for (const call of [
          () => handlers.read(id, outs),
          () => handlers.diff(id, outs, outs),
          () => handlers.delete(id, outs),
        ])
          await plainErrorOf(call);
        // Only the provider writes Pulumi states. Even so, an invalid id or scope in a state must not lead to a request at
        // another path.
        expect(judge.faults.filter((fault) => !fault.includes("no such route"))).to.deep.equal([]);
      },
    );

    it("the constructor of a resource throws no error for wrong arguments, such as a text, a number or null", () => {
      for (const type of typeNames)
        for (const args of [undefined, null, {}, [], "", "abc", 5, true])
          expect(() => new classes[type]("name", args as never), `${type}: ${args}`).not.to.throw();
    });
  });
}
