import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Data } from "../../../provider/lifecycle/data";
import type { Sandbox } from "../../../sandbox/src";
import { Declared } from "../drift/fixture";
import { type Product, sentBy, useProduct } from "./product";
import { failuresOf, itKeeps, type Rule, scopeRules, warningsOf } from "./rules";
import { validInputs } from "./validInputs";

const replicas = "must be a whole number from 1 to 20";
const minutes = "must be a whole number of at least 5";
const memory = "must be a whole number from 24 to 1068, a multiple of 12";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["numReplicas", 0, replicas],
  ["numReplicas", 21, replicas],
  ["numReplicas", 2.5, replicas],
  ["numReplicas", "3", replicas],
  ["numReplicas", null, replicas],
  ["idleScaling", "yes", "must be true or false"],
  ["idleScaling", 1, "must be true or false"],
  ["idleTimeoutMinutes", 4, minutes],
  ["idleTimeoutMinutes", 5.5, minutes],
  ["idleTimeoutMinutes", "15 minutes", minutes],
  ["minTotalMemoryGb", 12, memory],
  ["minTotalMemoryGb", 30, memory],
  ["minTotalMemoryGb", "24", memory],
  ["maxTotalMemoryGb", 1080, memory],
  ["maxTotalMemoryGb", 47.5, memory],
  ["maxTotalMemoryGb", {}, memory],
  ["minTotalMemoryGb", 60, "must be at most maxTotalMemoryGb"],
  ["onDestroy", "delete", "must be one of keep, restore"],
  ["onDestroy", true, "must be one of keep, restore"],
  ["minReplicaMemoryGb", 8, "needs the setting dialect to be clickhouse"],
  [
    "replicas",
    3,
    "is not a valid property; expected one of organizationId, serviceId, numReplicas, idleScaling, idleTimeoutMinutes, minTotalMemoryGb, maxTotalMemoryGb, minReplicaMemoryGb, maxReplicaMemoryGb, onDestroy",
  ],
];

const deprecated =
  "is deprecated: it is inaccurate for services with a number of replicas other than the default; use numReplicas instead";

describe("ServiceScaling", () => {
  itKeeps("ServiceScaling", rules);

  it("is refused if it declares nothing to scale", () => {
    expect(failuresOf("ServiceScaling", { onDestroy: "keep" })).to.deep.equal([
      "numReplicas is missing: declare at least one of numReplicas, idleScaling, idleTimeoutMinutes, minTotalMemoryGb, maxTotalMemoryGb",
    ]);
  });

  it('refuses onDestroy: "restore" where only documented operations may be used', () => {
    const declared = { ...validInputs.ServiceScaling, onDestroy: "restore" };
    const [failure, ...others] = failuresOf("ServiceScaling", declared, { operations: "documented" });
    expect(failure).to.match(/^onDestroy cannot be "restore": .*"operations: documented" forbids$/);
    expect(others).to.deep.equal([]);
  });

  it("warns of each deprecated memory member, unless it is refused anyway", () => {
    for (const name of ["minTotalMemoryGb", "maxTotalMemoryGb"])
      expect(warningsOf("ServiceScaling", { [name]: 24 })).to.deep.equal([
        `ServiceScaling: ${name} ${deprecated}`,
      ]);
    expect(warningsOf("ServiceScaling", { minTotalMemoryGb: 24, numReplicas: 0 })).to.deep.equal([]);
  });

  describe("in the clickhouse dialect", () => {
    const product = useProduct();
    let sandbox: Sandbox;
    let session: Product["session"];
    beforeEach(() => {
      ({ sandbox, session } = product);
    });
    const sent = (method: string) => sentBy(product, method);
    const problemsOf = (declared: Data, further: Partial<Settings> = {}) =>
      failuresOf("ServiceScaling", declared, { dialect: "clickhouse", ...further });

    describe("by its rules", () => {
      const refused: [string, Data, string[]][] = [
        [
          "too little memory",
          { minReplicaMemoryGb: 4 },
          ["minReplicaMemoryGb must be a whole number from 8 to 356, a multiple of 4"],
        ],
        [
          "too much memory",
          { maxReplicaMemoryGb: 360 },
          ["maxReplicaMemoryGb must be a whole number from 8 to 356, a multiple of 4"],
        ],
        [
          "memory between the steps",
          { maxReplicaMemoryGb: 10 },
          ["maxReplicaMemoryGb must be a whole number from 8 to 356, a multiple of 4"],
        ],
        [
          "a least memory above the most",
          { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 12 },
          ["minReplicaMemoryGb must be at most maxReplicaMemoryGb"],
        ],
      ];
      for (const [what, declared, expected] of refused) {
        it(`with ${what} is refused`, () => {
          expect(problemsOf(declared)).to.deep.equal(expected);
        });
      }

      it("loses nothing under operations: documented, since the product documents all it needs", () => {
        const declared = { minReplicaMemoryGb: 8, onDestroy: "restore" };
        expect(problemsOf(declared, { operations: "documented" })).to.deep.equal([]);
      });

      it("asks the operation of the document for its members and the newer one for the rest", async () => {
        const declared = new Declared("ServiceScaling", {
          numReplicas: 5,
          minReplicaMemoryGb: 12,
          maxReplicaMemoryGb: 20,
        });
        await declared.up(session);
        expect(sent("PATCH")).to.deep.equal([
          ["scaling", { numReplicas: 5 }],
          ["replicaScaling", { minReplicaMemoryGb: 12, maxReplicaMemoryGb: 20 }],
        ]);
        expect(await declared.refresh(session)).to.deep.equal([]);
        expect(declared.state.engineVersion).to.equal("25.6");
      });

      it("asks only for what is declared, waits until it shows, and sees drift of it", async () => {
        sandbox.rewrites.add("laggingScaling");
        const declared = new Declared("ServiceScaling", { minReplicaMemoryGb: 16 });
        await declared.up(session);
        expect(sent("PATCH")).to.deep.equal([["replicaScaling", { minReplicaMemoryGb: 16 }]]);
        expect(declared.state.minReplicaMemoryGb).to.equal(16);
        const service = sandbox.store.services.get(sandbox.credentials.serviceId);
        Object.assign(service ?? {}, { minReplicaMemoryGb: 8 });
        expect(await declared.refresh(session)).to.deep.equal(["minReplicaMemoryGb"]);
      });

      it("puts the memory back that was there before", async () => {
        const service = sandbox.store.services.get(sandbox.credentials.serviceId);
        Object.assign(service ?? {}, { maxReplicaMemoryGb: 24 });
        const declared = new Declared("ServiceScaling", { maxReplicaMemoryGb: 32, onDestroy: "restore" });
        await declared.up(session);
        await declared.delete(session);
        expect(service).to.include({ maxReplicaMemoryGb: 24 });
      });
    });
  });
});
