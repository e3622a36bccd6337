import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { resolveSettings } from "../../provider/api/settings";
import { createHost } from "../../provider/hosts/dynamic/host";
import { EngineLog } from "../../provider/hosts/plugin/engineLog";
import { createService } from "../../provider/hosts/plugin/pluginService";
import { Session } from "../../provider/lifecycle/session";
import { type DeclarableName, declarable } from "../../provider/resources/registry";
import { type PropertyMap, pick } from "../../provider/values/data";
import { encrypted, withoutSecrets } from "../simulation/actors/secrets";
import { failureOfCall, resourceWith, struct, urnOf } from "../unit/hosts/plugin/engine";

/** The calls by which Pulumi's engine uses one resource in a process of a host (dynamic provider or plugin). */
export interface Process {
  check(olds: PropertyMap, news: PropertyMap): Promise<{ inputs: PropertyMap; failures: readonly string[] }>;
  /**
   * Compares the Pulumi state of a resource with new inputs. `paths` is absent if the host leaves the comparison to the engine.
   */
  diff(
    id: string,
    state: PropertyMap,
    inputs: PropertyMap,
  ): Promise<{ changes?: boolean; paths?: readonly string[]; replaces: readonly string[] }>;
  /** Creates an object. A create that fails with a state has left one, or may have, and the next update completes it. */
  create(inputs: PropertyMap): Promise<Created>;
  /**
   * Reads an object for the engine. The returned id is empty if the object is gone; the inputs are absent if the engine keeps
   * its own. `stored` is what the state file then shows, with ciphertexts for secrets; absent if the host leaves that to others.
   */
  read(
    id: string,
    state: PropertyMap,
    inputs?: PropertyMap,
  ): Promise<{ id: string; state: PropertyMap; inputs?: PropertyMap; stored?: string }>;
  /**
   * Updates an object as the engine does. An update that fails with a state has been carried out in part, or may have been.
   * @param ignored the property paths in `ignoreChanges`, which only the plugin gets: for the dynamic host the engine
   * handles them
   */
  update(id: string, state: PropertyMap, inputs: PropertyMap, ignored?: string[]): Promise<Updated>;
  delete(id: string, state: PropertyMap): Promise<void>;
}

interface Updated {
  readonly state: PropertyMap;
  readonly failure?: Error;
}

interface Created extends Updated {
  readonly id: string;
}

/** The resources of a process, by their type, and by their name in the program where it has several of a type. */
export type Resources = (type: DeclarableName, name?: string) => Process;

/** Starts a process of a host, which serves all resources of a provider instance in one Pulumi command. */
type Start = (settings: Readonly<Record<string, string>>, tell: (text: string) => void) => Promise<Resources>;

const startDynamicHost: Start = async (settings, tell) => {
  const all = createHost(declarable, () => {
    const read = () => resolveSettings([(name) => settings[name]]);
    return new Session(read, { warn: tell, info: tell });
  });
  await all.Alert.configure({ config: undefined as never });
  return (type) => inDynamicHost(all[type]);
};

function inDynamicHost(host: ReturnType<typeof createHost>[string]): Process {
  const plain = (values: unknown) => withoutSecrets(values ?? {}) as PropertyMap;
  const done = ({ id = "", outs }: { id?: string; outs?: object }) => ({ id, state: plain(outs) });
  const failed = (failure: Error & { id?: string; properties?: PropertyMap }) => {
    if (!failure.properties) throw failure;
    return { ...done({ id: failure.id, outs: failure.properties }), failure };
  };
  return {
    async check(olds, news) {
      const { inputs, failures = [] } = await host.check(olds, news);
      return { inputs: plain(inputs), failures: failures.map(({ reason }) => reason) };
    },
    async diff(id, state, inputs) {
      const { changes, replaces = [] }: { changes?: boolean; replaces?: string[] } = await host.diff(
        id,
        state,
        inputs,
      );
      return { changes, replaces };
    },
    create: (inputs) => host.create(inputs).then(done, failed),
    async read(id, state) {
      const live: { id?: string; props?: PropertyMap; inputs?: PropertyMap } = await host.read(id, state);
      return { id: live.id ?? "", state: plain(live.props), inputs: live.inputs };
    },
    update: (id, state, inputs) => host.update(id, state, inputs).then(done, failed),
    delete: (id, state) => host.delete(id, state),
  };
}

/**
 * The plugin instances that the life tests start in their process share one log, since each log has an AsyncLocalStorage, which
 * slows down all JavaScript promises.
 */
const log = new EngineLog();

const startPlugin: Start = async (settings, tell) => {
  log.warn = log.info = tell;
  const service = createService({ resources: declarable, components: {}, functions: {} }, log, "");
  const call = callOf(service);
  await call("configure", new messages.ConfigureRequest().setName("explicit").setArgs(struct(settings)));
  return (type, name) => inPlugin(resourceWith(call, urnOf(type, name)));
};

function inPlugin(resource: ReturnType<typeof resourceWith>): Process {
  const plain = (properties: { toJavaScript(): object } | undefined) =>
    (properties?.toJavaScript() ?? {}) as PropertyMap;
  const failed = async (failure: Error, answer: Promise<unknown>) => {
    if (!("metadata" in failure)) throw failure;
    const { saved } = await failureOfCall(answer);
    if (!saved) throw failure;
    return { id: saved.getId(), state: plain(saved.getProperties()), failure };
  };
  return {
    async check(olds, news) {
      const answer = await resource.check(news, olds);
      const failures = answer
        .getFailuresList()
        .map((failure) => `${failure.getProperty()} ${failure.getReason()}`.trim());
      return { inputs: plain(answer.getInputs()), failures };
    },
    async diff(id, state, inputs) {
      const answer = await resource.diff(id, state, inputs);
      return {
        changes: answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
        paths: [...answer.getDetaileddiffMap().keys()],
        replaces: answer.getReplacesList(),
      };
    },
    create(inputs) {
      const answer = resource.create(inputs);
      return answer.then(
        (created) => ({ id: created.getId(), state: plain(created.getProperties()) }),
        (failure) => failed(failure, answer),
      );
    },
    async read(id, state, inputs) {
      const answer = await resource.read(id, state, inputs);
      const [properties, declared] = [answer.getProperties(), answer.getInputs()];
      const stored = JSON.stringify(encrypted([properties?.toJavaScript(), declared?.toJavaScript()]));
      return { id: answer.getId(), state: plain(properties), inputs: plain(declared), stored };
    },
    update(id, state, inputs, ignored) {
      const answer = resource.update(id, state, inputs, { ignored });
      return answer.then(
        (updated) => ({ state: plain(updated.getProperties()) }),
        (failure) => failed(failure, answer),
      );
    },
    delete: (id, state) => resource.delete(id, state),
  };
}

/** The calls by which an engine uses one object that is the only entry of a set, such as an alert of an `AlertSet`. */
export function inSet(set: Process, member: string): Process {
  const id = "set";
  const idOf = ({ ids }: PropertyMap) => String((ids as PropertyMap | undefined)?.only ?? "");
  const around = (values: PropertyMap): PropertyMap => {
    const { organizationId, serviceId, ids, ...only } = values;
    const ofSet = pick(values, ["organizationId", "serviceId", "ids"]);
    return Object.keys(only).length === 0 ? {} : { ...ofSet, [member]: { only } };
  };
  const within = ({ [member]: entries = {}, ...others }: PropertyMap): PropertyMap => ({
    ...others,
    ...((entries as PropertyMap).only as PropertyMap | undefined),
  });
  return {
    async check(olds, news) {
      const { inputs, failures } = await set.check(around(olds), around(news));
      return { inputs: within(inputs), failures };
    },
    diff: (_, state, inputs) => set.diff(id, state, around(inputs)),
    async create(inputs) {
      const created = await set.create(around(inputs));
      return { ...created, id: idOf(created.state) };
    },
    async read(_, state, inputs = {}) {
      const live = await set.read(id, state, around(inputs));
      return { ...live, id: idOf(live.state), ...(live.inputs && { inputs: within(live.inputs) }) };
    },
    update: (_, state, inputs, ignored) => set.update(id, state, around(inputs), ignored),
    delete: (_, state) => set.delete(id, state),
  };
}

export const hosts = { "the dynamic host": startDynamicHost, "the plugin": startPlugin } as const;

export type HostName = keyof typeof hosts;

/** Calls the methods of the resource plugin directly, without a socket, in place of the engine. */
export function callOf(service: UntypedServiceImplementation) {
  type Handler = (
    call: { request: object },
    done: (failure: { details: string } | null, answer?: unknown) => void,
  ) => void;
  return <Answer>(method: string, request: object) =>
    new Promise<Answer>((resolve, reject) => {
      (service[method] as unknown as Handler)({ request }, (failure, answer) =>
        failure ? reject(Object.assign(new Error(failure.details), failure)) : resolve(answer as Answer),
      );
    });
}
