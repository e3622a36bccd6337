import * as pipestack from "../../../provider/index";
import { furnish } from "./furnish";
import { product } from "./resourceSteps";
import type { Service } from "./service";
import type { Attempt, Setup, Step } from "./step";

type Options = { provider: pipestack.Provider };

type Functions = { readonly [name: string]: (options: Options, service: Service) => Promise<unknown> };

/** The functions, asked for something that the sandbox has; of those that find one object in a list, one. */
const functions: Functions = {
  getPipes: (options) => pipestack.getPipes({}, options),
  getPipe: (options, service) =>
    pipestack.getPipe({ pipeId: pipeOf(service), includeSecrets: true }, options),
  getPipeSettings: (options, service) => pipestack.getPipeSettings({ pipeId: pipeOf(service) }, options),
  getReversePrivateEndpoints: (options) => pipestack.getReversePrivateEndpoints({}, options),
  getDashboards: (options) => pipestack.getDashboards({}, options),
  getAlerts: (options) => pipestack.getAlerts({}, options),
  getSavedSearches: (options) => pipestack.getSavedSearches({}, options),
  getSources: (options) => pipestack.getSources({}, options),
  getSource: (options) => pipestack.getSource({ name: "Logs" }, options),
  getWebhooks: (options) => pipestack.getWebhooks({ includeSecrets: true }, options),
  getChartSeries: (options, { sandbox }) => {
    const [sourceId = ""] = sandbox.store.sources.keys();
    const series = [{ sourceId, aggFn: "count", where: "", groupBy: ["ServiceName"] }];
    const startTime = 1_750_000_000_000;
    return pipestack.getChartSeries({ series, startTime, endTime: startTime + 600_000 }, options);
  },
};

/** Those of one dialect. */
const productFunctions: Functions = {
  getRoles: (options) => pipestack.getRoles({}, options),
};

/** One step each: what they answer has to be true, or an error. */
export const functionSteps: readonly Step[] = [...stepsOf(functions), ...stepsOf(productFunctions, product)];

function stepsOf(asked: Functions, setup?: Setup): Step[] {
  return Object.entries(asked).map(([name, ask]) => ({
    table: "functions",
    name,
    setup,
    begin: (service) => begin(service, ask),
  }));
}

async function begin(service: Service, ask: Functions[string]): Promise<Attempt> {
  furnish(service);
  // Each is a process of its own to the functions: their session belongs to the provider.
  const answer = () => ask({ provider: new pipestack.Provider("p", providerArguments(service)) }, service);
  const truth = await answer();
  service.remember();
  const answering = async () => ({ answers: [await answer(), truth] as const });
  const nothing = () => ({ program: new Map(), after: new Map() });
  return {
    run: () => service.perform("preview", 1, answering, nothing),
    again: async () => void (await service.perform("drift", -15, answering, nothing)),
  };
}

function providerArguments({ settings }: Service): pipestack.ProviderArgs {
  const { timeoutSeconds, maxRetries, requestsPerSecond, ...texts } = settings;
  return {
    ...texts,
    timeoutSeconds: Number(timeoutSeconds),
    maxRetries: Number(maxRetries),
    requestsPerSecond: Number(requestsPerSecond),
  } as pipestack.ProviderArgs;
}

function pipeOf({ sandbox }: Service): string {
  const pipes = [...sandbox.store.pipes.values()];
  return pipes.find(({ source }) => source.objectStorage)?.id ?? "";
}
