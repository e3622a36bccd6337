import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import type { Sandbox } from "../../../sandbox/index";
import { Declared } from "../drift/fixture";
import { type Product, sentBy, useProduct } from "./product";
import { failuresOf, itKeeps, type Rule, scopeRules, warningsOf } from "./rules";

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
  ["autoscalingMode", "horizontal", "needs the setting dialect to be clickhouse"],
  ["minReplicas", 2, "needs the setting dialect to be clickhouse"],
  ["maxReplicas", 2, "needs the setting dialect to be clickhouse"],
  [
    "replicas",
    3,
    "is not a valid property; expected one of organizationId, serviceId, numReplicas, idleScaling, idleTimeoutMinutes, minTotalMemoryGb, maxTotalMemoryGb, minReplicaMemoryGb, maxReplicaMemoryGb, autoscalingMode, minReplicas, maxReplicas, onDestroy",
  ],
];

const deprecated =
  "is deprecated: it is inaccurate for services with a number of replicas other than the default; use";

describe("ServiceScaling", () => {
  itKeeps("ServiceScaling", rules);

  it("is refused if it declares nothing to scale", () => {
    expect(failuresOf("ServiceScaling", { onDestroy: "keep" })).to.deep.equal([
      "numReplicas is missing: declare at least one of numReplicas, idleScaling, idleTimeoutMinutes, minTotalMemoryGb, maxTotalMemoryGb",
    ]);
  });

  it("warns of each deprecated memory member, unless it is refused anyway", () => {
    for (const name of ["minTotalMemoryGb", "maxTotalMemoryGb"])
      expect(warningsOf("ServiceScaling", { [name]: 24 })).to.deep.equal([
        `ServiceScaling: ${name} ${deprecated} numReplicas instead`,
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
      const horizontal = {
        autoscalingMode: "horizontal",
        minReplicas: 2,
        maxReplicas: 5,
        minReplicaMemoryGb: 32,
        maxReplicaMemoryGb: 32,
      };
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
        [
          "an unknown mode",
          { autoscalingMode: "diagonal" },
          ["autoscalingMode must be one of vertical, horizontal"],
        ],
        ["too many replicas", { minReplicas: 1, maxReplicas: 21 }, [`maxReplicas ${replicas}`]],
        [
          "one end of the number of replicas",
          { minReplicas: 2 },
          ["maxReplicas is missing: minReplicas needs it"],
        ],
        [
          "the other end of the number of replicas",
          { maxReplicas: 2 },
          ["minReplicas is missing: maxReplicas needs it"],
        ],
        [
          "more replicas at least than at most",
          { minReplicas: 3, maxReplicas: 2 },
          ["minReplicas must be at most maxReplicas"],
        ],
        [
          "a fixed and a varying number of replicas",
          { numReplicas: 2, minReplicas: 2, maxReplicas: 3 },
          ["numReplicas cannot be declared together with minReplicas and maxReplicas"],
        ],
        [
          "a number of replicas that varies by nothing",
          { minReplicas: 3, maxReplicas: 3 },
          ["minReplicas must be below maxReplicas; for a fixed number of replicas use numReplicas"],
        ],
        [
          "a varying number of replicas for vertical scaling",
          { autoscalingMode: "vertical", minReplicas: 2, maxReplicas: 3 },
          ['minReplicas cannot be declared with autoscalingMode "vertical"; use numReplicas'],
        ],
        [
          "a fixed number of replicas for horizontal scaling",
          { autoscalingMode: "horizontal", numReplicas: 3 },
          ["numReplicas cannot be declared for horizontal scaling; use minReplicas and maxReplicas"],
        ],
        [
          "the total memory for horizontal scaling",
          { minReplicas: 2, maxReplicas: 3, maxTotalMemoryGb: 48 },
          [
            "maxTotalMemoryGb cannot be declared for horizontal scaling; use minReplicaMemoryGb and maxReplicaMemoryGb",
          ],
        ],
        [
          "memory that varies in horizontal scaling",
          { ...horizontal, maxReplicaMemoryGb: 64 },
          ["minReplicaMemoryGb must be equal to maxReplicaMemoryGb for horizontal scaling"],
        ],
        [
          "one end of the memory in horizontal scaling",
          { autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 5, maxReplicaMemoryGb: 64 },
          ["minReplicaMemoryGb must be equal to maxReplicaMemoryGb for horizontal scaling"],
        ],
        [
          "nothing to scale",
          { onDestroy: "keep" },
          [
            "numReplicas is missing: declare at least one of numReplicas, idleScaling, idleTimeoutMinutes, minReplicaMemoryGb, maxReplicaMemoryGb, autoscalingMode, minReplicas, maxReplicas",
          ],
        ],
      ];
      for (const [what, declared, expected] of refused) {
        it(`with ${what} is refused`, () => {
          expect(problemsOf(declared)).to.deep.equal(expected);
        });
      }

      const accepted: [string, Data][] = [
        ["horizontal scaling", horizontal],
        ["one number of replicas in horizontal scaling", { ...horizontal, maxReplicas: 2 }],
        ["a varying number of replicas without a mode", { minReplicas: 2, maxReplicas: 5 }],
        ["vertical scaling, as it is", { autoscalingMode: "vertical" }],
        ["a mode that is not known yet", { autoscalingMode: unknown, numReplicas: 3 }],
        [
          "numbers that are not known yet",
          { ...horizontal, minReplicas: unknown, maxReplicaMemoryGb: unknown },
        ],
      ];
      for (const [what, declared] of accepted) {
        it(`with ${what} is accepted`, () => {
          expect(problemsOf(declared)).to.deep.equal([]);
        });
      }

      const changes: [string, Data, Data, string[]][] = [
        [
          "to horizontal scaling without its number of replicas",
          { numReplicas: 3 },
          { autoscalingMode: "horizontal" },
          ["minReplicas is missing: to change to horizontal scaling, declare minReplicas and maxReplicas"],
        ],
        [
          "to vertical scaling without its number of replicas",
          horizontal,
          { autoscalingMode: "vertical" },
          ["numReplicas is missing: to change to vertical scaling, declare numReplicas"],
        ],
        [
          "to another mode that it does not name",
          horizontal,
          { numReplicas: 3 },
          ['autoscalingMode is missing: to change to vertical scaling, declare "vertical"'],
        ],
        ["to vertical scaling", horizontal, { autoscalingMode: "vertical", numReplicas: 3 }, []],
        ["to a mode that is not known yet", horizontal, { autoscalingMode: unknown }, []],
        ["within horizontal scaling", horizontal, { autoscalingMode: "horizontal" }, []],
      ];
      for (const [what, olds, declared, expected] of changes) {
        it(`is ${expected.length > 0 ? "not changed" : "changed"} ${what}`, () => {
          const settings = { dialect: "clickhouse" } as const;
          expect(failuresOf("ServiceScaling", declared, settings, olds)).to.deep.equal(expected);
        });
      }

      it("points from each total memory to the memory of a replica", () => {
        for (const end of ["min", "max"])
          expect(
            warningsOf("ServiceScaling", { [`${end}TotalMemoryGb`]: 24 }, { dialect: "clickhouse" }),
          ).to.deep.equal([
            `ServiceScaling: ${end}TotalMemoryGb ${deprecated} ${end}ReplicaMemoryGb instead`,
          ]);
      });

      it("asks one operation for everything but the deprecated members", async () => {
        const declared = new Declared("ServiceScaling", {
          numReplicas: 5,
          idleScaling: false,
          minReplicaMemoryGb: 12,
          maxReplicaMemoryGb: 20,
        });
        await declared.up(session);
        const { program } = declared;
        expect(sent("PATCH")).to.deep.equal([["replicaScaling", program]]);
        expect(await declared.refresh(session)).to.deep.equal([]);
        expect(declared.state.engineVersion).to.equal("25.6");
      });

      it("asks the deprecated operation for them, and for the rest only where one can do it all", async () => {
        await new Declared("ServiceScaling", { numReplicas: 6, maxTotalMemoryGb: 60 }).up(session);
        await new Declared("ServiceScaling", {
          numReplicas: 5,
          minTotalMemoryGb: 36,
          maxReplicaMemoryGb: 24,
        }).up(session);
        expect(sent("PATCH")).to.deep.equal([
          ["scaling", { numReplicas: 6, maxTotalMemoryGb: 60 }],
          ["scaling", { minTotalMemoryGb: 36 }],
          ["replicaScaling", { numReplicas: 5, maxReplicaMemoryGb: 24 }],
        ]);
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

      it("is left as it is where the service did not show what was there before", async () => {
        const service = sandbox.store.services.get(sandbox.credentials.serviceId);
        const { idleTimeoutMinutes } = service ?? {};
        Object.assign(service ?? {}, { idleTimeoutMinutes: undefined });
        const declared = new Declared("ServiceScaling", { idleTimeoutMinutes: 30, onDestroy: "restore" });
        await declared.up(session);
        await declared.delete(session);
        expect(sent("PATCH")).to.deep.equal([["replicaScaling", { idleTimeoutMinutes: 30 }]]);
        expect(product.warnings.join()).to.include("keeps its scaling; its previous values are unknown");
        Object.assign(service ?? {}, { idleTimeoutMinutes });
      });

      it("puts the memory back that was there before", async () => {
        // The service refuses numbers as text, even where it shows them so.
        sandbox.rewrites.add("numbersAsStrings");
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
