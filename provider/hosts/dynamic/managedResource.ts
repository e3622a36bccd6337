import * as pulumi from "@pulumi/pulumi";
import { secretSettings } from "../../api/settingsSchema";
import { declarationName, providerString, secretsName, stackKey, typeToken } from "../../engine/names";
import { withDefaultName } from "../../lifecycle/check";
import { type Definition, isNamedByInputs, isSingleton, secretsOf } from "../../lifecycle/definition";
import { requireInstallation } from "./installation";
import { programError } from "./programError";
import { secretPlaces } from "./secretPlaces";
import { limitStackTraces } from "./stackTraces";

/** Organization and service of an existing object, for the static method `get` of resources. */
export interface ScopeArgs {
  /** Id (uuid) of the organization that the object belongs to. Default: the setting `organizationId`. */
  readonly organizationId?: pulumi.Input<string>;
  /** Id (uuid) of the service that the object belongs to. Default: the setting `serviceId`. */
  readonly serviceId?: pulumi.Input<string>;
}

type Constructor<Args, Instance> = new (
  name: string,
  args: Args,
  opts?: pulumi.CustomResourceOptions,
) => Instance;

export interface ManagedResourceClass<Args extends object> {
  /** Declares an object of the service as a resource. */
  new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource;

  /**
   * Reads an existing object without managing it. Fails if it does not exist.
   * @param id id of the object; of a scaling or a query endpoint, that of the service
   * @param scope organization and service of the object. Default: those of the settings
   */
  get<Instance>(
    this: Constructor<Args, Instance>,
    name: string,
    id: pulumi.Input<pulumi.ID>,
    scope?: ScopeArgs,
    opts?: pulumi.CustomResourceOptions,
  ): Instance;
}

/**
 * Makes the base class of a resource. Pulumi evaluates the code `__provider` of a state that may be years old. So the code is a
 * constant that loads the `host` module of the installed package, which upgrades every resource along with the package. The
 * code and the type token must never change.
 */
export function managedResource<Args extends object>(resource: Definition): ManagedResourceClass<Args> {
  return class extends pulumi.CustomResource {
    constructor(name: string, args: Args, opts: pulumi.CustomResourceOptions = {}) {
      if (opts.import !== undefined) throw programError(importRefusal(resource, name));
      requireInstallation(`${resource.type} "${name}"`);
      warnOfPlainCredentials();
      const restoreStackTraces = limitStackTraces();
      try {
        super(
          typeToken(resource.type),
          name,
          propertiesOf(resource, name, args, opts),
          pulumi.mergeOptions(opts, { additionalSecretOutputs: secretsOf(resource) }),
        );
      } finally {
        restoreStackTraces();
      }
    }

    static get<Instance>(
      this: Constructor<Args, Instance>,
      name: string,
      id: pulumi.Input<pulumi.ID>,
      scope?: ScopeArgs,
      opts?: pulumi.CustomResourceOptions,
    ): Instance {
      const args = { ...scope, ...(isSingleton(resource) ? { serviceId: id } : {}) };
      return new this(name, args as Args, { ...opts, id });
    }
  };
}

/** The error for the option `import`: Pulumi's dynamic provider does not support it, and would fail with an unclear error. */
function importRefusal(resource: Definition, name: string): string {
  const way = isNamedByInputs(resource)
    ? `leave it out: the resource adopts ${isSingleton(resource) ? "the service's own" : "what its arguments name"}`
    : "declare the id as adoptId instead";
  return `${resource.type} "${name}": the option import works with the resource plugin only; ${way}`;
}

/** The number of resources that a program has declared: it tells resources with the same name under different parents apart. */
let declarations = 0;

function propertiesOf(
  resource: Definition,
  name: string,
  args: object,
  { id }: pulumi.CustomResourceOptions,
): Record<string, unknown> {
  const names = [...Object.keys(resource.inputs.properties), ...Object.keys(resource.outputs.properties)];
  // The engine sets only outputs that a resource has when it is registered, so all outputs are declared as undefined.
  const undefinedOutputs = Object.fromEntries(names.map((output) => [output, undefined]));
  // A program in plain JavaScript may pass no arguments; the provider's check then reports the missing ones.
  const declared: object = id ? { ...args } : withDefaultName(resource, name, { ...args });
  // If only an output were marked as secret, the input of the same name would stay readable in the Pulumi state.
  const secrets = secretsOf(resource);
  const secretInputs = Object.entries(declared)
    .filter(([input, value]) => secrets.includes(input) && value !== undefined)
    .map(([input, value]) => [input, pulumi.secret(value)]);
  const mayRival = !id && (isNamedByInputs(resource) || "adoptId" in declared);
  return {
    ...undefinedOutputs,
    ...declared,
    ...Object.fromEntries(secretInputs),
    __provider: providerString(resource.type),
    ...(id ? {} : { [secretsName]: secretPlaces(declared) }),
    ...(mayRival ? { [declarationName]: `${++declarations} ${name}` } : {}),
  };
}

/**
 * Tells whether a value in the stack's configuration is encrypted, which only the process of the program knows. The types of
 * Pulumi's SDK do not declare this function.
 */
const { isConfigSecret } = pulumi.runtime as { readonly isConfigSecret?: (key: string) => boolean };

/** The engines whose runs were warned of plain-text credentials; a process may run several stacks (Automation API). */
const warned = new WeakSet<object>();

/** Warns once in a run of credentials in the stack's plain configuration, since the Pulumi state then shows them, too. */
function warnOfPlainCredentials(): void {
  const engine = pulumi.runtime.getMonitor();
  if (!isConfigSecret || !engine || warned.has(engine)) return;
  warned.add(engine);
  const config = new pulumi.Config("pipestack");
  for (const name of secretSettings) {
    const key = stackKey(name);
    if (isConfigSecret(key) || config.get(name) === undefined) continue;
    void pulumi.log.warn(
      `${key} is plain text in the configuration and in the state of the stack: replace the credential, then set it with "pulumi config set --secret ${key}"`,
    );
  }
}
