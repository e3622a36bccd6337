import Ajv from "ajv";
import addFormats from "ajv-formats";
import { typeNames } from "../../../provider/resources/registry";
import { type DocumentedRequest, list, number, paths, strict, text, words } from "../resources/contract";
import { newerSeries } from "../resources/dashboard.example";
import { examples } from "../resources/examples";

const { organization, service, uuid, observability } = paths;

const chartSeries = strict(
  {
    series: list(
      strict({ sourceId: text, aggFn: text, where: text, groupBy: list(text), ...newerSeries }, [
        ...["sourceId", "aggFn", "where", "groupBy"],
      ]),
      { minItems: 1, maxItems: 5 },
    ),
    startTime: { ...number, minimum: 1e12 },
    endTime: { ...number, minimum: 1e12 },
    granularity: words(
      ...["30s", "1m", "5m", "10m", "15m", "30m", "1h", "2h", "6h", "12h", "1d", "2d", "7d", "30d", "auto"],
    ),
    seriesReturnType: words("ratio", "column"),
  },
  ["series", "startTime", "endTime"],
);

/** The requests of functions alone. */
const ofFunctions: readonly DocumentedRequest[] = [
  ["GET /v1/whoami"],
  [`GET ${organization}/services`],
  [`GET ${service}/(?:pipes|pipesReversePrivateEndpoints)`],
  [`GET ${service}/pipes/${uuid}(?:/settings)?`],
  [`POST ${observability}/charts/series`, chartSeries],
];

const ajv = new Ajv({ allErrors: true, strict: false });
addFormats.call(undefined, ajv);

/** A request that the provider may send. */
interface Route {
  readonly line: RegExp;
  readonly api: "management" | "observability";
  readonly hasBody: boolean;
  /** What is wrong with its body; undefined if nothing is. */
  faultIn(body: unknown): string | undefined;
}

/** Every request that the provider may send. */
export const routes: readonly Route[] = [
  ...typeNames.flatMap((type) => examples[type].contract),
  ...ofFunctions,
].map(([line, body]) => {
  const isValid = body && ajv.compile(body);
  return {
    line: new RegExp(`^${line}$`),
    api: line.includes("/v1/") ? "management" : "observability",
    hasBody: body !== undefined,
    faultIn: (sent) => (!isValid || isValid(sent) ? undefined : ajv.errorsText(isValid.errors)),
  };
});
