import { expect } from "chai";
import type { TypeName } from "../../../provider/resources/registry";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { Declared, sessionOf, threeMinutesLater } from "./fixture";

const savedSearch = "65f1c0a2b3d4e5f607182931";

/** Each way in which an account or a server offers the APIs: what the sandbox serves, and what the user sets. */
const setups = {
  "both APIs of the product": { apis: "both", types: ["ServiceScaling", "ApiKey", "Alert", "Dashboard"] },
  "the product's management API alone": {
    apis: "management",
    types: ["ServiceScaling", "ApiKey", "Alert", "Dashboard"],
  },
  "an observability server alone": { apis: "observability", types: ["Alert", "Dashboard"] },
} as const;

for (const [name, { apis, types }] of Object.entries(setups)) {
  describe(`with ${name}`, () => {
    let sandbox: Sandbox;
    const session = () =>
      sessionOf(sandbox, {
        dialect: "clickhouse",
        // The limits of the product would make this test wait.
        requestsPerSecond: "1000",
      }).session;

    before(async () => {
      sandbox = await createSandbox({ dialect: "clickhouse", apis });
    });
    after(() => sandbox.close());

    const programs: { readonly [Type in TypeName]?: () => [object, object, string] } = {
      ServiceScaling: () => [
        { numReplicas: 3, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 32 },
        { numReplicas: 3, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 64 },
        "maxReplicaMemoryGb",
      ],
      ApiKey: () => [
        { name: "reporting", roles: ["developer"] },
        { name: "reporting", roles: ["admin"] },
        "roles",
      ],
      Alert: () => {
        const channel = { type: "webhook", webhookId: [...sandbox.store.webhooks.keys()][0] };
        const declared = { source: "search", savedSearch, groupBy: "ServiceName", interval: "15m", channel };
        const range = { thresholdType: "between", threshold: 1, thresholdMax: 5 };
        return [{ ...declared, ...range }, { ...declared, ...range, thresholdMax: 6 }, "thresholdMax"];
      },
      Dashboard: () => {
        const config = {
          displayType: "line",
          sourceId: "65f1c0a2b3d4e5f607182911",
          select: [{ aggFn: "count" }],
        };
        const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 3, config };
        const number = {
          name: "Number",
          x: 6,
          y: 0,
          w: 6,
          h: 3,
          series: [
            { type: "number", aggFn: "count", sourceId: config.sourceId, where: "", whereLanguage: "lucene" },
          ],
        };
        return [
          { name: "Ingestion", tiles: [tile, number] },
          { name: "Ingestion", tiles: [{ ...tile, config: { ...config, displayType: "table" } }, number] },
          "tiles[0].config.displayType",
        ];
      },
    };

    for (const type of types) {
      it(`a ${type} is created, found unchanged, updated in place and deleted`, async () => {
        sandbox.requests.length = 0;
        const [first, second, changed] = programs[type]?.() ?? [{}, {}, ""];
        const declared = new Declared(type, first as Declared["program"]);
        await declared.up(session());
        expect(await declared.refresh(session())).to.deep.equal([]);

        const next = new Declared(type, second as Declared["program"]);
        Object.assign(next, { id: declared.id, state: declared.state, inputs: declared.inputs });
        expect((await next.up(session())).map(({ path }) => path)).to.deep.equal([changed]);
        expect(await next.refresh(session())).to.deep.equal([]);

        await next.delete(session());
        expect(sandbox.requests.filter(({ status }) => status !== 200)).to.deep.equal([]);
        if (type !== "ServiceScaling")
          expect(await threeMinutesLater(() => next.refresh(session()))).to.equal("gone");
      });
    }
  });
}
