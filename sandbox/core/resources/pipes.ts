import { Type } from "@sinclair/typebox";
import { ApiError, badRequest, notFound } from "../apiError";
import { isUuid } from "../identifiers";
import { idParameters, type RouteContext } from "../routeContext";
import type { Dialect } from "../vocabulary";
import { type Pipe, seededPipes, settingNames } from "./pipeRecords";
import { productPipes, productSource, settingBounds } from "./productPipes";
import { type Resource, serves } from "./resource";

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

  routes({ api, store, vocabulary, envelope }: RouteContext, path: string): void {
    const spelled = (name: string) => name.replace(engine, `${vocabulary.engineSettings}_`);
    const settingsOf = ({ settings }: Pipe) =>
      Object.fromEntries(Object.entries(settings).map(([name, value]) => [spelled(name), value]));
    const isProduct = vocabulary.dialect === "clickhouse";
    const show = (pipe: Pipe) => ({
      ...pipe,
      ...(isProduct && { source: productSource(pipe.source) }),
      settings: settingsOf(pipe),
    });
    const numberOf = (name: string) => {
      const [minimum, maximum] = (isProduct && settingBounds[name]) || [0];
      return Type.Integer({ minimum, ...(maximum !== undefined && { maximum }) });
    };
    const SettingsBody = Type.Object(
      Object.fromEntries(
        settingNames.map((name) => [
          spelled(name),
          Type.Optional(booleanSetting.test(name) ? Type.Boolean() : numberOf(name)),
        ]),
      ),
      { additionalProperties: false },
    );
    const one = { schema: { params: idParameters } };
    const find = (id: string, serviceId: string): Pipe => {
      if (!isUuid(id)) throw badRequest("Invalid pipe id");
      const pipe = store.of(pipes).get(id);
      if (pipe?.serviceId !== serviceId) throw notFound("pipe not found");
      return pipe;
    };

    api.get(path, serves("listPipes"), async (request) =>
      envelope(request, store.ofService(pipes, request.service.id).map(show)),
    );

    api.post(path, serves("createPipe"), async () => {
      throw new ApiError(
        501,
        "the sandbox does not create pipes: the API document does not show the request body",
      );
    });

    api.get(`${path}/:id`, { ...one, ...serves("getPipe") }, async (request) =>
      envelope(request, show(find(request.params.id, request.service.id))),
    );

    api.get(`${path}/:id/settings`, { ...one, ...serves("getPipeSettings") }, async (request) =>
      envelope(request, settingsOf(find(request.params.id, request.service.id))),
    );

    api.put(
      `${path}/:id/settings`,
      { ...serves("putPipeSettings"), schema: { ...one.schema, body: SettingsBody } },
      async (request) => {
        const pipe = find(request.params.id, request.service.id);
        const sent = request.body as Pipe["settings"];
        pipe.settings = Object.fromEntries(
          settingNames.flatMap((name) => {
            const value = sent[spelled(name)];
            return value === undefined ? [] : [[name, value]];
          }),
        );
        pipe.updatedAt = new Date().toISOString();
        return envelope(request, settingsOf(pipe));
      },
    );
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
