import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { failureOf } from "../api/failure";
import { settingsFor } from "../api/server";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import type { Json } from "../resources/example";
import { absent, withChange } from "../resources/validInputs";
import { type FunctionName, oneSeries, pipeId, validArguments } from "./validArguments";

const index = { ...pipestack };
const names = Object.keys(validArguments) as FunctionName[];

const uuid = "must be a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
const text = "must be a non-empty string";
const flag = "must be true or false";
const moment = "must be a whole number of milliseconds since 1970 (not seconds)";
const required = "is required";
const seriesRule = "must be a list of 1 to 5 entries";
const granularity = "must be one of 30s, 1m, 5m, 10m, 15m, 30m, 1h, 2h, 6h, 12h, 1d, 2d, 7d, 30d, auto";
const expected = (all: readonly string[]) =>
  `is not a valid property; ${all.length > 0 ? `expected one of ${all.join(", ")}` : "there are none"}`;

const rules: { readonly [argument: string]: string } = {
  ...{ organizationId: uuid, serviceId: uuid, pipeId: uuid, postgresServiceId: uuid, includeSecrets: flag },
  ...{ id: text, name: text, state: text, kind: text, service: text, status: text, email: text },
  functionName: text,
  ...{ series: seriesRule, startTime: moment, endTime: moment, granularity },
  seriesReturnType: "must be one of ratio, column",
  source: "must have exactly one of kafka, kinesis, objectStorage, pubsub",
  credentials: "must be username and password",
};

const needed: { readonly [name in FunctionName]?: readonly string[] } = {
  ...{ getPipe: ["pipeId"], getPipeSettings: ["pipeId"], getConnection: ["name"], getRole: ["name"] },
  discoverPipeSchema: ["source"],
  getMember: ["email"],
  ...{ getPostgresBackups: ["postgresServiceId"], getPostgresCaCertificates: ["postgresServiceId"] },
  getUdfVersions: ["functionName"],
  ...{ getSavedSearch: ["name"], getWebhook: ["name"], getChartSeries: ["series", "startTime", "endTime"] },
};

type Case = readonly [FunctionName, path: string, value: Json | typeof absent, rule: string];

const cases: readonly Case[] = [
  ...names.flatMap((name) => [
    ...Object.keys(validArguments[name])
      .filter((path) => path !== "schemaRegistryCredentials")
      .map((path): Case => [name, path, {}, rules[path] ?? ""]),
    ...(needed[name] ?? []).map((path): Case => [name, path, absent, required]),
    [name, "filter", "x", expected(Object.keys(validArguments[name]))] as const,
  ]),
  // The service needs both the user name and the password of a schema registry, so the function refuses one without the other.
  ["discoverPipeSchema", "schemaRegistryCredentials.password", absent, required],
  [
    "discoverPipeSchema",
    "source.kafka.format",
    "XML",
    "must be one of JSONEachRow, Avro, AvroConfluent, Protobuf",
  ],
  ["getPipes", "organizationId", "my-organization", uuid],
  ["getPipes", "serviceId", "7c2d9b40", uuid],
  ["getPipes", "service", "x", "is not a valid property; did you mean serviceId?"],
  ["getPipes", "includeSecrets", "true", flag],
  ["getPipes", "name", "", "must not be empty"],
  ["getPipe", "pipeId", `${pipeId}/../x`, uuid],
  ["getPipe", "pipeId", null, uuid],
  ["getChartSeries", "series", [], seriesRule],
  ["getChartSeries", "series", Array(6).fill(oneSeries), seriesRule],
  ["getChartSeries", "series[1]", "count", "must be an object with sourceId, aggFn, where, groupBy"],
  ...["sourceId", "aggFn", "where", "groupBy"].map(
    (member): Case => ["getChartSeries", `series[1].${member}`, absent, required],
  ),
  ["getChartSeries", "series[0].aggFn", 5, text],
  ["getChartSeries", "series[0].groupBy", "ServiceName", "must be a list"],
  ["getChartSeries", "series[1].groupBy", ["ServiceName", "B"], "must be equal to that of series[0]"],
  [
    ...(["getChartSeries", "series[0].column", "Duration"] as const),
    expected([
      ...["sourceId", "aggFn", "where", "whereLanguage", "groupBy", "field", "level", "metricName"],
      ...["metricDataType", "sortOrder"],
    ]),
  ],
  ["getChartSeries", "startTime", 1767225600, moment],
  ["getChartSeries", "startTime", "2026-01-01T00:00:00Z", moment],
  ["getChartSeries", "startTime", 1767312000000, "must be before endTime"],
  ["getChartSeries", "granularity", "3m", granularity],
];

describe("Arguments of functions", () => {
  it("every function has valid arguments in test/unit/functions/validArguments.ts", () => {
    const exported = Object.keys(index).filter((name) => `${name}Output` in index);
    expect(names).to.have.members(exported);
  });

  let restoreEnvironment: () => void;
  const settings = settingsFor("http://127.0.0.1:1");

  before(() => {
    restoreEnvironment = withoutEnvironment();
    pulumi.runtime.setAllConfig(
      Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [`pipestack:${name}`, String(value)]),
      ),
    );
  });
  after(() => {
    pulumi.runtime.setAllConfig({});
    restoreEnvironment();
  });

  const errorOf = (name: FunctionName, args?: object) =>
    failureOf((index[name] as (args?: object) => Promise<unknown>)(args));

  /** Matches the end of a failure's message that describes the invalid value. */
  const found = /, not ("[^"]*"|-?[\d.]+|null|true|false|a string|a list|an object)(; did you mean \w+\?)?$/;

  for (const [name, path, value, rule] of cases) {
    const what = value === absent ? `no ${path}` : `${path}: ${JSON.stringify(value)}`;
    it(`the function ${name} refuses ${what} with "${path} ${rule}"`, async () => {
      const { message } = await errorOf(name, withChange(validArguments[name], path, value));
      expect(message.replace(found, "")).to.equal(`pipestack.${name}: ${path} ${rule}`);
    });
  }

  it("the error of a function has no stack trace in Pulumi's output", async () => {
    expect(pulumi.RunError.isInstance(await errorOf("getPipe", { pipeId: "x" }))).to.equal(true);
  });

  it("a function reports all invalid arguments in one error", async () => {
    const args = { series: [{ ...oneSeries, aggFn: "" }], endTime: 5 };
    const { message } = await errorOf("getChartSeries", args);
    expect(message).to.match(/^pipestack\.getChartSeries: .+; .+; .+$/);
    for (const path of ["series[0].aggFn", "startTime", "endTime"]) expect(message).to.include(`${path} `);
  });

  for (const [name, args, message] of [
    ["getPipe", undefined, "pipeId is required"],
    ["getPipe", { serviceId: undefined, pipeId: undefined }, "pipeId is required"],
    ["getSource", {}, "name is required unless kind is given"],
    ["getSource", { name: undefined }, "name is required unless kind is given"],
  ] as const)
    it(`the function ${name} names its missing arguments if the given ones are all undefined: ${Object.keys(args ?? {}).join() || "none"}`, async () => {
      expect((await errorOf(name, args)).message).to.equal(`pipestack.${name}: ${message}`);
    });
});
