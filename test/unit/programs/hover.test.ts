import { expect } from "chai";
import { declarable, typeNames } from "../../../provider/resources/registry";
import { examples } from "../resources/examples";
import { Editor } from "./editor";

describe("The package in an editor", () => {
  let editor: Editor;
  let exported: ReturnType<Editor["exported"]>;
  let errors: string[];

  before(async function () {
    // The time limit is long, since the compiler takes seconds for the imports of a program.
    this.timeout(120_000);
    editor = await Editor.open();
    const wholes = typeNames.flatMap((type) =>
      Object.values(examples[type].wholes).map(
        (whole) => `new pipestack.${type}("my", ${JSON.stringify(whole)});`,
      ),
    );
    errors = editor.errorsIn(
      editor.write("program.ts", `import * as pipestack from "pipestack";\n${wholes.join("\n")}`),
    );
    exported = editor.exported();
  });

  it("an editor finds no error in programs that together have every property of every type", () => {
    expect(errors).to.deep.equal([]);
  });

  it("an editor finds every property of every resource", () => {
    for (const [type, { inputs, outputs }] of Object.entries(declarable)) {
      const names = Object.keys(inputs.properties).map((name) => `${type}Args.${name}`);
      const shown = Object.keys(outputs.properties).map((name) => `${type}.${name}`);
      expect([...names, ...shown].filter((path) => !exported.has(path))).to.deep.equal([]);
    }
  });

  it("an editor shows documentation and a readable type for every exported name and its properties", () => {
    const silent = [...exported].filter(([, { isDocumented }]) => !isDocumented);
    expect(silent.map(([path]) => path)).to.deep.equal([]);
    const unreadable = [...exported].filter(
      ([path, { type }]) =>
        path.includes(".") &&
        /\bany\b|^unknown|: unknown(?!;)|import\(|Static<|ArgsOf<|DeepInput<|TOptional|TObject/.test(
          type.replace(/"[^"]*"/g, ""),
        ),
    );
    expect(unreadable.map(([path, { type }]) => `${path}: ${type}`)).to.deep.equal([]);
  });

  for (const [path, type] of [
    ["AlertArgs.thresholdType", /^Input<.*"above"/],
    ["AlertArgs.interval", /"5m".*\(string & \{\}\)|\(string & \{\}\).*"5m"/],
    ["AlertChannelArgs.type", /^Input<(?=.*"webhook").*\(string & \{\}\)/],
    ["DashboardSeriesArgs.aggFn", /"count".*\(string & \{\}\)|\(string & \{\}\).*"count"/],
    ["DashboardSeriesArgs.groupBy", /^Input<readonly Input<string>\[\] \| undefined>$/],
    ["DashboardArgs.tiles", /^Input<readonly Input<DashboardTileArgs>\[\]>$/],
    ["Dashboard.tiles", /^Output<DashboardTile\[\]>$/],
    ["DashboardTileArgs.config", /^Input<TileConfigArgs \| undefined>$/],
    ["AlertSetArgs.alerts", /^Input<\{ \[name: string\]: Input<AlertSetEntryArgs>; \}>$/],
    ["Dashboard.tileIds", /^Output<\{ \[name: string\]: string; \}>$/],
    ["ApiKey.keySecret", /^Output<string \| undefined>$/],
  ] as const)
    it(`an editor shows the type of ${path} in readable form, with the allowed words if it has some`, () => {
      expect(exported.get(path)?.type).to.match(type);
    });

  describe("Programs with pipestack in an editor", () => {
    const preamble = `
      import * as pulumi from "@pulumi/pulumi";
      import * as pipestack from "pipestack";
      declare const text: pulumi.Output<string>;
      declare const perhaps: pulumi.Output<string | undefined>;
      declare const count: pulumi.Output<number>;
      declare const flag: pulumi.Output<boolean>;
      const key = new pipestack.ApiKey("key", { roles: ["admin"] });
      const dashboard = new pipestack.Dashboard("dashboard", { name: "d", tiles: [] });
      const alert = {
        threshold: 5, interval: "5m", thresholdType: "above", source: "search",
        channel: { type: "webhook", webhookId: "1" },
      } as const;
      const place = { name: "t", x: 0, y: 0, w: 1, h: 1 };
      const tile = { ...place, series: [{ type: "number" }] };
      const series = { sourceId: "1", aggFn: "count", where: "", groupBy: [] };
    `;

    const right = `
      const provider = new pipestack.Provider("p", { keySecret: text, timeoutSeconds: count, onConflict: "fail" });
      declare const either: pulumi.Output<"above" | "below">;
      const webhook = text.apply((webhookId) => ({ type: "webhook", webhookId }));
      new pipestack.Alert("a", { ...alert, threshold: count, tileId: text, dashboardId: dashboard.id }, { provider });
      new pipestack.Alert("a", { ...alert, message: perhaps, thresholdType: either });
      new pipestack.Alert("a", { ...alert, channel: { type: "webhook", webhookId: text } });
      new pipestack.Alert("a", { ...alert, channel: webhook });
      const onTile = { ...alert, source: "tile", dashboardId: dashboard.id } as const;
      new pipestack.Alert("a", { ...onTile, tileId: dashboard.tileIds.apply((ids) => ids["t"] ?? "") });
      new pipestack.Alert("a", { ...onTile, tileId: dashboard.tileIds["t"] });
      new pipestack.ServiceScaling("s", { idleScaling: flag, numReplicas: count });
      const inside = { type: text, groupBy: [text], where: perhaps };
      new pipestack.Dashboard("d", { name: text, tiles: [{ ...tile, w: count, series: [inside] }] });
      new pipestack.Dashboard("d", { name: "d", tiles: text.apply((name) => [{ ...tile, name }]) });
      new pipestack.Dashboard("d", { name: Promise.resolve("d"), tiles: Promise.resolve([tile]) });
      for (const allowedOrigins of ["a", ["a", text], text, text.apply((origin) => [origin])])
        new pipestack.QueryEndpoint("q", { roles: ["sql_console_admin"], openApiKeys: [key.id], allowedOrigins });
      for (const expireAt of [null, undefined, "2027-01-31T00:00:00Z", text, perhaps])
        new pipestack.ApiKey("k", { roles: ["admin"], expireAt, ipAccessList: [{ source: text }], keepers: { a: text } });
      pipestack.getPipes({}, { provider });
      pipestack.getAlertsOutput({}, { provider });
      pipestack.getPipesOutput({ name: text, state: perhaps, includeSecrets: flag });
      const grouped = [{ ...series, sourceId: text, groupBy: [text] }];
      pipestack.getChartSeriesOutput({ series: grouped, startTime: count, endTime: 2 });
      const found: pulumi.Output<number> = pipestack.Alert.get("a", "1").threshold;
      pipestack.ApiKey.get("k", text, { organizationId: text });
      pipestack.ServiceScaling.get("s", "1");
      pipestack.QueryEndpoint.get("q", key.id);
      pipestack.Dashboard.get("d", "1", { serviceId: "2" }, { protect: true });
      const pipe = pipestack.getPipeOutput({ pipeId: "1" });
      const topics: pulumi.Output<string | undefined> = pipe.apply(({ source }) => source.kafka?.topics);
      // Programs may name the types of their parts, and may use kinds of tiles that only newer servers know.
      const select: pipestack.TileSelectArgs = { aggFn: "count", where: perhaps, alias: text };
      const line: pipestack.LineTileConfigArgs = { displayType: "line", sourceId: text, select: [select], asRatio: flag };
      const later = text.apply((markdown) => ({ displayType: "markdown" as const, markdown }));
      const tiles: pipestack.DashboardTileArgs[] = [
        { ...place, config: line, w: count },
        { ...place, config: { displayType: "flame" as pipestack.OtherDisplayType, depth: 3 } },
        { ...place, config: later },
        { ...place, config: { displayType: "table", configType: "sql", connectionId: text, sqlTemplate: "a" } },
      ];
      const one: pipestack.DashboardSeriesArgs = { type: "time", aggFn: "histogram_of_the_future", groupBy: [] };
      const channel: pipestack.AlertChannelArgs = { type: "webhook", webhookId: text };
      new pipestack.Dashboard("d", { name: "d", tiles: [...tiles, { ...tile, series: [one] }] });
      new pipestack.Alert("a", { ...alert, channel });`;

    it("an editor finds no error in a program with outputs, promises and named types of parts", () => {
      expect(errorsOf("right")).to.deep.equal([]);
    });

    const board = (tile: string) => `new pipestack.Dashboard('d', { name: 'd', tiles: [${tile}] });`;
    const withConfig = (config: string) => board(`{ ...place, config: { ${config} } }`);
    const alertWith = (members: string) => `new pipestack.Alert('a', { ...alert, ${members} });`;
    const wrong: { readonly [title: string]: readonly [statement: string, error: RegExp] } = {
      "an alert without a threshold": [
        "const { threshold, ...rest } = alert; new pipestack.Alert('a', rest);",
        /'threshold' is missing/,
      ],
      "a misspelt property": [alertWith("treshold: 5"), /'treshold' does not exist/],
      "a misspelt property inside a tile": [
        board("{ name: 't', x: 0, y: 0, w: 1, hight: 1, h: 1, series: [] }"),
        /'hight' does not exist/,
      ],
      "a wrong literal": [alertWith("source: 'saved_search'"), /'"saved_search"' is not assignable/],
      "a wrong role": ["new pipestack.ApiKey('k', { roles: ['owner'] });", /'"owner"' is not assignable/],
      "text for a number": [
        "new pipestack.ServiceScaling('s', { numReplicas: '3' });",
        /'string' is not assignable/,
      ],
      "an output of another type": [
        "new pipestack.ServiceScaling('s', { numReplicas: text });",
        /not assignable/,
      ],
      "a channel without a type": [
        alertWith("channel: { webhookId: 'w' }"),
        /'type' is missing|not assignable/,
      ],
      "a misspelt member of a kind of tile": [
        withConfig("displayType: 'markdown', markdwon: 'a'"),
        /^Object literal may only specify known properties, .*'markdwon' does not exist in type 'MarkdownTileConfigArgs \|/,
      ],
      "a member of another kind of tile": [
        withConfig("displayType: 'markdown', having: 'a'"),
        /'having' does not exist in type 'MarkdownTileConfigArgs \|/,
      ],
      "a line without its series": [
        withConfig("displayType: 'line', sourceId: text"),
        /'select' is missing in type .* but required in type 'LineTileConfigArgs'/,
      ],
      "a bar without its series": [
        withConfig("displayType: 'bar', sourceId: text"),
        /'select' is missing in type .* but required in type 'BarTileConfigArgs'/,
      ],
      "a query without its text": [
        withConfig("displayType: 'table', configType: 'sql', connectionId: text"),
        /'sqlTemplate' is missing in type .* but required in type 'SqlTableTileConfigArgs'/,
      ],
      "a kind of tile that there is not": [
        withConfig("displayType: 'lin'"),
        /'"lin"' is not assignable to type .*Did you mean '"line"'/,
      ],
      "a function that aggregates nothing": [
        withConfig("displayType: 'pie', sourceId: text, select: [{ aggFn: 'cuont' }]"),
        /'"cuont"' is not assignable to type .*Did you mean '"count"'/,
      ],
      "a series without a type": [
        board("{ ...tile, series: [{ aggFn: 'count' }] }"),
        /'type' is missing|not assignable/,
      ],
      "a function without its arguments": ["pipestack.getPipe();", /Expected 1-2 arguments/],
      "an output for a function that takes none": [
        "pipestack.getPipe({ pipeId: text });",
        /not assignable to type 'string'/,
      ],
      "a granularity that there is not": [
        "pipestack.getChartSeries({ series: [series], startTime: 1, endTime: 2, granularity: '3m' });",
        /'"3m"' is not assignable/,
      ],
      "a setting that there is not": [
        "new pipestack.Provider('p', { token: 'x' });",
        /'token' does not exist/,
      ],
      "an output that there is not": ["key.secret;", /'secret' does not exist/],
      "writing to an output": ["key.keySecret = text;", /read-only property/],
    };

    // The editor gets all programs before the first is compiled, since each added program makes the compiler start again.
    const files = new Map<string, string>();
    before(() => {
      const statements = Object.entries(wrong).map(([title, [statement]]) => [title, statement] as const);
      for (const [title, statement] of [["right", right] as const, ...statements])
        files.set(title, editor.write(`program-${files.size}.ts`, `${preamble}\n${statement}`));
    });
    const errorsOf = (title: string) => editor.errorsIn(files.get(title) ?? "");

    for (const [title, [, error]] of Object.entries(wrong)) {
      it(`an editor finds the error of a program with ${title}`, () => {
        const errors = errorsOf(title);
        expect(errors).to.have.length(1);
        expect(errors[0]).to.match(error);
      });
    }
  });
});
