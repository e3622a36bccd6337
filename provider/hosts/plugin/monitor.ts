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
import type { PropertyMap } from "../../values/data";
import { unknown } from "../../values/unknown";
import { packageVersion } from "../../values/version";
import { type Received, received, toStruct } from "./wireValues";

/** A resource that the engine has registered for a component. Its id is unknown in the preview of its creation. */
export interface Registered extends Received {
  readonly urn: string;
  readonly id: string | typeof unknown;
}

/** A resource that a component declares. */
export interface Child {
  readonly type: string;
  readonly name: string;
  readonly inputs: PropertyMap;
  /** Whether all inputs of the resource that the component declares are secret, so that the engine encrypts them. */
  readonly isSecret: boolean;
  /** URNs of the resources whose outputs the inputs come from. */
  readonly dependencies?: readonly string[];
}

/** Registers a component and its resources with the engine, with the options that the program gave to the component. */
export class Monitor {
  readonly #client: ResourceMonitorClient;

  constructor(private readonly request: ConstructRequest) {
    this.#client = new ResourceMonitorClient(request.getMonitorendpoint(), credentials.createInsecure());
  }

  close(): void {
    this.#client.close();
  }

  component(): Promise<Registered> {
    const { request } = this;
    const resource = this.#resource(request.getType(), request.getName(), request.getParent());
    return this.#register(resource.setAliasesList(request.getAliasesList()));
  }

  /** Registers a resource of the component that has the given URN with the engine. */
  child(parent: string, { type, name, inputs, isSecret, dependencies = [] }: Child): Promise<Registered> {
    const resource = this.#resource(tokenPrefix + type, name, parent);
    // The program may have declared the resource by Pulumi's dynamic provider before: the alias lets the engine recognize it.
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

  finish(urn: string, outputs: PropertyMap): Promise<void> {
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
