import type {
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  ConfigureResponse,
  type ConstructRequest,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  DiffResponse,
  GetSchemaResponse,
  type InvokeRequest,
  InvokeResponse,
  type ListRequest,
  type ListResponse,
  type ProviderHandshakeRequest,
  ProviderHandshakeResponse,
  type ReadRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Writer } from "protobufjs/minimal";
import { secretSettings } from "../../api/settingsSchema";
import { isNameOfDefaultProvider, nameIn, resultMember, tokenIn, tokenPrefix } from "../../engine/names";
import { asksForSecrets, callFunction } from "../../functions/definition";
import type { Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";
import { hiddenIn } from "../../values/redact";
import { packageVersion } from "../../values/version";
import { FolderBoard } from "../ownership/board";
import { Claims } from "../ownership/claims";
import { configurationFailures, nameFailures, openSession } from "./configuration";
import type { EngineLog } from "./engineLog";
import { toServiceError } from "./errors";
import { listedPage } from "./listing";
import type { Package } from "./packageSchema";
import { ResourceMethods } from "./resourceMethods";
import { schemaText } from "./schemaText";
import { received, toStruct } from "./wireValues";

/** Implements the plugin protocol for one provider instance; `engineAddress` may be empty until the engine's handshake. */
export function createService(
  offer: Package,
  log: EngineLog,
  engineAddress: string,
): UntypedServiceImplementation {
  const { resources, components, functions } = offer;
  let opened: Session | undefined;
  const session = (): Session => {
    if (!opened) throw new Error("the provider is not configured (the engine did not call Configure)");
    return opened;
  };
  const claims = new Claims();
  let connectedTo: string | undefined;
  const connect = (address: string) => {
    if (address === "" || address === connectedTo) return;
    connectedTo = address;
    log.connect(address);
    claims.join(new FolderBoard(address));
  };
  connect(engineAddress);
  const methods = new Map(
    Object.entries(resources).map(([type, resource]) => [
      tokenPrefix + type,
      new ResourceMethods(resource, session, claims),
    ]),
  );
  const methodsOf = (urn: string): ResourceMethods => {
    const token = tokenIn(urn);
    const resource = methods.get(token);
    if (!resource)
      throw new Error(`the provider has no resource type ${token}; it has ${[...methods.keys()].join(", ")}`);
    return resource;
  };
  const resourceStep =
    <Request extends { getUrn(): string }, Response>(
      step: (methods: ResourceMethods, request: Request) => Promise<Response> | Response,
    ) =>
    (request: Request) =>
      log.about(request.getUrn(), async () => {
        try {
          return await step(methodsOf(request.getUrn()), request);
        } catch (error) {
          // The session's secrets are removed from the error's message, which the state keeps if a create failed in part.
          throw opened ? hiddenIn(error, opened.secrets.hide) : error;
        }
      });

  return {
    handshake: unary((request: ProviderHandshakeRequest) => {
      connect(request.getEngineAddress());
      return new ProviderHandshakeResponse().setAcceptSecrets(true).setSupportsAutonamingConfiguration(true);
    }),
    attach: unary((request: PluginAttach) => {
      connect(request.getAddress());
      return new Empty();
    }),
    getSchema: unary(() => schemaResponse(schemaText(offer))),
    getPluginInfo: unary(() => new PluginInfo().setVersion(packageVersion())),
    checkConfig: unary((request: CheckRequest) => {
      const news = received(request.getNews());
      const failures = [
        ...nameFailures(nameIn(request.getUrn()), news.data),
        ...configurationFailures(news.data),
      ].map(({ path, message }) => new CheckFailure().setProperty(path).setReason(message));
      const secrets = [...news.secrets, ...secretSettings.map((name) => [name])];
      return new CheckResponse().setInputs(toStruct(news.data, secrets)).setFailuresList(failures);
    }),
    // A new address or organization does not replace the provider: each resource has its organization and service itself.
    diffConfig: unary((request: DiffRequest) => {
      const [olds, news] = [received(request.getOlds()).data, received(request.getNews()).data];
      const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
      const changed = names.filter((name) => JSON.stringify(olds[name]) !== JSON.stringify(news[name]));
      const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
      return new DiffResponse().setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE).setDiffsList(changed);
    }),
    configure: unary((request: ConfigureRequest) => {
      const isDefaultProvider = isNameOfDefaultProvider(request.getName() ?? "default");
      opened = openSession(received(request.getArgs()).data, isDefaultProvider, log);
      claims.serve(opened);
      return new ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    check: unary(resourceStep((type, request: CheckRequest) => type.check(request))),
    diff: unary(resourceStep((type, request: DiffRequest) => type.diff(request))),
    create: unary(resourceStep((type, request: CreateRequest) => type.create(request))),
    read: unary(resourceStep((type, request: ReadRequest) => type.read(request))),
    update: unary(resourceStep((type, request: UpdateRequest) => type.update(request))),
    delete: unary(
      resourceStep(async (type, request: DeleteRequest) => {
        await type.delete(request);
        return new Empty();
      }),
    ),
    construct: unary((request: ConstructRequest) => {
      const component = own(components, request.getType().slice(tokenPrefix.length));
      if (!component)
        throw new Error(
          `there is no component ${request.getType()}; the plugin and the SDK must have the same version`,
        );
      return log.about("", () => component.construct(request, session()));
    }),
    invoke: unary((request: InvokeRequest) =>
      log.about("", async () => {
        const name = request.getTok().slice(tokenPrefix.length);
        const definition = own(functions, name);
        if (!definition || !request.getTok().startsWith(tokenPrefix))
          throw new Error(
            `there is no function ${request.getTok()}; the plugin and the SDK must have the same version`,
          );
        const { data, secrets } = received(request.getArgs());
        const result = await callFunction(definition, data as never, session(), secrets);
        const hasSecrets = secrets.length > 0 && !definition.showsNoArguments;
        const isSecret = hasSecrets || asksForSecrets(data);
        const member = resultMember(definition);
        const answer: PropertyMap = member === undefined ? (result as PropertyMap) : { [member]: result };
        return new InvokeResponse().setReturn(
          toStruct(answer, isSecret ? Object.keys(answer).map((member) => [member]) : []),
        );
      }),
    ),
    list: (call: ServerWritableStream<ListRequest, ListResponse>) =>
      log
        .about("", async () => {
          const resource = own(resources, call.request.getToken().slice(tokenPrefix.length));
          if (!resource) throw new Error(`the provider has no resource type ${call.request.getToken()}`);
          for (const response of await listedPage(resource, call.request, session())) call.write(response);
          call.end();
        })
        .catch((error) => call.emit("error", toServiceError(error))),
    cancel: unary(() => {
      opened?.interruption.cancel();
      return new Empty();
    }),
  };
}

/** The response with the package schema, encoded as a whole: the SDK's own code would encode the text letter by letter. */
function schemaResponse(schema: string): GetSchemaResponse {
  const firstField = Writer.create().uint32(0b1010).string(schema);
  return Object.assign(new GetSchemaResponse(), { serializeBinary: () => firstField.finish() });
}

/** Looks up an entry of a table by a name that a client sends. Only own properties count, so `constructor` finds nothing. */
function own<Entry>(table: { readonly [name: string]: Entry }, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function unary<Request, Response>(step: (request: Request) => Promise<Response> | Response) {
  return async (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) => {
    try {
      callback(null, await step(call.request));
    } catch (error) {
      callback(toServiceError(error));
    }
  };
}
