import { checkFaults, type Fault } from "./faults/fault";
import type { RateLimit } from "./rateLimit";
import { type Rewrite, rewriteNames } from "./rewrites";
import { type Dialect, dialects } from "./words";

/** Which APIs a sandbox serves. */
const servedApis = ["both", "management", "observability"] as const;

export interface SandboxOptions {
  /** Whose words the sandbox speaks: `neutral` (default) those of the API document, `clickhouse` those of the product. */
  dialect?: Dialect;
  /** Which APIs it serves. Default: both. */
  apis?: (typeof servedApis)[number];
  /** Port of the management API on 127.0.0.1, 0 to 65535. Default 0: the system chooses a free one. */
  port?: number;
  /** Port of the observability API on 127.0.0.1, 0 to 65535. Default 0: the system chooses a free one. */
  obsPort?: number;
  /** Port of the console on 127.0.0.1, 0 to 65535; 0 is a free one. Default: no console. */
  consolePort?: number;
  /**
   * File that keeps the store over restarts: read at the start if it exists, written (atomically, readable by
   * its owner only) within a tenth of a second after a change and when the sandbox closes. Default: none.
   */
  stateFile?: string;
  /** Ways in which answers say the same in other words. Default: none. */
  rewrites?: Rewrite[];
  /** Limits per credential, after which an API answers 429. Default: none. */
  rateLimit?: { management?: RateLimit; observability?: RateLimit };
  /** What goes wrong, for which calls. Default: nothing. */
  faults?: Fault[];
  /** Serves with TLS, under a certificate for 127.0.0.1 and localhost that is made at the start. Default: false. */
  tls?: boolean;
}

/** Throws a TypeError that names the option and what it takes. */
export function checkOptions(options: SandboxOptions): void {
  const { port = 0, obsPort = 0, consolePort = 0, stateFile, rewrites = [], rateLimit = {} } = options;
  for (const [name, value] of Object.entries({ port, obsPort, consolePort })) {
    if (!Number.isInteger(value) || value < 0 || value > 65535) {
      throw new TypeError(`${name} must be an integer from 0 to 65535`);
    }
  }
  const { dialect = "neutral", apis = "both" } = options;
  if (!dialects.includes(dialect)) throw new TypeError(`dialect must be one of ${dialects.join(", ")}`);
  if (!servedApis.includes(apis)) throw new TypeError(`apis must be one of ${servedApis.join(", ")}`);
  const fixedPorts = [port, obsPort, consolePort].filter((number) => number !== 0);
  if (new Set(fixedPorts).size < fixedPorts.length) {
    throw new TypeError("port, obsPort and consolePort must differ");
  }
  if (stateFile !== undefined && (typeof stateFile !== "string" || stateFile === "")) {
    throw new TypeError("stateFile must be the path of a file");
  }
  if (options.faults !== undefined) checkFaults(options.faults);
  for (const rewrite of rewrites) {
    if (!rewriteNames.includes(rewrite)) {
      throw new TypeError(`rewrites must be from ${rewriteNames.join(", ")}`);
    }
  }
  for (const [api, limit] of Object.entries(rateLimit)) {
    if (limit && !(limit.requests > 0 && limit.seconds > 0)) {
      throw new TypeError(`rateLimit.${api}: requests and seconds must be numbers above 0`);
    }
  }
}
