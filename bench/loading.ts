import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Bench } from "./bench";
import { median, rounded } from "./figures";

/** Milliseconds to load the package in a fresh process, and of the host's first calls. */
export interface LoadingResult {
  rounds: number;
  /** `pipestack`, in a program that has already loaded `@pulumi/pulumi`. */
  program: Loading;
  /** `pipestack/host`, in the dynamic provider host. */
  host: Loading & { firstCall?: number; secondCall?: number };
}

interface Loading {
  /** Loading the SDK beforehand. */
  sdk?: number;
  /** Loading the package afterwards. */
  own?: number;
  modules?: number;
  axios: boolean;
  ajv: boolean;
}

interface Output {
  sdk: { milliseconds: number };
  own: { milliseconds: number; modules: number };
  axios: boolean;
  ajv: boolean;
  firstCall?: number;
  secondCall?: number;
}

export async function measureLoading(bench: Bench): Promise<LoadingResult> {
  const rounds = bench.quick ? 3 : 15;
  bench.tell(`loading, ${rounds} rounds`);
  const { environment } = await bench.sandbox.start();
  const outputs: Record<"program" | "host", Output[]> = { program: [], host: [] };
  for (let round = 0; round < rounds; round++) {
    for (const what of ["program", "host"] as const) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [join(__dirname, "loadTime.cjs"), what],
        {
          cwd: bench.project.folder,
          env: { ...process.env, ...environment },
        },
      );
      outputs[what].push(JSON.parse(stdout));
    }
  }
  const loading = (of: Output[]): Loading => ({
    sdk: rounded(median(of.map(({ sdk }) => sdk.milliseconds))),
    own: rounded(median(of.map(({ own }) => own.milliseconds))),
    modules: of[0]?.own.modules,
    axios: of.some(({ axios }) => axios),
    ajv: of.some(({ ajv }) => ajv),
  });
  return {
    rounds,
    program: loading(outputs.program),
    host: {
      ...loading(outputs.host),
      firstCall: rounded(median(outputs.host.map(({ firstCall }) => firstCall))),
      secondCall: rounded(median(outputs.host.map(({ secondCall }) => secondCall))),
    },
  };
}
