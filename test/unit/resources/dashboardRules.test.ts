import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { failuresOf } from "./rules";

const sourceId = "65f1c0a2b3d4e5f607182911";
const config = { displayType: "line", sourceId, select: [{ aggFn: "count", where: "level:error" }] };

const onObservability = { observabilityVia: "observability" } as const;

const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 4 };

describe("A dashboard, by the rules of the clickhouse dialect,", () => {
  const problemsOf = (declared: Data, further: Partial<Settings> = {}) =>
    failuresOf("Dashboard", declared, { dialect: "clickhouse", ...further });

  const board = { name: "Board", tiles: [{ ...tile, config }] };
  const inContainer = (place: Data) => [{ ...tile, config, ...place }];
  const containers = [{ id: "a", title: "A", tabs: [{ id: "one", title: "One" }] }];
  const filter = { name: "Service", expression: "ServiceName", sourceId };
  const many = <Entry>(length: number, entry: (index: number) => Entry) =>
    Array.from({ length }, (_, index) => entry(index));

  const refused: [string, Data, string[], Partial<Settings>?][] = [
    [
      "a long id of a tile",
      { tiles: inContainer({ id: "t".repeat(37) }) },
      ['tiles["Lines"].id must be a string of at most 36 characters'],
    ],
    ["a tile right of the grid", { tiles: inContainer({ x: 24 }) }, ['tiles["Lines"].x must be at most 23']],
    [
      "a tile between two columns",
      { tiles: inContainer({ x: 0.5 }) },
      ['tiles["Lines"].x must be a whole number'],
      { observabilityVia: "management" },
    ],
    [
      "a tile wider than the grid",
      { tiles: inContainer({ w: 25 }) },
      ['tiles["Lines"].w must be at most 24'],
    ],
    [
      "501 tiles",
      { tiles: many(501, (index) => ({ ...tile, y: index * 4, config })) },
      ["tiles must be a list of at most 500 entries"],
    ],
    ["51 tags", { tags: many(51, (index) => `${index}`) }, ["tags must be a list of at most 50 entries"]],
    ["a long tag", { tags: ["t".repeat(33)] }, ["tags[0] must be a string of at most 32 characters"]],
    ["a long name", { name: "n".repeat(1025) }, ["name must be a string of at most 1024 characters"]],
    [
      "51 containers",
      { containers: many(51, (index) => ({ id: `${index}`, title: "t" })) },
      ["containers must be a list of at most 50 entries"],
    ],
    [
      "21 tabs",
      { containers: [{ id: "a", title: "A", tabs: many(21, (at) => ({ id: `${at}`, title: "t" })) }] },
      ["containers[0].tabs must be a list of at most 20 entries"],
    ],
    [
      "two containers of one id",
      { containers: [...containers, ...containers] },
      ["containers[1].id duplicates the id of containers[0]"],
    ],
    [
      "two tabs of one id",
      { containers: [{ id: "a", title: "A", tabs: many(2, () => ({ id: "one", title: "t" })) }] },
      ["containers[0].tabs[1].id duplicates the id of containers[0].tabs[0]"],
    ],
    [
      "a tile in a container that is not declared",
      { containers, tiles: inContainer({ containerId: "b" }) },
      ['tiles["Lines"].containerId is not the id of a container; expected one of a'],
    ],
    [
      "a tile in a container where a new dashboard has none",
      { tiles: inContainer({ containerId: "a" }) },
      ['tiles["Lines"].containerId is not the id of a container; none is declared'],
    ],
    [
      "a tile in a tab that is not declared",
      { containers, tiles: inContainer({ containerId: "a", tabId: "two" }) },
      ['tiles["Lines"].tabId is not the id of a tab of its container; expected one of one'],
    ],
    [
      "a tile in a tab of no container",
      { containers, tiles: inContainer({ tabId: "one" }) },
      ['tiles["Lines"].tabId needs containerId'],
    ],
    ["the language of no query", { savedQueryLanguage: "sql" }, ["savedQueryLanguage needs savedQuery"]],
    [
      "a filter without a source",
      { filters: [{ name: "Service", expression: "ServiceName" }] },
      ['filters["Service"].sourceId is required'],
    ],
    [
      "a variable through the management API",
      { filters: [{ ...filter, isVariableEnabled: true }] },
      ['filters["Service"].isVariableEnabled needs the setting observabilityVia to be observability'],
    ],
    [
      "a filter without any effect",
      { filters: [{ ...filter, isBroadcastEnabled: false, appliesToSourceIds: ["s"] }] },
      [
        'filters["Service"].isBroadcastEnabled must be true unless isVariableEnabled is',
        'filters["Service"].appliesToSourceIds does not apply when isBroadcastEnabled is false',
      ],
      onObservability,
    ],
    [
      "names of variables without variables, and twice",
      {
        filters: [
          { ...filter, variableName: "service" },
          { ...filter, variableName: "service", isVariableEnabled: true },
        ],
      },
      [
        "filters[0].variableName needs isVariableEnabled to be true",
        "filters[1].variableName duplicates the variableName of filters[0]",
      ],
      onObservability,
    ],
  ];
  for (const [what, declared, expected, settings] of refused) {
    it(`with ${what} is refused`, () => {
      expect(problemsOf({ ...board, ...declared }, settings)).to.deep.equal(expected);
    });
  }

  const accepted: [string, Data, Partial<Settings>?][] = [
    ["tiles in containers and tabs", { containers, tiles: inContainer({ containerId: "a", tabId: "one" }) }],
    ["containers that are not known yet", { containers: unknown, tiles: inContainer({ containerId: "a" }) }],
    [
      "a container whose id is not known yet",
      { containers: [{ id: unknown, title: "A" }], tiles: inContainer({ containerId: "b" }) },
    ],
    [
      "a tile in a container of an adopted dashboard",
      { adoptId: "d", tiles: inContainer({ containerId: "a" }) },
    ],
    ["a filter", { filters: [filter] }],
    ["a tile between two columns", { tiles: inContainer({ x: 0.5 }) }, onObservability],
    ["a tile at the far end", { tiles: inContainer({ x: 23, w: 1 }) }],
  ];
  for (const [what, declared, settings] of accepted) {
    it(`with ${what} is accepted`, () => {
      expect(problemsOf({ ...board, ...declared }, settings)).to.deep.equal([]);
    });
  }

  it("with a tile in a container that only the service knows is accepted once the dashboard is there", () => {
    const declared = { ...board, tiles: inContainer({ containerId: "a" }) };
    expect(failuresOf("Dashboard", declared, { dialect: "clickhouse" }, board)).to.deep.equal([]);
  });
});
