import { callFunction, type FunctionDefinition } from "../../../provider/functions/definition";
import { type FunctionName, functions } from "../../../provider/functions/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { postgresServiceId } from "../resources/postgresService.example";
import type { Service } from "./faultyService";
import { furnish } from "./furnish";
import { product } from "./resourceSteps";
import type { Attempt, Step } from "./step";

/**
 * Arguments of the provider functions, which name objects of the sandbox. Many functions find one object in a list, and the
 * fault matrix tests only one of them.
 */
const argumentsOf: { readonly [name in FunctionName]?: (service: Service) => PropertyMap } = {
  getPipes: () => ({}),
  getPipe: (service) => ({ pipeId: pipeOf(service), includeSecrets: true }),
  getPipeSettings: (service) => ({ pipeId: pipeOf(service) }),
  getReversePrivateEndpoints: () => ({}),
  getDashboards: () => ({}),
  getAlerts: () => ({}),
  getSavedSearches: () => ({}),
  getSources: () => ({}),
  getSource: () => ({ name: "Logs" }),
  getWebhooks: () => ({ includeSecrets: true }),
  getChartSeries: chartOf,
  getRoles: () => ({}),
  getBackups: () => ({}),
  getQuotas: () => ({}),
  getServiceProfiles: () => ({}),
  getSnapshots: () => ({}),
  getSshTunnels: () => ({}),
  getPostgresServices: () => ({}),
  getPostgresService: () => ({ postgresServiceId }),
  getPostgresBackups: () => ({ postgresServiceId }),
  getPostgresCaCertificates: () => ({ postgresServiceId }),
  getUdfs: () => ({}),
  getUdfVersions: () => ({ functionName: "others_function" }),
  getApiKeys: () => ({}),
  getServices: () => ({ includeSecrets: true }),
  getService: () => ({ includeSecrets: true }),
  getPrivateEndpointConfig: () => ({}),
  getServiceSettingsSchema: () => ({}),
  getPipesContext: () => ({}),
  discoverPipeSchema: () => ({
    source: { objectStorage: { type: "s3", format: "CSV", url: "https://files.example.com/*.csv" } },
  }),
  whoami: () => ({}),
};

// Functions that only the dialect clickhouse has.
const ofProduct = [
  ...["getBackups", "getQuotas", "getServiceProfiles", "getSnapshots", "getSshTunnels"],
  ...["getUdfs", "getUdfVersions"],
  ...["getRoles", "getServices", "getPrivateEndpointConfig", "getServiceSettingsSchema", "whoami"],
  ...["getPipesContext", "discoverPipeSchema"],
  ...["getPostgresServices", "getPostgresService", "getPostgresBackups", "getPostgresCaCertificates"],
];

// The steps of the fault matrix for the provider functions. Each function has to return the true result, or to fail.
export const functionSteps: readonly Step[] = Object.entries(argumentsOf).map(([name, argumentsOf]) => ({
  table: "functions",
  name,
  setup: ofProduct.includes(name) ? product : undefined,
  begin: (service) => begin(service, functions[name as FunctionName] as FunctionDefinition, argumentsOf),
}));

async function begin(
  service: Service,
  definition: FunctionDefinition,
  argumentsOf: (service: Service) => PropertyMap,
): Promise<Attempt> {
  furnish(service);
  const answer = async () => lasting(await callFunction(definition, argumentsOf(service), service.session()));
  const truth = await answer();
  service.remember();
  const answering = async () => ({ answers: [await answer(), truth] as const });
  const emptyRun = () => ({ program: new Map(), after: new Map() });
  return {
    run: () => service.perform("preview", 1, answering, emptyRun),
    again: async () => void (await service.perform("drift", -15, answering, emptyRun)),
  };
}

function lasting(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (name, member) => (name === "usedAt" ? undefined : member)));
}

function pipeOf({ sandbox }: Service): string {
  const pipes = [...sandbox.store.pipes.values()];
  return pipes.find(({ source }) => source.objectStorage)?.id ?? "";
}

export function chartOf({ sandbox }: Service) {
  const [sourceId = ""] = sandbox.store.sources.keys();
  const startTime = 1_750_000_000_000;
  const series = [{ sourceId, aggFn: "count", where: "", groupBy: ["ServiceName"] }];
  return { series, startTime, endTime: startTime + 600_000 };
}
