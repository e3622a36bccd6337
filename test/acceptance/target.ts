import type { RateLimit } from "../../provider/api/dialect";
import type { Api } from "../productJudge";

/** The real server on which an acceptance run tries the resource types. */
export interface Target {
  /** The addresses of the APIs that the run uses. Either the management API serves dashboards and alerts, or a HyperDX server. */
  readonly addresses: { readonly [api in Api]?: string };
  readonly organizationId?: string;
  readonly serviceId?: string;
  /** The id and secret of an API key, as in Basic authentication. */
  readonly key?: string;
  /** The access keys of one or more users of a HyperDX server. Each has a rate of its own. */
  readonly accessTokens: readonly string[];
  /** How often a key may send requests; without a rate as often as it can. */
  readonly rates: { readonly [api in Api]?: RateLimit };
  /** The version of a HyperDX server; undefined for ClickHouse Cloud. */
  readonly version?: string;
  /** Whether the run may create what is billed. */
  readonly isBilled: boolean;
  /** The folder of the ledgers, and the beginning of the names of this run's objects. */
  readonly folder: string;
  readonly prefix: string;
}

/** Returns the organization of a target, or the address of a server that has none: whose name a user gives on the command line. */
export function nameOf({ organizationId, addresses }: Target): string {
  return organizationId ?? addresses.observability ?? "";
}
