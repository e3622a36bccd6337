import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { transformSync } from "esbuild";
import { loaderOf } from "./loader";
import { MemoryBoard } from "./world/board";
import { MemoryEngineClient } from "./world/engineClient";
import { transportWith } from "./world/transport";

/**
 * A replacement of a text in the source of one provider module, to break the provider on purpose. The text must occur exactly
 * once, or at least once for a global expression.
 */
export interface Patch {
  /** The path of the patched module from `provider/`, without `.ts`, such as `../cli/shared/secrets`. */
  readonly module: string;
  readonly text: string | RegExp;
  readonly instead: string;
}

export interface Provider {
  readonly host: typeof import("../../provider/hosts/dynamic/host");
  readonly claims: typeof import("../../provider/hosts/ownership/claims");
  readonly service: typeof import("../../provider/hosts/plugin/pluginService");
  readonly engineLog: typeof import("../../provider/hosts/plugin/engineLog");
  readonly definition: typeof import("../../provider/lifecycle/definition");
  readonly resource: typeof import("../../provider/lifecycle/resource");
  readonly registry: typeof import("../../provider/resources/registry");
  readonly session: typeof import("../../provider/lifecycle/session");
  readonly read: typeof import("../../provider/lifecycle/read");
  readonly imports: typeof import("../../cli/shared/secrets");
  readonly orphans: typeof import("../../cli/orphans/command");
  /** The terminal, environment variables and files with which the simulation runs `pipestack orphans`. */
  readonly terminal: Terminal;
}

export interface Terminal {
  environment: { readonly [name: string]: string };
  files: (name: string) => string;
  print: (text: string) => void;
  note: (text: string) => void;
}

/**
 * Replaces Node's `AsyncLocalStorage` in the simulation: each instance of it slows down all later promises, and no simulated
 * history needs its values.
 */
class NoContext {
  run<Result>(_context: unknown, step: () => Result): Result {
    return step();
  }

  getStore(): undefined {
    return undefined;
  }
}

const checkout = resolve(__dirname, "../..");
const folder = join(checkout, "provider");

/**
 * Loads the provider anew for the simulation, so that state kept in its modules begins empty, and applies the given patches.
 * @throws if a patch does not apply
 */
export function loadProvider(patches: readonly Patch[] = []): Provider {
  const open = new Set(patches);
  const terminal: Terminal = { environment: {}, files: () => "", print: () => {}, note: () => {} };
  const load = loaderOf({
    folder: checkout,
    globals: {
      process: Object.create(process, { env: { get: () => terminal.environment } }),
      console: {
        log: (text: string) => terminal.print(text),
        error: (text: string) => terminal.note(text),
      },
    },
    sourceOf(file) {
      const own = patches.filter(({ module }) => module === pathOf(file));
      for (const patch of own) open.delete(patch);
      return patched(readFileSync(file, "utf8"), own);
    },
    substitute(name, file) {
      if (name === "./transport") return transportWith(at("api/transportFailures"));
      if (name === "../ownership/board") return { FolderBoard: MemoryBoard };
      if (name.endsWith("/engine_grpc_pb")) return { EngineClient: MemoryEngineClient };
      if (name === "node:async_hooks" && pathOf(file) === "hosts/plugin/engineLog")
        return { AsyncLocalStorage: NoContext };
      if (name === "node:fs/promises") return { readFile: async (path: string) => terminal.files(path) };
      return undefined;
    },
  });
  const at = (path: string) => load(join(folder, `${path}.ts`)) as never;
  const provider = {
    host: at("hosts/dynamic/host"),
    claims: at("hosts/ownership/claims"),
    service: at("hosts/plugin/pluginService"),
    engineLog: at("hosts/plugin/engineLog"),
    definition: at("lifecycle/definition"),
    resource: at("lifecycle/resource"),
    registry: at("resources/registry"),
    session: at("lifecycle/session"),
    read: at("lifecycle/read"),
    imports: at("../cli/shared/secrets"),
    orphans: at("../cli/orphans/command"),
    terminal,
  };
  at("api/client");
  for (const { module } of open) throw new Error(`the provider has no module ${module} to be patched`);
  return provider;
}

function pathOf(file: string): string {
  return relative(folder, file).slice(0, -".ts".length);
}

/**
 * Applies patches to the texts of the provider's modules, without loading these.
 * @throws if a patch does not apply, or leaves a text that no compiler reads
 */
export function applyToTexts(patches: readonly Patch[]): void {
  for (const module of new Set(patches.map((patch) => patch.module))) {
    const own = patches.filter((patch) => patch.module === module);
    transformSync(patched(readFileSync(join(folder, `${module}.ts`), "utf8"), own), { loader: "ts" });
  }
}

function patched(source: string, patches: readonly Patch[]): string {
  return patches.reduce((text, { module, text: wanted, instead }) => {
    const parts = text.split(wanted);
    const isAnywhere = wanted instanceof RegExp && wanted.global && parts.length > 1;
    if (parts.length !== 2 && !isAnywhere)
      throw new Error(`${module} has ${parts.length - 1} places for a patch: ${wanted}`);
    return parts.join(instead);
  }, source);
}
