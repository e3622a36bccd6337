import { secret } from "../../../provider/engine/engineValues";
import { declarationName, providerString, secretsName } from "../../../provider/engine/names";
import type { DeclarableName } from "../../../provider/resources/registry";
import type { Data } from "../../promises/store";
import type { Instance } from "../program";
import type { Provider } from "../provider";
import { never, wait } from "../virtualTime";
import { MemoryBoard } from "../world/board";
import { organizationId, serviceId } from "../world/contents";
import type { Connection, Network } from "../world/network";
import { credentialsOf, type Signer } from "../world/signers";
import type { Host, Methods } from "./engine";
import { PluginProcess } from "./plugin";
import { annotated, isSecret, secretPlacesIn, withMarks, withoutSecrets } from "./secrets";

/** The data that all simulated provider processes of one Pulumi command share. */
export interface Starter {
  readonly provider: Provider;
  readonly network: Network;
  readonly settings: object;
  readonly actor: "a" | "b";
  readonly step: number;
  /** The address of the simulated engine, the same for all provider processes of a Pulumi command. */
  readonly engineAddress: string;
  /**
   * The provider instances that the engine starts at the beginning of a phase of the command, in this order. It starts other
   * instances when they are first needed.
   */
  readonly starts: readonly Instance[];
  /** Receives each message that a provider process prints for the user. */
  readonly say: (message: string, isWarning: boolean) => void;
  /** Called with the settings of each provider process that starts. */
  readonly started?: (settings: Data) => void;
  /**
   * Returns true once the Pulumi command has ended or was killed. Results that its processes still produce are then discarded.
   */
  readonly isOver: () => boolean;
}

/** Milliseconds between the starts of two simulated provider processes. */
const millisecondsBetweenStarts = 150;

/** The simulated provider processes of one phase of a Pulumi command, one for each provider instance. */
export class Processes {
  readonly connections: Connection[] = [];
  readonly #methods = new Map<Instance, Promise<(type: DeclarableName, name: string) => Methods>>();

  constructor(private readonly starter: Starter) {
    for (const [index, instance] of starter.starts.entries())
      this.#methods.set(
        instance,
        wait(index * millisecondsBetweenStarts).then(() => this.#start(instance)),
      );
  }

  /** Returns the methods of a resource, which wait until the process of its provider instance has started. */
  readonly host: Host = (type, instance, name) => {
    const started = this.#methods.get(instance) ?? Promise.resolve(this.#start(instance));
    this.#methods.set(instance, started);
    const { isOver } = this.starter;
    const call = <Result>(run: (own: Methods) => Promise<Result>) =>
      unlessOver(
        started.then((methodsOf) => run(methodsOf(type, name))),
        isOver,
      );
    const methods = ["check", "diff", "create", "read", "update", "delete", "import"] as const;
    const calls = methods.map((method) => [
      method,
      (...args: unknown[]) =>
        call((own) => (own[method] as (...all: unknown[]) => Promise<unknown>)(...args)),
    ]);
    return Object.fromEntries(calls) as Methods;
  };

  #start(instance: Instance): (type: DeclarableName, name: string) => Methods {
    const { network, actor, step, settings } = this.starter;
    const connection = network.connect({ actor, step });
    this.connections.push(connection);
    const own = settingsOf(settings, signerOf(actor, instance), connection);
    this.starter.started?.(own);
    return instance === "plugin" ? this.#startPlugin(own) : this.#startDynamicHost(own);
  }

  #startDynamicHost(settings: Data): (type: DeclarableName, name: string) => Methods {
    const { host, registry, session, claims, definition, read, imports } = this.starter.provider;
    const { say, engineAddress } = this.starter;
    const log = { warn: (text: string) => say(text, true), info: (text: string) => say(text, false) };
    const open = () => new session.Session(() => settings as never, log);
    const methods = host.createHost(
      registry.declarable,
      open,
      new claims.Claims(new MemoryBoard(engineAddress)),
    );
    const called = new Set<DeclarableName>();
    return (type, name) => {
      const own = methods[type] as unknown as Methods & { configure(request: object): Promise<void> };
      // The simulated import of an object does what `pipestack import` and `pulumi import --file` do together.
      own.import = async (id) => {
        const found = await read.importObject(registry.declarable[type], id, {}, open());
        if (typeof found === "string") throw new Error(`${type} ${id} does not exist in the service`);
        const { inputs, outputs } = imports.stateForImport({
          type: type as Exclude<DeclarableName, "AlertSet">,
          inputs: found.inputs,
          outputs: found.state,
          host: "dynamic",
        });
        return { id: found.id, inputs: withStandIns(inputs), props: withStandIns(outputs) };
      };
      if (!called.has(type)) void own.configure({ config: undefined });
      called.add(type);
      return takingSecrets(own, type, name, definition.secretsOf(registry.declarable[type]));
    };
  }

  #startPlugin(settings: Data): (type: DeclarableName, name: string) => Methods {
    const { service, registry, engineLog } = this.starter.provider;
    const log = new engineLog.EngineLog();
    const plugin = new PluginProcess(
      service.createService(
        { resources: registry.declarable, components: {}, functions: {} },
        log,
        this.starter.engineAddress,
      ),
    );
    const texts = Object.entries(settings).map(([name, value]) => [name, String(value)]);
    void plugin.configure("explicit", Object.fromEntries(texts));
    return (type, name) => plugin.methodsOf(type, name);
  }
}

/** Returns all settings of a provider process that has its own addresses of both APIs. */
export function settingsOf(settings: object, signer: Signer, { baseUrl, obsBaseUrl }: Connection): Data {
  return { ...settings, ...credentialsOf(signer), organizationId, serviceId, baseUrl, obsBaseUrl };
}

/**
 * Wraps the methods of the dynamic host, which receives plain values. In the host's answer the engine marks as secret what was
 * secret in the request, and the outputs that the resource class names.
 */
function takingSecrets(
  own: Methods,
  type: DeclarableName,
  name: string,
  secrets: readonly string[],
): Methods {
  const plain = (values: Data) => withoutSecrets(values) as Data;
  const marked = (answer: Data, asked: Data) => withMarks(annotated(answer, asked), secrets);
  const marking = (asked: Data) => (error: Error & { properties?: Data }) => {
    const { properties } = error;
    throw properties ? Object.assign(error, { properties: marked(properties, asked) }) : error;
  };
  return {
    check: async (olds, news) => {
      const declared = asDeclared(type, name, withMarks(news, secrets));
      const { inputs, failures } = await own.check(plain(olds), plain(declared));
      return { inputs: inputs && annotated(withCodeOf(declared, inputs), declared), failures };
    },
    diff: (id, olds, news) => own.diff(id, plain(olds), plain(news)),
    create: async (inputs) => {
      const { id, outs = {} } = await own.create(plain(inputs)).catch(marking(inputs));
      return { id, outs: marked(withCodeOf(inputs, outs), inputs) };
    },
    read: async (id, props, olds) => {
      const found = await own.read(id, plain(props), plain(olds));
      return {
        id: found.id,
        props: found.props && marked(withCodeOf(props, found.props), props),
        inputs: found.inputs && annotated(withCodeOf(props, found.inputs), olds),
      };
    },
    update: async (id, olds, news) => {
      const { outs = {} } = await own.update(id, plain(olds), plain(news)).catch(marking(news));
      return { outs: marked(withCodeOf(news, outs), news) };
    },
    delete: (id, props) => own.delete(id, plain(withCodeOf(props, props))),
    import: (id) => own.import(id),
  };
}

/**
 * Adds the provider code to an answer: the dynamic host runs the code in the property `__provider` of a resource, and returns
 * this property.
 */
function withCodeOf({ __provider }: Data, answer: Data): Data {
  if (__provider === undefined) throw new Error("the engine's host finds no __provider");
  return { ...answer, __provider };
}

/**
 * Replaces the secrets in imported inputs by placeholders, since a file for `pulumi import` contains no secrets. The engine
 * encrypts the placeholders.
 */
function withStandIns(properties: Data): Data {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      isSecret(value) ? secret(JSON.parse(String((value as Data).plaintext))) : value,
    ]),
  );
}

/**
 * Adds what the resource class adds to the inputs: the resource's name where two resources may claim one object, and the
 * property paths of secrets.
 */
function asDeclared(type: DeclarableName, name: string, inputs: Data): Data {
  const mayRival = type === "ServiceScaling" || type === "QueryEndpoint" || "adoptId" in inputs;
  const places = secretPlacesIn(inputs);
  return {
    ...inputs,
    __provider: providerString(type),
    ...(mayRival ? { [declarationName]: name } : {}),
    ...(places.length > 0 ? { [secretsName]: places } : {}),
  };
}

/**
 * Returns whose API key signs the requests of a provider instance in the simulation. Only the instance `other` has credentials
 * of its own.
 */
export function signerOf(actor: "a" | "b", instance: Instance): Signer {
  return instance === "other" ? "other" : actor;
}

/**
 * Waits for a method of the provider. If the Pulumi command is over by then, the promise never settles, as if the process had
 * died.
 */
async function unlessOver<Result>(result: Promise<Result>, isOver: () => boolean): Promise<Result> {
  try {
    const value = await result;
    return isOver() ? never() : value;
  } catch (error) {
    if (isOver()) return never();
    throw error;
  }
}
