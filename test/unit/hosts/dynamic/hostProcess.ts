import { createHost } from "../../../../provider/hosts/dynamic/host";
import type { Claims } from "../../../../provider/hosts/ownership/claims";
import { type DeclarableName, declarable } from "../../../../provider/resources/registry";
import { withoutSecrets } from "../../../simulation/actors/secrets";

export type Host = ReturnType<typeof createHost<DeclarableName>>;
/** The provider's settings as text, by name, such as `baseUrl`. */
export type RawSettings = { readonly [name: string]: string | undefined };

/**
 * Returns the methods that the engine's dynamic host calls, with settings from the stack's configuration or, for names with a
 * namespace, from other keys.
 * @param sent converts an answer into the state that later calls get; by default secrets become plain values, as in the engine's host
 */
export function hostWith(settings: RawSettings, claims?: Claims, sent: Sent = withoutSecrets): Host {
  const host = createHost(declarable, undefined, claims);
  const values = new Map(
    Object.entries(settings).map(([name, value]) => [name.includes(":") ? name : `pipestack:${name}`, value]),
  );
  const get = (key: string) => values.get(key);
  const require = (key: string) => {
    throw new Error(`nothing here requires ${key}`);
  };
  // All resource types of a dynamic host share one session, so one call configures them all.
  void host.Alert.configure({ config: { get, require } });
  return Object.fromEntries(
    Object.entries(host).map(([type, methods]) => [type, withPlainAnswers(methods, sent)]),
  ) as Host;
}

/** Provides the dynamic host to the tests of the surrounding `describe` block, for calls that send no request. */
export function useHost(): { readonly current: Host; readonly warnings: readonly string[] } {
  const used = {} as { current: Host; warnings: string[] };
  let restore: () => void;
  before(() => {
    const restoreEnvironment = withoutEnvironment();
    const { lines, restore: restoreConsole } = captureWarnings();
    Object.assign(used, { current: hostWith(withoutServer), warnings: lines });
    restore = () => {
      restoreConsole();
      restoreEnvironment();
    };
  });
  after(() => restore());
  return used;
}

const withoutServer = {
  baseUrl: "http://127.0.0.1:1",
  obsBaseUrl: "http://127.0.0.1:1",
  organizationId: "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10",
  serviceId: "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59",
  keyId: "key-id-93b1",
  keySecret: "key-secret-4f1d0c9b7a",
  accessToken: "access-token-81c3e5f2d6",
};

type Sent = (properties: object) => unknown;

/**
 * Converts the answers of the dynamic host as the engine does: it encrypts secrets in the Pulumi state, and sends them as plain
 * values in later calls.
 */
function withPlainAnswers(methods: Host["Alert"], sent: Sent): Host["Alert"] {
  const plain = (properties?: object) => sent(properties ?? {}) as Record<string, unknown>;
  return {
    ...methods,
    async check(...args) {
      const { inputs, failures } = await methods.check(...args);
      return { inputs: plain(inputs), failures };
    },
    async create(...args) {
      const { id, outs } = await methods.create(...args);
      return { id, outs: plain(outs) };
    },
    async read(...args) {
      const { id, props, inputs } = await methods.read(...args);
      return { id, props: plain(props), ...(inputs && { inputs: plain(inputs) }) };
    },
    async update(...args) {
      return { outs: plain((await methods.update(...args)).outs) };
    },
  };
}

/** Removes the provider's variables from the environment, and returns a function that restores them. */
export function withoutEnvironment(): () => void {
  const inherited = Object.entries(process.env).filter(([name]) => name.startsWith("PIPESTACK_"));
  for (const [name] of inherited) delete process.env[name];
  return () => {
    for (const name of Object.keys(process.env)) if (name.startsWith("PIPESTACK_")) delete process.env[name];
    Object.assign(process.env, Object.fromEntries(inherited));
  };
}

export function captureWarnings(): { readonly lines: string[]; restore(): void } {
  const lines: string[] = [];
  const write = console.error;
  console.error = (...words: unknown[]) => void lines.push(words.map(String).join(" "));
  return {
    lines,
    restore() {
      console.error = write;
    },
  };
}
