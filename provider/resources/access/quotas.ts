import { Interrupted } from "../../api/errors";
import type { Answer } from "../../api/operations";
import type { Definition } from "../../lifecycle/definition";
import type { Checked } from "../../lifecycle/life";
import { perSession, type Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";
import { plural } from "../../values/wording";

interface Known {
  readonly quotas: Promise<Answer<"getQuotas">>;
  /** The number of objects that the program adds, by the code of the quota for which they count. */
  readonly added: Map<string, number>;
}

/** What a session knows of each organization, by its id. */
const knownIn = perSession(() => new Map<string, Known>());

/**
 * Warns, in a preview, of a program that adds more objects than the organization may still have. All resources of a session share one
 * request. Where the quotas cannot be read, the service decides.
 *
 * @param olds the inputs in the Pulumi state, empty for a new resource
 */
export async function warnOfQuota(
  code: `${"services" | "postgres-services" | "api-keys"}-per-organization`,
  { type, noun }: Pick<Definition, "type" | "noun">,
  olds: PropertyMap,
  { failures, inputs: { organizationId: id, adoptId } }: Checked,
  session: Session,
): Promise<void> {
  const isNew = Object.keys(olds).length === 0 && adoptId === undefined && failures.length === 0;
  if (!isNew || session.hasWritten || session.isOffline || typeof id !== "string") return;
  if (session.settings.dialect !== "clickhouse") return;
  const { quotas, added } = knownOf(id, session);
  const count = (added.get(code) ?? 0) + 1;
  added.set(code, count);
  const { value, usage, adjustable } = (await quotas).find(({ quotaCode }) => quotaCode === code) ?? {};
  if (typeof value !== "number" || typeof usage !== "number" || usage + count <= value) return;
  session.warnOnce(
    `${type}: this update creates more ${plural(noun)} than the organization may still have: ${usage} of ${value} are in use (quota ${code}); delete some first${adjustable === true ? ", or ask ClickHouse's support for more" : ""}`,
  );
}

function knownOf(organizationId: string, session: Session): Known {
  const all = knownIn(session);
  const known = all.get(organizationId) ?? {
    added: new Map(),
    quotas: session.call("getQuotas", { organizationId }).catch((error) => {
      if (error instanceof Interrupted) throw error;
      return [];
    }),
  };
  all.set(organizationId, known);
  return known;
}
