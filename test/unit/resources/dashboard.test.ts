import { expect } from "chai";
import { unknown } from "../../../provider/values/unknown";
import { clickhouse, itKeeps, onManagement, onObservability, type Rule, warningsOf } from "./rules";
import { configs } from "./tileConfigs";
import { absent } from "./validInputs";

const sourceId = "65f1c0a2b3d4e5f607182911";
const config = { displayType: "line", sourceId, select: [{ aggFn: "count", where: "level:error" }] };
const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 4 };
const valid = { name: "Board", tiles: [{ ...tile, config }] };
const many = <Entry>(length: number, entry: (index: number) => Entry) =>
  Array.from({ length }, (_, index) => entry(index));
const at = (place: object) => ({ tiles: [{ ...tile, config, ...place }] });
const filter = { name: "Service", expression: "ServiceName", sourceId };
const containers = [{ id: "a", title: "A", tabs: [{ id: "one", title: "One" }] }];
const ofContainer = 'tiles["Lines"].containerId is not the id of a container;';

const inTheDocument: readonly Rule[] = [
  [{ "tiles[1].id": "66f0c2d8a1b2c3d4e5f60703" }, 'tiles["Rows"].id duplicates the id of tiles["Errors"]'],
  [{ "tiles[0].series": absent }, 'tiles["Errors"].series is required unless config is declared'],
  [
    { "tiles[1].config": configs.search },
    'tiles["Rows"].series conflicts with config; declare only one of them',
  ],
  [
    { "tiles[1].series[0].type": "table" },
    'tiles["Rows"].series[0].groupBy is required unless type is "number"',
  ],
  [{ name: "", "tiles[1].name": "" }, []],
  [{ tiles: [] }, []],
  ...["filters", "savedFilterValues", "containers"].map(
    (name): Rule => [{ [name]: [] }, `${name} needs the setting dialect to be clickhouse`],
  ),
];

const onAnyServer: readonly Rule[] = [
  [{ "tiles[0].config": absent }, 'tiles["Lines"].series is required unless config is declared'],
  [at({ asRatio: true }), 'tiles["Lines"].asRatio conflicts with config; declare only one of them'],
  [at({ config: {} }), 'tiles["Lines"].config.displayType is required'],
  [{ containers: [...containers, ...containers] }, "containers[1].id duplicates the id of containers[0]"],
  [
    { containers: [{ id: "a", title: "A", tabs: many(2, () => ({ id: "one", title: "t" })) }] },
    "containers[0].tabs[1].id duplicates the id of containers[0].tabs[0]",
  ],
  [{ containers, ...at({ containerId: "a", tabId: "one" }) }, []],
  [{ containers, ...at({ containerId: "b" }) }, `${ofContainer} expected one of a`],
  [at({ containerId: "a" }), `${ofContainer} none is declared`],
  [{ adoptId: "d", ...at({ containerId: "a" }) }, []],
  [{ containers: unknown, ...at({ containerId: "a" }) }, []],
  [{ containers: [{ id: unknown, title: "A" }], ...at({ containerId: "b" }) }, []],
  [
    { containers, ...at({ containerId: "a", tabId: "two" }) },
    'tiles["Lines"].tabId is not the id of a tab of its container; expected one of one',
  ],
  [{ containers, ...at({ tabId: "one" }) }, 'tiles["Lines"].tabId needs containerId'],
  [{ savedQueryLanguage: "sql" }, "savedQueryLanguage needs savedQuery"],
  [{ filters: [filter] }, []],
];

const onTheObservabilityApi: readonly Rule[] = [
  [at({ x: 0.5 }), []],
  [
    { filters: [{ ...filter, isBroadcastEnabled: false, appliesToSourceIds: ["s"] }] },
    [
      'filters["Service"].isBroadcastEnabled must be true unless isVariableEnabled is true',
      'filters["Service"].appliesToSourceIds does not apply when isBroadcastEnabled is false',
    ],
  ],
  [
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
  ],
];

describe("The check of a dashboard", () => {
  itKeeps({ type: "Dashboard" }, inTheDocument);
  itKeeps({ type: "Dashboard", valid, settings: clickhouse }, onAnyServer);
  itKeeps({ type: "Dashboard", valid, settings: clickhouse, before: valid }, [
    [at({ containerId: "a" }), []],
  ]);
  itKeeps({ type: "Dashboard", valid, settings: onObservability }, onTheObservabilityApi);
  itKeeps({ type: "Dashboard", valid, settings: onManagement }, [
    [at({ x: 0.5 }), 'tiles["Lines"].x must be a whole number'],
    [{ filters: [{ ...filter, isVariableEnabled: true }] }, []],
  ]);

  const place = { x: 0, y: 0, w: 4, h: 4, series: [{ type: "number" }] };
  const beyond = "or newer servers refuse the dashboard";
  const corners = [0, 4].flatMap((x) => [0, 4].map((y) => ({ ...place, x, y, name: `tile ${x} ${y}` })));
  const warnings: readonly [string, { tags?: string[]; tiles: object[] }, string[]][] = [
    [
      "every pair of tiles that overlap",
      { tiles: ["A", "B", "C"].map((name) => ({ ...place, name })) },
      ["A B", "A C", "B C"].map((pair) => `the tiles "${pair[0]}" and "${pair[2]}" overlap`),
    ],
    ["nothing about blank names", { tiles: [0, 4, 8].map((x) => ({ ...place, x, name: x ? "" : " " })) }, []],
    [
      "sizes that newer servers refuse",
      { tiles: [{ ...place, name: "Far", x: 24, w: 25 }], tags: ["t".repeat(33)] },
      [
        `tags[0] must be a string of at most 32 characters, ${beyond}`,
        `tiles["Far"].x must be at most 23, not 24, ${beyond}`,
        `tiles["Far"].w must be at most 24, not 25, ${beyond}`,
      ],
    ],
    ["no tiles that only touch", { tiles: corners }, []],
  ];
  for (const [what, declared, expected] of warnings)
    it(`the check of a dashboard warns of ${what}`, () => {
      expect(warningsOf("Dashboard", { name: "Ingestion", ...declared })).to.deep.equal(
        expected.map((warning) => `Dashboard "Ingestion": ${warning}`),
      );
    });
});
