import { EventEmitter, once } from "node:events";
import { credentials, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { functions } from "../../../../provider/functions/registry";
import { startServer } from "../../../../provider/hosts/plugin/server";
import { resources } from "../../../../provider/resources/registry";
import { createSandbox, type Sandbox } from "../../../../sandbox/index";
import { settingsOf } from "../../../serviceContents";

/** A plugin in this process as an engine sees it: over gRPC, and with the engine's own log. */
export interface PluginUnderTest {
  /** Calls a method. */
  call<Response>(method: keyof ResourceProviderClient, request: object): Promise<Response>;
  /** A resource of the tests' program. */
  resource(type: string, name?: string): ResourceUnderTest;
  /** What it answers to a request for a list: ids and names. */
  list(type: string, query?: object): Promise<(readonly [id: string, name: string])[]>;
  /** Configures it as the engine does a default provider, or the named explicit one. */
  configure(settings: object, name?: string): Promise<void>;
  /** What it told the engine so far: the URN and the message. */
  readonly log: readonly (readonly [string, string])[];
  /** The next message that it tells the engine. */
  nextMessage(): Promise<readonly [string, string]>;
  close(): void;
}

interface Options {
  readonly preview?: boolean;
  /** Paths in which the program ignores changes. */
  readonly ignored?: string[];
  /** Seconds. Default: no limit. */
  readonly timeout?: number;
}

/** The steps of a resource's life, as the engine asks for them. */
export interface ResourceUnderTest {
  check(news: object, olds?: object): Promise<messages.CheckResponse>;
  diff(id: string, olds: object, news: object, ignored?: string[]): Promise<messages.DiffResponse>;
  create(inputs: object, options?: Options): Promise<messages.CreateResponse>;
  update(id: string, olds: object, news: object, options?: Options): Promise<messages.UpdateResponse>;
  /** An import, without state and inputs. */
  read(id: string, state?: object, inputs?: object): Promise<messages.ReadResponse>;
  delete(id: string, state: object, options?: Options): Promise<void>;
}

/** A plugin for each test, configured for a sandbox. */
export interface PluginWithSandbox {
  readonly sandbox: Sandbox;
  readonly plugin: PluginUnderTest;
  /** The inputs as a check leaves them. */
  checked(type: string, news: object): Promise<object>;
  /** Checks and creates one. */
  created(type: string, args: object): Promise<{ inputs: object; id: string; state: Properties }>;
}

/** A tile as programs declare it. */
export const tile = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 6,
  h: 4,
  series: [{ type: "time", dataSource: "events", aggFn: "count", where: "level:error", groupBy: [] }],
};

/** A dashboard with it. */
export const dashboard = { name: "Ingestion", tiles: [tile] };

export type Properties = { readonly [name: string]: unknown };

/** Sets up a plugin and its sandbox for each test of the suite that calls this. */
export function usePlugin(): PluginWithSandbox {
  let sandbox: Sandbox;
  let plugin: PluginUnderTest;

  beforeEach(async () => {
    sandbox = await createSandbox();
    plugin = await startPlugin();
    await plugin.configure(settingsOf(sandbox));
  });
  afterEach(async () => {
    plugin.close();
    await sandbox.close();
  });

  const checked = async (type: string, news: object) =>
    (await plugin.resource(type).check(news)).getInputs()?.toJavaScript() as object;
  return {
    get sandbox() {
      return sandbox;
    },
    get plugin() {
      return plugin;
    },
    checked,
    async created(type, args) {
      const inputs = await checked(type, args);
      const response = await plugin.resource(type).create(inputs);
      return { inputs, id: response.getId(), state: response.getProperties()?.toJavaScript() as Properties };
    },
  };
}

/** @param meet how the engine meets the plugin: as one that started it, or as one that finds it running */
export async function startPlugin(meet: "handshake" | "attach" = "handshake"): Promise<PluginUnderTest> {
  const log: [string, string][] = [];
  const told = new EventEmitter();
  const engine = new Server();
  engine.addService(EngineService, {
    log: ({ request }: { request: LogRequest }, answer: (error: null, empty: Empty) => void) => {
      const message = [request.getUrn(), request.getMessage()] as [string, string];
      log.push(message);
      told.emit("message", message);
      answer(null, new Empty());
    },
  });
  const enginePort = await new Promise<number>((resolve, reject) =>
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  );
  const server = await startServer({ resources, functions });
  const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  const call = <Response>(method: keyof ResourceProviderClient, request: object) =>
    new Promise<Response>((resolve, reject) => {
      const run = client[method] as unknown as (
        request: object,
        done: (error: ServiceError | null, response: Response) => void,
      ) => void;
      run.call(client, request, (error, response) => (error ? reject(error) : resolve(response)));
    });
  const engineAddress = `127.0.0.1:${enginePort}`;
  await call(
    meet,
    meet === "attach"
      ? new PluginAttach().setAddress(engineAddress)
      : new messages.ProviderHandshakeRequest().setEngineAddress(engineAddress),
  );
  return {
    call,
    log,
    resource: (type, name) => resourceWith(call, urnOf(type, name)),
    list: (type, query = {}) =>
      new Promise((resolve, reject) => {
        const found: (readonly [string, string])[] = [];
        const request = new messages.ListRequest()
          .setToken(`pipestack:index:${type}`)
          .setQuery(struct(query));
        const stream = client.list(request);
        stream.on("data", (response: messages.ListResponse) => {
          const result = response.getResult();
          if (result) found.push([result.getId(), result.getName()]);
        });
        stream.on("error", reject);
        stream.on("end", () => resolve(found));
      }),
    nextMessage: async () => (await once(told, "message"))[0],
    async configure(settings, name = "default_1_0_0") {
      await call("configure", new messages.ConfigureRequest().setName(name).setArgs(struct(settings)));
    },
    close() {
      client.close();
      server.close();
      engine.forceShutdown();
    },
  };
}

/** The steps of a resource through these calls of the plugin. */
export function resourceWith(call: PluginUnderTest["call"], urn: string): ResourceUnderTest {
  return {
    check: (news, olds = {}) =>
      call("check", new messages.CheckRequest().setUrn(urn).setNews(struct(news)).setOlds(struct(olds))),
    diff: (id, olds, news, ignored = []) =>
      call(
        "diff",
        new messages.DiffRequest()
          .setUrn(urn)
          .setId(id)
          .setOlds(struct(olds))
          .setNews(struct(news))
          .setIgnorechangesList(ignored),
      ),
    create: (inputs, { preview = false, timeout = 0 } = {}) =>
      call(
        "create",
        new messages.CreateRequest()
          .setUrn(urn)
          .setProperties(struct(inputs))
          .setPreview(preview)
          .setTimeout(timeout),
      ),
    update: (id, olds, news, { preview = false, ignored = [], timeout = 0 } = {}) =>
      call(
        "update",
        new messages.UpdateRequest()
          .setUrn(urn)
          .setId(id)
          .setOlds(struct(olds))
          .setNews(struct(news))
          .setIgnorechangesList(ignored)
          .setPreview(preview)
          .setTimeout(timeout),
      ),
    read: (id, state = {}, inputs = undefined) =>
      call(
        "read",
        new messages.ReadRequest()
          .setUrn(urn)
          .setId(id)
          .setProperties(struct(state))
          .setInputs(inputs && struct(inputs)),
      ),
    async delete(id, state, { timeout = 0 } = {}) {
      const request = new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(state));
      await call("delete", request.setTimeout(timeout));
    },
  };
}

/** Properties in a message. */
export function struct(properties: object): Struct {
  return Struct.fromJavaScript(properties as Parameters<typeof Struct.fromJavaScript>[0]);
}

/** The URN of a resource of the tests' program. */
export function urnOf(type: string, name = "it"): string {
  return `urn:pulumi:dev::tests::pulumi:pulumi:Stack$pipestack:index:${type}::${name}`;
}
