import path from "node:path";

const provider = path.join(__dirname, "..", "..", "..", "..", "provider") + path.sep;

/**
 * A module of the provider as a new process has it: once settings have been read, a loaded one keeps them. The cache is
 * left as it was, so that all other tests share one set of classes.
 */
function fresh<Module>(name: string): Module {
  const loaded = takeFromCache();
  try {
    return require(provider + name) as Module;
  } finally {
    takeFromCache();
    Object.assign(require.cache, loaded);
  }
}

function takeFromCache(): NodeJS.Dict<NodeJS.Module> {
  const own = Object.entries(require.cache).filter(([file]) => file.startsWith(provider));
  for (const [file] of own) delete require.cache[file];
  return Object.fromEntries(own);
}

export type Host = typeof import("../../../../provider/host");
export type ResourceType = keyof Host;
/** Raw settings by name, such as `baseUrl`. */
export type RawSettings = { readonly [name: string]: string | undefined };

/** The face of the provider that the engine's host calls, with settings from stack configuration or with whole keys. */
export function freshHost(settings: RawSettings): Host {
  const host = fresh<Host>("host");
  const values = new Map(
    Object.entries(settings).map(([name, value]) => [name.includes(":") ? name : `pipestack:${name}`, value]),
  );
  const get = (key: string) => values.get(key);
  const require = (key: string) => {
    throw new Error(`nothing here requires ${key}`);
  };
  // All types share one session, as in a host process.
  host.Alert.configure?.({ config: { get, require } });
  return Object.fromEntries(
    Object.entries(host).map(([type, handlers]) => [type, withPlainInputs(handlers)]),
  ) as Host;
}

/** The engine encrypts what the check calls a secret, and hands it to the other methods as plain text. */
function withPlainInputs(handlers: Host["Alert"]): Host["Alert"] {
  const signature = "4dabf18193072939515e22adb298388d";
  const plain = ([name, value]: [string, unknown]) => {
    const secret = value as { [signature]?: string; value: unknown } | null | undefined;
    return [name, secret?.[signature] ? secret.value : value] as const;
  };
  return {
    ...handlers,
    async check(...args) {
      const { inputs, failures } = (await handlers.check?.(...args)) ?? {};
      return { inputs: Object.fromEntries(Object.entries(inputs ?? {}).map(plain)), failures };
    },
  };
}

/** The face of the provider that programs import. */
export function freshIndex(): typeof import("../../../../provider") {
  return fresh("index");
}

/** Takes the provider's variables out of the environment, and returns a function that puts them back. */
export function withoutEnvironment(): () => void {
  const own = Object.entries(process.env).filter(([name]) => name.startsWith("PIPESTACK_"));
  for (const [name] of own) delete process.env[name];
  return () => {
    for (const name of Object.keys(process.env)) if (name.startsWith("PIPESTACK_")) delete process.env[name];
    Object.assign(process.env, Object.fromEntries(own));
  };
}

/** Keeps what is written as warning or error, until `restore` is called. */
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
