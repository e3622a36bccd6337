import { expect } from "chai";
import { createSandbox, type Fault, faultSchema, type Sandbox } from "../../sandbox/index";

describe("sandbox: invalid faults", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await createSandbox({ faults: [{ kind: "409", operation: "listAlerts" }] });
  });
  after(() => sandbox.close());

  const refused: [unknown, string][] = [
    [{}, "faults must be a list of faults"],
    [["500"], "faults[0] must be an object"],
    [[null], "faults[0] must be an object"],
    [[{ kind: "500" }], "faults[0].operation must be one of *, listKeys, "],
    [[{ operation: "*" }], "faults[0].kind must be one of 101, 400, "],
    [[{ kind: "418", operation: "*" }], "faults[0].kind must be one of 101, 400, "],
    [[{ kind: 500, operation: "*" }], "faults[0].kind must be one of 101, 400, "],
    [[{ kind: "500", operation: "makeAlert" }], "faults[0].operation must be one of *, "],
    [
      [{ kind: "500", operation: "*", api: "both" }],
      "faults[0].api must be one of management, observability",
    ],
    [[{ kind: "500", operation: "*", nht: 1 }], "faults[0].nht is not a valid member of a fault"],
    [[{ kind: "500", operation: "*", nth: 0 }], "faults[0].nth must be a whole number from 1"],
    [[{ kind: "500", operation: "*", nth: "1" }], "faults[0].nth must be a whole number from 1"],
    [
      [
        { kind: "500", operation: "*" },
        { kind: "500", operation: "*", from: 1.5 },
      ],
      "faults[1].from must be a whole number from 1",
    ],
    [[{ kind: "500", operation: "*", nth: 1, from: 1 }], "faults[0].nth conflicts with from and to"],
    [[{ kind: "500", operation: "*", from: 3, to: 2 }], "faults[0].from must not be greater than to"],
    [[{ kind: "500", operation: "*", probability: 5 }], "faults[0].probability must be a number from 0 to 1"],
    [[{ kind: "500", operation: "*", seed: 1 }], "faults[0].seed requires probability"],
    [
      [{ kind: "400", operation: "*", when: "after" }],
      "faults[0].when must be before for a fault of kind 400",
    ],
    [[{ kind: "500", operation: "*", when: "never" }], "faults[0].when must be one of before, after, later"],
    [
      [{ kind: "500", operation: "*", requests: 1 }],
      "faults[0].requests does not apply to a fault of kind 500",
    ],
    [
      [{ kind: "500", operation: "listAlerts", when: "later" }],
      "faults[0].operation must be one that changes something for a fault of kind 500 later",
    ],
    [
      [{ kind: "stale", operation: "getAlert" }],
      "faults[0].operation must be one that changes something for a fault of kind stale",
    ],
    [
      [{ kind: "ignored", operation: "updateAlert", requests: 1 }],
      "faults[0].requests does not apply to a fault of kind ignored",
    ],
    [
      [{ kind: "500", operation: "*", seconds: 1 }],
      "faults[0].seconds does not apply to a fault of kind 500",
    ],
    [[{ kind: "429", operation: "*", seconds: -1 }], "faults[0].seconds must be a number from 0 to 3600"],
    [
      [{ kind: "delay", operation: "*", milliseconds: 0.5 }],
      "faults[0].milliseconds must be a whole number from 1 to 600000",
    ],
    [
      [{ kind: "redirect", operation: "*", location: "elsewhere" }],
      "faults[0].location must be an origin, such as https://elsewhere.invalid",
    ],
    [
      [{ kind: "refused", operation: "listAlerts" }],
      "faults[0].operation must be * for a fault of kind refused: a connection comes before its request",
    ],
    [
      [{ kind: "refused", operation: "*", from: 2 }],
      "faults[0]: a fault of kind refused starts with nth and lasts until it is cleared",
    ],
  ];
  for (const [faults, message] of refused) {
    it(`${JSON.stringify(faults)} is refused: ${message}`, async () => {
      const given = faults as Fault[];
      for (const attempt of [() => createSandbox({ faults: given }), () => sandbox.faults.set(given)]) {
        const error = await attempt().then(
          () => undefined,
          (reason: Error) => reason,
        );
        expect(error).to.be.instanceOf(TypeError);
        expect(error?.message.startsWith(message), error?.message).to.equal(true);
      }
      expect(sandbox.faults.list()).to.have.length(1);
    });
  }

  it("add names no position", async () => {
    const error = await sandbox.faults.add({ kind: "500", operation: "*", nth: 0 }).catch((reason) => reason);
    expect(error).to.be.instanceOf(TypeError);
    expect(error.message).to.equal("fault.nth must be a whole number from 1");
    expect(sandbox.faults.list()).to.have.length(1);
  });

  it("a foreign certificate is refused by a sandbox without TLS", async () => {
    const fault: Fault = { kind: "certificate", operation: "*" };
    for (const attempt of [() => sandbox.faults.set([fault]), () => createSandbox({ faults: [fault] })]) {
      const error = await attempt().then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.equal("a fault of kind certificate requires a sandbox with TLS");
    }
  });

  it("the schema is plain JSON, with a description of each member", () => {
    const { properties } = JSON.parse(JSON.stringify(faultSchema));
    for (const [name, { description }] of Object.entries<{ description?: string }>(properties)) {
      expect(description, name).to.match(/^[A-Z].{10,}/);
    }
  });
});
