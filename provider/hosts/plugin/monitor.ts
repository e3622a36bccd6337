import { credentials } from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  type RegisterResourceResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { packageName, pluginDownloadURL, tokenPrefix, typeToken } from "../../engine/names";
import type { Data } from "../../values/data";
import { unknown } from "../../values/unknown";
import { packageVersion } from "../../values/version";
import { type Received, received, toStruct } from "./values";

/** A resource that the engine has registered. In the preview of its creation the id is unknown. */
export interface Registered extends Received {
  readonly urn: string;
  readonly id: string | typeof unknown;
}

/** A resource of a component. */
export interface Child {
  /** Name of its type in this package. */
  readonly type: string;
  /** Its name in the program. */
  readonly name: string;
  readonly inputs: Data;
  /** Whether its inputs are to be kept encrypted. */
  readonly isSecret: boolean;
  /** URNs of other resources that its inputs come from. */
  readonly dependencies?: readonly string[];
}

/** The engine as a component sees it while it declares its resources: they have the options that a program gave to it. */
export class Monitor {
  readonly #client: ResourceMonitorClient;

  constructor(private readonly request: ConstructRequest) {
    this.#client = new ResourceMonitorClient(request.getMonitorendpoint(), credentials.createInsecure());
  }

  close(): void {
    this.#client.close();
  }

  /** Registers the component itself. */
  component(): Promise<Registered> {
    const { request } = this;
    const resource = this.#resource(request.getType(), request.getName(), request.getParent());
    return this.#register(resource.setAliasesList(request.getAliasesList()));
  }

  /** Registers a resource of the component with this URN. */
  child(parent: string, { type, name, inputs, isSecret, dependencies = [] }: Child): Promise<Registered> {
    const resource = this.#resource(tokenPrefix + type, name, parent);
    // A program may have declared the component by the dynamic host before.
    const former = new Alias().setSpec(new Alias.Spec().setType(typeToken(type)));
    return this.#register(
      resource
        .setCustom(true)
        .setObject(toStruct(inputs, isSecret ? Object.keys(inputs).flatMap(unlessName) : []))
        .setAliasesList([former])
        .setDependenciesList([...new Set([...resource.getDependenciesList(), ...dependencies])])
        .setProvider(this.request.getProvidersMap().get(packageName) ?? "")
        .setVersion(packageVersion())
        .setPlugindownloadurl(pluginDownloadURL),
    );
  }

  /** Says which outputs the component has, and that it has declared all its resources. */
  finish(urn: string, outputs: Data): Promise<void> {
    const request = new RegisterResourceOutputsRequest().setUrn(urn).setOutputs(toStruct(outputs));
    return new Promise((resolve, reject) => {
      this.#client.registerResourceOutputs(request, (error) => (error ? reject(error) : resolve()));
    });
  }

  #resource(type: string, name: string, parent: string): RegisterResourceRequest {
    const { request } = this;
    const inputs = [...request.getInputdependenciesMap().entries()] as [
      string,
      { getUrnsList(): string[] },
    ][];
    const resource = new RegisterResourceRequest()
      .setType(type)
      .setName(name)
      .setParent(parent)
      .setDependenciesList([
        ...new Set([...request.getDependenciesList(), ...inputs.flatMap(([, urns]) => urns.getUrnsList())]),
      ])
      .setDeletedwith(request.getDeletedwith())
      .setAcceptsecrets(true)
      .setSupportspartialvalues(true)
      .setAliasspecs(true);
    const [isProtected, isRetained] = [request.getProtect(), request.getRetainondelete()];
    if (isProtected !== undefined) resource.setProtect(isProtected);
    if (isRetained !== undefined) resource.setRetainondelete(isRetained);
    return resource;
  }

  async #register(request: RegisterResourceRequest): Promise<Registered> {
    const response = await new Promise<RegisterResourceResponse>((resolve, reject) => {
      this.#client.registerResource(request, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
    return { ...received(response.getObject()), urn: response.getUrn(), id: response.getId() || unknown };
  }
}

function unlessName(member: string): string[][] {
  return member === "name" ? [] : [[member]];
}
