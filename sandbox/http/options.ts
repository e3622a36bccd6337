import { checkFaults, type Fault } from "../core/faults/fault";
import type { RateLimit } from "../core/rateLimit";
import { type Rewrite, rewriteNames } from "../core/rewrites";
import { type Dialect, dialects, type Version, versions } from "../core/vocabulary";

const servedApis = ["both", "management", "observability"] as const;

export interface SandboxOptions {
  /** The dialect of the APIs: that of the API document (`neutral`, the default) or of ClickHouse Cloud (`clickhouse`). */
  dialect?: Dialect;
  /** The version of ClickStack that the observability server has in the dialect `clickhouse`: 2.36 or 2.46 (the default). */
  version?: Version;
  /** Which APIs the sandbox serves. Default: both. */
  apis?: (typeof servedApis)[number];
  /** Port of the sandbox's management API on 127.0.0.1, 0 to 65535. Default: 0, a free port. */
  port?: number;
  /** Port of the sandbox's observability API on 127.0.0.1, 0 to 65535. Default: 0, a free port. */
  obsPort?: number;
  /** Port of the sandbox's console on 127.0.0.1, 0 to 65535; 0 is a free port. Default: no console. */
  consolePort?: number;
  /**
   * File that keeps the sandbox's records across restarts. Read at the start if it exists; written atomically, readable by its
   * owner only, within 100 ms of a change and when the sandbox closes. Default: none.
   */
  stateFile?: string;
  /**
   * The rewrites of responses, by which these differ from requests in form but not in meaning, as with real servers. Default:
   * none.
   */
  rewrites?: Rewrite[];
  /** The rate limits per credential. Beyond these an API responds with 429. Default: none. */
  rateLimit?: { management?: RateLimit; observability?: RateLimit };
  /**
   * The milliseconds that a service of the dialect `clickhouse` takes for one change of its state: to stop, to start, to awake.
   * Its creation takes three times as long. Default: 1000.
   */
  stateMilliseconds?: number;
  /** The faults to inject into requests from the start. Default: none. */
  faults?: Fault[];
  /**
   * Whether the sandbox serves with TLS, with a certificate for 127.0.0.1 and localhost created at the start. Default: false.
   */
  tls?: boolean;
}

/**
 * Checks the options of a sandbox.
 *
 * @throws TypeError that names the option and its rule
 */
export function checkOptions(options: SandboxOptions): void {
  const { port = 0, obsPort = 0, consolePort = 0, stateFile, rewrites = [], rateLimit = {} } = options;
  for (const [name, value] of Object.entries({ port, obsPort, consolePort })) {
    if (!Number.isInteger(value) || value < 0 || value > 65535) {
      throw new TypeError(`${name} must be an integer from 0 to 65535`);
    }
  }
  const { dialect = "neutral", apis = "both" } = options;
  if (!dialects.includes(dialect)) throw new TypeError(`dialect must be one of ${dialects.join(", ")}`);
  if (options.version !== undefined && !versions.includes(options.version))
    throw new TypeError(`version must be one of ${versions.join(", ")}`);
  if (options.version !== undefined && dialect === "neutral")
    throw new TypeError("version needs the dialect clickhouse");
  if (!servedApis.includes(apis)) throw new TypeError(`apis must be one of ${servedApis.join(", ")}`);
  const fixedPorts = [port, obsPort, consolePort].filter((number) => number !== 0);
  if (new Set(fixedPorts).size < fixedPorts.length) {
    throw new TypeError("port, obsPort and consolePort must differ");
  }
  if (stateFile !== undefined && (typeof stateFile !== "string" || stateFile === "")) {
    throw new TypeError("stateFile must be the path of a file");
  }
  const { stateMilliseconds = 0 } = options;
  if (!Number.isInteger(stateMilliseconds) || stateMilliseconds < 0)
    throw new TypeError("stateMilliseconds must be a whole number from 0");
  if (options.faults !== undefined) checkFaults(options.faults);
  for (const rewrite of rewrites) {
    if (!rewriteNames.includes(rewrite)) {
      throw new TypeError(`rewrites must be among ${rewriteNames.join(", ")}`);
    }
  }
  for (const [api, limit] of Object.entries(rateLimit)) {
    if (limit && !(limit.requests > 0 && limit.seconds > 0)) {
      throw new TypeError(`rateLimit.${api}: requests and seconds must be greater than 0`);
    }
  }
}
