import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  CreateRequest,
  type CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ErrorResourceInitFailed,
  ReadRequest,
  type ReadResponse,
  UpdateRequest,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { DeclarableName } from "../../../provider/resources/registry";
import type { Data } from "../../promises/store";
import type { Methods } from "./engine";

/** Simulates a process of the resource plugin, which gets the messages of the plugin protocol without a socket. */
export class PluginProcess {
  constructor(private readonly service: UntypedServiceImplementation) {}

  async configure(name: string, settings: Data): Promise<void> {
    await this.#call("configure", new ConfigureRequest().setName(name).setArgs(structOf(settings)));
  }

  methodsOf(type: DeclarableName, name: string): Methods {
    const urn = `urn:pulumi:stack::project::pipestack:index:${type}::${name}`;
    return {
      check: async (olds, news) => {
        const request = new CheckRequest().setUrn(urn).setOlds(structOf(olds)).setNews(structOf(news));
        const answer = await this.#call<CheckResponse>("check", request);
        const failures = answer
          .getFailuresList()
          .map((failure) => ({ reason: [failure.getProperty(), failure.getReason()].join(" ").trim() }));
        return { inputs: dataOf(answer.getInputs()), failures };
      },
      diff: async (id, olds, news) => {
        const request = new DiffRequest()
          .setUrn(urn)
          .setId(id)
          .setOlds(structOf(olds))
          .setOldInputs(structOf(olds))
          .setNews(structOf(news));
        const answer = await this.#call<DiffResponse>("diff", request);
        const changes = answer.getChanges() === DiffResponse.DiffChanges.DIFF_SOME;
        return {
          changes,
          replaces: answer.getReplacesList(),
          deleteBeforeReplace: answer.getDeletebeforereplace(),
        };
      },
      create: async (inputs) => {
        const request = new CreateRequest().setUrn(urn).setProperties(structOf(inputs));
        const answer = await this.#call<CreateResponse>("create", request);
        return { id: answer.getId(), outs: dataOf(answer.getProperties()) };
      },
      read: async (id, props, inputs) => {
        const request = new ReadRequest()
          .setUrn(urn)
          .setId(id)
          .setProperties(structOf(props))
          .setInputs(structOf(inputs));
        const answer = await this.#call<ReadResponse>("read", request);
        return {
          id: answer.getId(),
          props: dataOf(answer.getProperties()),
          inputs: answer.hasInputs() ? dataOf(answer.getInputs()) : undefined,
        };
      },
      import: async (id) => {
        const answer = await this.#call<ReadResponse>("read", new ReadRequest().setUrn(urn).setId(id));
        return {
          id: answer.getId(),
          props: dataOf(answer.getProperties()),
          inputs: dataOf(answer.getInputs()),
        };
      },
      update: async (id, olds, news) => {
        const request = new UpdateRequest()
          .setUrn(urn)
          .setId(id)
          .setOlds(structOf(olds))
          .setNews(structOf(news));
        const answer = await this.#call<UpdateResponse>("update", request);
        return { outs: dataOf(answer.getProperties()) };
      },
      delete: async (id, props) => {
        await this.#call("delete", new DeleteRequest().setUrn(urn).setId(id).setProperties(structOf(props)));
      },
    };
  }

  #call<Response>(method: string, request: object): Promise<Response> {
    return new Promise((resolve, reject) => {
      const handler = this.service[method] as unknown as Handler<Response>;
      handler({ request }, (failure, response) => {
        if (failure) reject(failureOf(failure));
        else resolve(response as Response);
      });
    });
  }
}

type Handler<Response> = (
  call: { readonly request: object },
  callback: (failure: Failure | null, response?: Response) => void,
) => void;

interface Failure {
  readonly details: string;
  readonly metadata?: { get(name: string): readonly (string | Buffer)[] };
}

/**
 * Converts a gRPC failure of the plugin into an error as the engine reads it. The details of a failure contain the id and
 * properties of an object that was created although the step failed.
 */
function failureOf({ details, metadata }: Failure): Error {
  const [rich] = metadata?.get("grpc-status-details-bin") ?? [];
  if (rich === undefined) return new Error(details);
  const [any] = Status.deserializeBinary(rich as Buffer).getDetailsList();
  const created = ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() ?? new Uint8Array());
  return Object.assign(new Error(details), {
    id: created.getId(),
    properties: dataOf(created.getProperties()),
  });
}

function structOf(data: Data): Struct {
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(data)));
}

function dataOf(struct: Struct | undefined): Data {
  return (struct?.toJavaScript() ?? {}) as Data;
}
