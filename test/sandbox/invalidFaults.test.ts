import { expect } from "chai";
import { createSandbox, type Fault, faultSchema } from "../../sandbox/index";
import { useSandbox } from "./requests";

describe("Validation of the sandbox's faults", () => {
  const { faults } = useSandbox().sandbox;
  const failureOf = (promise: Promise<unknown>): Promise<Error | undefined> =>
    promise.then(
      () => undefined,
      (reason: Error) => reason,
    );

  const some = { kind: "500", operation: "*" };
  const lists: readonly [list: unknown, message: string][] = [
    [{}, "faults must be a list of faults"],
    [["500"], "faults[0] must be an object"],
    [[null], "faults[0] must be an object"],
    [[{ kind: "500" }], "faults[0].operation must be one of *, whoami, "],
    [[{ operation: "*" }], "faults[0].kind must be one of 101, 400, "],
    [[some, { ...some, kind: "418" }], "faults[1].kind must be one of 101, "],
  ];
  const needsChange = ".operation must be one that changes something for a fault of kind";
  const refused = { kind: "refused", operation: "*" };
  /**
   * Invalid changes of a valid fault, each with the end of the sandbox's error message. The message begins with the fault's
   * place in the list, such as `faults[0]`.
   */
  const single: readonly [change: object, message: string][] = [
    [{ kind: 500 }, ".kind must be one of 101, 400, "],
    [{ operation: "makeAlert" }, ".operation must be one of *, "],
    [{ api: "both" }, ".api must be one of management, observability"],
    [{ nht: 1 }, ".nht is not a valid member of a fault"],
    [{ nth: 0 }, ".nth must be a whole number from 1"],
    [{ nth: "1" }, ".nth must be a whole number from 1"],
    [{ from: 1.5 }, ".from must be a whole number from 1"],
    [{ nth: 1, from: 1 }, ".nth conflicts with from and to"],
    [{ from: 3, to: 2 }, ".from must not be greater than to"],
    [{ probability: 5 }, ".probability must be a number from 0 to 1"],
    [{ seed: 1 }, ".seed requires probability"],
    [{ kind: "400", when: "after" }, ".when must be before for a fault of kind 400"],
    [{ when: "never" }, ".when must be one of before, after, later"],
    [{ requests: 1 }, ".requests does not apply to a fault of kind 500"],
    [{ operation: "listAlerts", when: "later" }, `${needsChange} 500 later`],
    [{ kind: "stale", operation: "getAlert" }, `${needsChange} stale`],
    [{ kind: "ignored", requests: 1 }, ".requests does not apply to a fault of kind ignored"],
    [{ seconds: 1 }, ".seconds does not apply to a fault of kind 500"],
    [{ kind: "429", seconds: -1 }, ".seconds must be a number from 0 to 3600"],
    [{ kind: "delay", milliseconds: 0.5 }, ".milliseconds must be a whole number from 1 to 600000"],
    [
      { kind: "redirect", location: "elsewhere" },
      ".location must be an origin, such as https://elsewhere.invalid",
    ],
    [
      { ...refused, operation: "listAlerts" },
      ".operation must be * for a fault of kind refused: a connection comes before its request",
    ],
    [{ ...refused, from: 2 }, ": a fault of kind refused starts with nth and lasts until it is cleared"],
  ];
  const all = [
    ...lists,
    ...single.map(([change, message]) => [[{ ...some, ...change }], `faults[0]${message}`]),
  ] as [Fault[], string][];
  for (const [list, message] of all)
    it(`the sandbox refuses the faults ${JSON.stringify(list)}`, async () => {
      await faults.set([{ kind: "409", operation: "listAlerts" }]);
      for (const attempt of [() => createSandbox({ faults: list }), () => faults.set(list)]) {
        const error = await failureOf(attempt());
        expect(error).to.be.instanceOf(TypeError);
        expect(error?.message.startsWith(message), error?.message).to.equal(true);
      }
      expect(faults.list()).to.have.length(1);
    });

  it("the error about an invalid fault that was added by itself names no position in a list", async () => {
    const error = await failureOf(faults.add({ kind: "500", operation: "*", nth: 0 }));
    expect(error).to.be.instanceOf(TypeError);
    expect(error?.message).to.equal("fault.nth must be a whole number from 1");
    expect(faults.list()).to.deep.equal([]);
  });

  it("a sandbox without TLS refuses a fault of kind certificate", async () => {
    const fault: Fault = { kind: "certificate", operation: "*" };
    for (const attempt of [() => faults.set([fault]), () => createSandbox({ faults: [fault] })])
      expect((await failureOf(attempt()))?.message).to.equal(
        "a fault of kind certificate requires a sandbox with TLS",
      );
  });

  it("the schema of a fault is plain JSON, with a description of each property", () => {
    const { properties } = JSON.parse(JSON.stringify(faultSchema));
    for (const [name, { description }] of Object.entries<{ description?: string }>(properties))
      expect(description, name).to.match(/^[A-Z].{10,}/);
  });
});
