import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import fc from "fast-check";
import * as pipestack from "../../../provider/index";
import { failureOf } from "../api/failure";
import { ScriptedServer, settingsFor } from "../api/server";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import type { Json } from "../resources/example";
import { absent, pathsIn, withChange } from "../resources/validInputs";
import { type FunctionName, oneSeries, pipeId, validArguments } from "./validArguments";

/** What programs import, by name. */
const index = { ...pipestack };

const uuid = "must be a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
const text = "must be a non-empty string";
const flag = "must be true or false";
const moment = "must be a whole number of milliseconds since 1970 (not seconds)";
const required = "is required";
const series = "must be a list of 1 to 5 entries";
const granularity = "must be one of 30s, 1m, 5m, 10m, 15m, 30m, 1h, 2h, 6h, 12h, 1d, 2d, 7d, 30d, auto";

const expected = (...names: string[]) => `is not a valid property; expected one of ${names.join(", ")}`;
const place = ["organizationId", "serviceId"];

/** Path of the argument that is changed, its value, what the function says of it. */
type Case = readonly [path: string, value: Json | typeof absent, rule: string];

const ofPlace: readonly Case[] = [
  ["organizationId", "my-organization", uuid],
  ["serviceId", 7, uuid],
  ["service", "x", "is not a valid property; did you mean serviceId?"],
  ["pipe", "x", expected(...place)],
];

const cases: { readonly [Name in FunctionName]: readonly Case[] } = {
  getPipes: [
    ["organizationId", "", uuid],
    ["serviceId", null, uuid],
    ["includeSecrets", "true", flag],
    ["name", "", text],
    ["name", ["orders-stream"], text],
    ["state", "", text],
    ["state", { is: "Running" }, text],
    ["filter", "x", expected(...place, "includeSecrets", "name", "state")],
  ],
  getPipe: [
    ["organizationId", 5, uuid],
    ["serviceId", "warehouse", uuid],
    ["pipeId", absent, required],
    ["pipeId", "orders-stream", uuid],
    ["pipeId", null, uuid],
    ["includeSecrets", 1, flag],
    ["id", pipeId, expected(...place, "pipeId", "includeSecrets")],
  ],
  getPipeSettings: [
    ["organizationId", [], uuid],
    ["serviceId", "7c2d9b40", uuid],
    ["pipeId", absent, required],
    ["pipeId", `${pipeId}/../x`, uuid],
    ["includeSecrets", true, expected(...place, "pipeId")],
  ],
  getReversePrivateEndpoints: ofPlace,
  getDashboards: ofPlace,
  getAlerts: ofPlace,
  getConnections: ofPlace,
  getConnection: [
    ["name", absent, required],
    ["name", "", text],
  ],
  getRoles: [
    ["organizationId", "my-organization", uuid],
    ["serviceId", pipeId, expected("organizationId")],
  ],
  getRole: [
    ["name", absent, required],
    ["name", "", text],
    ["id", "1", expected("organizationId", "name")],
  ],
  getSavedSearches: ofPlace,
  getSavedSearch: [
    ["name", absent, required],
    ["name", "", text],
    ["serviceId", "warehouse", uuid],
    ["id", "1", expected(...place, "name")],
  ],
  getSources: ofPlace,
  getSource: [
    ["name", "", text],
    ["kind", "", text],
    ["kind", ["log"], text],
    ["id", "1", expected(...place, "name", "kind")],
  ],
  getWebhooks: [
    ["serviceId", 7, uuid],
    ["includeSecrets", "true", flag],
    ["name", "on-call", expected(...place, "includeSecrets")],
  ],
  getWebhook: [
    ["name", absent, required],
    ["name", 5, text],
    ["service", "", text],
    ["includeSecrets", 1, flag],
    ["kind", "slack", expected(...place, "name", "service", "includeSecrets")],
  ],
  getChartSeries: [
    ["series", absent, required],
    ["series", [], series],
    ["series", [oneSeries, oneSeries, oneSeries, oneSeries, oneSeries, oneSeries], series],
    ["series", oneSeries, series],
    ["series[1]", "count", "must be an object with sourceId, aggFn, where, groupBy"],
    ["series[1].sourceId", absent, required],
    ["series[1].sourceId", "", text],
    ["series[0].aggFn", absent, required],
    ["series[0].aggFn", 5, text],
    ["series[0].where", absent, required],
    ["series[0].where", null, "must be a string"],
    ["series[0].groupBy", absent, required],
    ["series[0].groupBy", "ServiceName", "must be a list"],
    ["series[0].groupBy[0]", "", text],
    ["series[1].groupBy", [], "must be equal to that of series[0]"],
    ["series[1].groupBy", ["ServiceName", "SeverityText"], "must be equal to that of series[0]"],
    ["series[0].level", 95, "must be a number from 0 to 1"],
    ["series[0].whereLanguage", "", text],
    ["series[0].metricName", 5, text],
    ["series[0].metricDataType", ["gauge"], text],
    ["series[0].sortOrder", "up", "must be one of asc, desc"],
    [
      "series[0].column",
      "Duration",
      expected(
        "sourceId",
        "aggFn",
        "where",
        "whereLanguage",
        "groupBy",
        "field",
        "level",
        "metricName",
        "metricDataType",
        "sortOrder",
      ),
    ],
    ["startTime", absent, required],
    ["startTime", 1767225600, moment],
    ["startTime", "2026-01-01T00:00:00Z", moment],
    ["startTime", 1767225600000.5, moment],
    ["startTime", 1767312000000, "must be before endTime"],
    ["startTime", 1767312000001, "must be before endTime"],
    ["endTime", absent, required],
    ["endTime", 1767312000, moment],
    ["endTime", null, moment],
    ["granularity", "3m", granularity],
    ["granularity", 300, granularity],
    ["seriesReturnType", "row", "must be one of ratio, column"],
    ["interval", "5m", expected("series", "startTime", "endTime", "granularity", "seriesReturnType")],
  ],
};

describe("a function", () => {
  it("has an object of valid arguments in test/unit/functions/validArguments.ts", () => {
    const exported = Object.keys(index).filter((name) => /^get/.test(name) && !name.endsWith("Output"));
    expect(Object.keys(validArguments)).to.have.members(exported);
  });

  type Call = (args?: object) => Promise<unknown>;
  let restoreEnvironment: () => void;
  const server = new ScriptedServer();

  before(async () => {
    restoreEnvironment = withoutEnvironment();
    await server.start();
    const settings = Object.entries(settingsFor(server.url));
    pulumi.runtime.setAllConfig(
      Object.fromEntries(settings.map(([name, value]) => [`pipestack:${name}`, String(value)])),
    );
  });

  after(async () => {
    pulumi.runtime.setAllConfig({});
    restoreEnvironment();
    await server.close();
  });

  async function errorOf(name: FunctionName, args?: object): Promise<Error> {
    const error = await failureOf((index[name] as Call)(args));
    expect(server.requests, "requests").to.deep.equal([]);
    return error;
  }

  /** What a message says of the value. */
  const found = /, not ("[^"]*"|-?[\d.]+|null|true|false|a string|a list|an object)(; did you mean \w+\?)?$/;

  for (const name of Object.keys(cases) as FunctionName[]) {
    for (const [path, value, rule] of cases[name]) {
      const what = value === absent ? `no ${path}` : `${path}: ${JSON.stringify(value)}`;
      it(`refuses, in ${name}, ${what} with "${path} ${rule}"`, async () => {
        const error = await errorOf(name, withChange(validArguments[name], path, value));
        expect(error.message.replace(found, "")).to.equal(`pipestack.${name}: ${path} ${rule}`);
      });
    }
  }

  it("fails without a stack of its own", async () => {
    const error = await errorOf("getPipe", { pipeId: "x" });
    expect(pulumi.RunError.isInstance(error)).to.equal(true);
  });

  it("names all arguments that are wrong in one error", async () => {
    const { message } = await errorOf("getChartSeries", {
      series: [{ ...oneSeries, aggFn: "" }],
      endTime: 5,
    });
    expect(message).to.match(/^pipestack\.getChartSeries: .+; .+; .+$/);
    for (const path of ["series[0].aggFn", "startTime", "endTime"]) expect(message).to.include(`${path} `);
  });

  it("says which arguments it needs when it gets none at all", async () => {
    for (const name of ["getPipe", "getPipeSettings"] as const)
      expect((await errorOf(name)).message).to.equal(`pipestack.${name}: pipeId is required`);
  });

  it("says that it needs a name or a kind when it gets neither", async () => {
    for (const args of [{}, { name: undefined }])
      expect((await errorOf("getSource", args)).message).to.equal(
        "pipestack.getSource: name is required unless kind is given",
      );
  });

  it("takes an undefined argument for a missing one", async () => {
    const none = { serviceId: undefined, pipeId: undefined };
    const error = await errorOf("getPipe", { ...validArguments.getPipe, ...none });
    expect(error.message).to.equal("pipestack.getPipe: pipeId is required");
  });

  it("answers any JSON with a plain error", () => {
    const names = Object.keys(validArguments) as FunctionName[];
    const wrong = fc
      .constantFrom(...names)
      .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...pathsIn(validArguments[name]))))
      .chain(([name, path]) => fc.tuple(fc.constant(name), fc.constant(path), fc.jsonValue()));
    return fc.assert(
      fc.asyncProperty(wrong, async ([name, path, value]) => {
        // An argument that no function knows makes sure that nothing is asked of the service.
        const args = { ...withChange(validArguments[name], path, value as Json), unknownArgument: 1 };
        const { message } = await errorOf(name, args);
        expect(message).to.match(
          new RegExp(`^pipestack\\.${name}: .*unknownArgument is not a valid property`),
        );
        expect(message).not.to.match(/\[object |undefined|\n/);
        const { keySecret = "", accessToken = "" } = settingsFor(server.url);
        for (const secret of [keySecret, accessToken]) expect(message).not.to.include(secret);
      }),
      { numRuns: 300 },
    );
  });
});
