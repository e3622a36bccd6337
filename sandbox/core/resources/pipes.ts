import { Type } from "@sinclair/typebox";
import { ApiError, badRequest, notFound } from "../apiError";
import { isUuid } from "../identifiers";
import type { Call, Route, RouteContext } from "../routes";
import type { Dialect } from "../vocabulary";
import { type Pipe, seededPipes, settingNames } from "./pipeRecords";
import { productPipes, productSource } from "./productPipes";
import type { Resource } from "./resource";
import { mustRun } from "./serviceStates";
import { services } from "./services";

const booleanSetting = /_(use_cluster_function|parallel_view_processing)$/;

/** Prefix of the engine's settings in the records. */
const engine = /^engine_/;

/** The pipes of a service: list, get, and their settings, a flat map that PUT replaces. */
export const pipes = {
  place: "service",
  operations: ["listPipes", "createPipe", "getPipe", "getPipeSettings", "putPipeSettings"],
  path: (vocabulary) => vocabulary.pipes,
  seed: (dialect: Dialect): Pipe[] =>
    dialect === "clickhouse" ? [...seededPipes, ...productPipes] : seededPipes,
  onConsole: describePipe,

  routes({ store, vocabulary }: RouteContext): Route[] {
    const spelled = (name: string) => name.replace(engine, `${vocabulary.engineSettings}_`);
    const settingsOf = ({ settings }: Pipe) =>
      Object.fromEntries(Object.entries(settings).map(([name, value]) => [spelled(name), value]));
    const isProduct = vocabulary.dialect === "clickhouse";
    const show = (pipe: Pipe) => ({
      ...pipe,
      ...(isProduct && { source: productSource(pipe.source) }),
      settings: settingsOf(pipe),
    });
    const SettingsBody = Type.Object(
      Object.fromEntries(
        settingNames.map((name) => [
          spelled(name),
          Type.Optional(booleanSetting.test(name) ? Type.Boolean() : Type.Integer({ minimum: 0 })),
        ]),
      ),
      { additionalProperties: false },
    );
    const find = ({ id, service }: Call<never>): Pipe => {
      if (!isUuid(id)) throw badRequest("Invalid pipe id");
      const pipe = store.of(pipes).get(id);
      if (pipe?.serviceId !== service.id) throw notFound("pipe not found");
      return pipe;
    };
    const settings = "/:id/settings";
    /** Not even a read is answered while the service does not run. */
    const ofRunning = (route: Route): Route => ({
      ...route,
      run(call) {
        mustRun(store.of(services).get((call as Call<never>).service.id));
        return route.run(call);
      },
    });
    const routes: Route[] = [
      {
        operation: "listPipes",
        method: "GET",
        path: "",
        run: ({ service }) => store.ofService(pipes, service.id).map(show),
      },
      {
        operation: "createPipe",
        method: "POST",
        path: "",
        run() {
          throw new ApiError(
            501,
            "the sandbox does not create pipes: the API document does not show the request body",
          );
        },
      },
      { operation: "getPipe", method: "GET", path: "/:id", run: (call) => show(find(call)) },
      { operation: "getPipeSettings", method: "GET", path: settings, run: (call) => settingsOf(find(call)) },
      {
        operation: "putPipeSettings",
        method: "PUT",
        path: settings,
        body: SettingsBody,
        run(call: Call<never>) {
          const pipe = find(call);
          const body = call.body as Pipe["settings"];
          const settings = Object.fromEntries(
            settingNames.flatMap((name) => {
              const value = body[spelled(name)];
              return value === undefined ? [] : [[name, value]];
            }),
          );
          store.write(pipes, { ...pipe, settings, updatedAt: new Date(call.now).toISOString() });
          return settingsOf(pipe);
        },
      },
    ];
    return isProduct ? routes.map(ofRunning) : routes;
  },
} as const satisfies Resource;

function describePipe({ id, serviceId, name, state, source, destination, scaling }: Pipe) {
  const { kafka, objectStorage, kinesis, postgres } = source;
  const [kind, from] = kafka
    ? ["Kafka", `${kafka.topics} of ${kafka.brokers}`]
    : objectStorage
      ? ["Object storage", objectStorage.path]
      : kinesis
        ? ["Kinesis", `${kinesis.streamName} in ${kinesis.region}`]
        : postgres
          ? ["Postgres", `${postgres.database} on ${postgres.host}`]
          : ["Other", ""];
  return {
    id,
    serviceId,
    name,
    state,
    kind,
    from,
    to: `${destination.database}.${destination.table}`,
    replicas: scaling.replicas,
  };
}
