import { EventEmitter, once } from "node:events";
import { credentials, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { offer } from "../../../../provider/hosts/plugin/offer";
import { startServer } from "../../../../provider/hosts/plugin/server";
import { createSandbox, type Sandbox } from "../../../../sandbox/index";
import { settingsOf } from "../../../serviceContents";

export type PluginUnderTest = Awaited<ReturnType<typeof startPlugin>>;

interface Options {
  readonly preview?: boolean;
  readonly ignored?: string[];
  /** The time limit of the resource in seconds; without it there is no limit. */
  readonly timeout?: number;
}

export type Properties = { readonly [name: string]: unknown };

export const tile = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 6,
  h: 4,
  series: [{ type: "time", dataSource: "events", aggFn: "count", where: "level:error", groupBy: [] }],
};

export const dashboard = { name: "Ingestion", tiles: [tile] };

/** Starts the resource plugin before each test of the surrounding `describe` block, configured for its own sandbox. */
export function usePlugin() {
  const tested = {
    sandbox: undefined as unknown as Sandbox,
    plugin: undefined as unknown as PluginUnderTest,
    async checked(type: string, news: object): Promise<Properties> {
      return plain((await tested.plugin.resource(type).check(news)).getInputs());
    },
    async created(type: string, args: object) {
      const inputs = await tested.checked(type, args);
      const response = await tested.plugin.resource(type).create(inputs);
      return { inputs, id: response.getId(), state: plain(response.getProperties()) };
    },
    /** Starts the resource plugin anew, as another update would. */
    async restart() {
      tested.plugin?.close();
      tested.plugin = await startPlugin();
      await tested.plugin.configure(settingsOf(tested.sandbox));
    },
  };
  beforeEach(async () => {
    tested.sandbox = await createSandbox();
    await tested.restart();
  });
  afterEach(async () => {
    tested.plugin.close();
    await tested.sandbox.close();
  });
  return tested;
}

/**
 * Starts the resource plugin in the test's process and connects to it over gRPC as an engine, with its own log of messages.
 * @param meet `handshake` if the engine starts the plugin, `attach` if it finds the plugin running
 */
export async function startPlugin(meet: "handshake" | "attach" = "handshake") {
  const log: (readonly [urn: string, message: string])[] = [];
  const events = new EventEmitter();
  const engine = new Server();
  engine.addService(EngineService, {
    log: ({ request }: { request: LogRequest }, answer: (error: null, empty: Empty) => void) => {
      const message = [request.getUrn(), request.getMessage()] as const;
      log.push(message);
      events.emit("message", message);
      answer(null, new Empty());
    },
  });
  const enginePort = await new Promise<number>((resolve, reject) =>
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  );
  const server = await startServer(offer);
  const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
  });
  const call: Call = (method, request) =>
    new Promise((resolve, reject) => {
      const run = client[method as keyof ResourceProviderClient] as unknown as (
        request: object,
        done: (error: ServiceError | null, response: never) => void,
      ) => void;
      run.call(client, request, (error, response) => (error ? reject(error) : resolve(response)));
    });
  const address = `127.0.0.1:${enginePort}`;
  if (meet === "attach") await call(meet, new PluginAttach().setAddress(address));
  else await call(meet, new messages.ProviderHandshakeRequest().setEngineAddress(address));
  return {
    call,
    log: log as readonly (readonly [urn: string, message: string])[],
    resource: (type: string, name?: string) => resourceWith(call, urnOf(type, name)),
    listed: (type: string, query: object, { limit = 0, pageSize = 0, token = "" } = {}) =>
      new Promise<messages.ListResponse.AsObject[]>((resolve, reject) => {
        const pages: messages.ListResponse.AsObject[] = [];
        const request = new messages.ListRequest().setToken(`pipestack:index:${type}`);
        request.setLimit(limit).setPageSize(pageSize).setContinuationToken(token);
        const stream = client.list(request.setQuery(struct(query)));
        stream.on("data", (response: messages.ListResponse) => pages.push(response.toObject()));
        stream.on("error", reject);
        stream.on("end", () => resolve(pages));
      }),
    async list(type: string, query = {}): Promise<(readonly [id: string, name: string])[]> {
      const answers = await this.listed(type, query);
      return answers.flatMap(({ result }) => (result ? [[result.id, result.name] as const] : []));
    },
    async invoke(name: string, args: object): Promise<Properties> {
      const request = new messages.InvokeRequest().setTok(`pipestack:index:${name}`).setArgs(struct(args));
      return plain((await call<messages.InvokeResponse>("invoke", request)).getReturn());
    },
    nextMessage: async (): Promise<readonly [urn: string, message: string]> =>
      (await once(events, "message"))[0],
    /** Configures the plugin as the engine configures a default provider or, with a name, an explicit one. */
    async configure(settings: object, name = "default_1_0_0"): Promise<void> {
      await call("configure", new messages.ConfigureRequest().setName(name).setArgs(struct(settings)));
    },
    close() {
      client.close();
      server.close();
      engine.forceShutdown();
    },
  };
}

type Call = <Response>(method: string, request: object) => Promise<Response>;

/** Returns functions for the steps of a resource's life, which call the plugin as the engine does. */
export function resourceWith(call: Call, urn: string) {
  return {
    check: (news: object, olds: object = {}): Promise<messages.CheckResponse> =>
      call("check", new messages.CheckRequest().setUrn(urn).setNews(struct(news)).setOlds(struct(olds))),
    diff(id: string, olds: object, news: object, ignored: string[] = []): Promise<messages.DiffResponse> {
      const request = new messages.DiffRequest().setUrn(urn).setId(id).setIgnorechangesList(ignored);
      return call("diff", request.setOlds(struct(olds)).setNews(struct(news)));
    },
    create(inputs: object, { preview = false, timeout = 0 }: Options = {}): Promise<messages.CreateResponse> {
      const request = new messages.CreateRequest().setUrn(urn).setProperties(struct(inputs));
      return call("create", request.setPreview(preview).setTimeout(timeout));
    },
    update(
      id: string,
      olds: object,
      news: object,
      { preview = false, ignored = [], timeout = 0 }: Options = {},
    ): Promise<messages.UpdateResponse> {
      const request = new messages.UpdateRequest().setUrn(urn).setId(id).setIgnorechangesList(ignored);
      request.setOlds(struct(olds)).setNews(struct(news));
      return call("update", request.setPreview(preview).setTimeout(timeout));
    },
    /** Reads an object through the plugin. A read without state and inputs is an import. */
    read(id: string, state: object = {}, inputs?: object, timeout = 0): Promise<messages.ReadResponse> {
      const request = new messages.ReadRequest().setUrn(urn).setId(id).setProperties(struct(state));
      return call("read", request.setInputs(inputs && struct(inputs)).setTimeout(timeout));
    },
    async delete(id: string, state: object, { timeout = 0 }: Options = {}): Promise<void> {
      const request = new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(state));
      await call("delete", request.setTimeout(timeout));
    },
  };
}

/** Returns the error of a failed call of the plugin, and the state that the engine has to keep after it. */
export async function failureOfCall(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (failure: ServiceError) => failure,
  );
  if (!error) throw new Error("the call succeeded");
  const [details] = error.metadata.get("grpc-status-details-bin") as Buffer[];
  const [detail] = details ? Status.deserializeBinary(details).getDetailsList() : [];
  const saved = detail && messages.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  return { details: error.details, typeOfSaved: detail?.getTypeUrl(), saved };
}

export function struct(properties: object): Struct {
  return Struct.fromJavaScript(properties as Parameters<typeof Struct.fromJavaScript>[0]);
}

export function plain(properties: { toJavaScript(): object } | undefined): Properties {
  return (properties?.toJavaScript() ?? {}) as Properties;
}

export function urnOf(type: string, name = "it"): string {
  return `urn:pulumi:dev::tests::pulumi:pulumi:Stack$pipestack:index:${type}::${name}`;
}
