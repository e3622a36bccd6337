import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import { nameIn } from "../../engine/names";
import { withDefaultName } from "../../lifecycle/check";
import type { Definition } from "../../lifecycle/resource";
import type { Data } from "../../values/data";
import type { Failure } from "../../values/validate";
import type { Received } from "./values";

const { DISABLE } = CheckRequest.AutonamingOptions.Mode;

/**
 * Arguments with a name for an object whose program leaves it out: that of its resource, or the one that the stack's
 * configuration `pulumi:autonaming` makes. A proposed name may be new at each check, so an object keeps the one that it has.
 *
 * @param olds the inputs in state; empty for a new resource and for a replacement
 */
export function withAutomaticName(
  resource: Pick<Definition, "namedBy">,
  request: CheckRequest,
  olds: Received,
  declared: Data,
): { readonly declared: Data; readonly failures: readonly Failure[] } {
  const { namedBy } = resource;
  const autonaming = request.getAutonaming();
  const named = (name: string) => withDefaultName(resource, name, declared);
  if (!autonaming || !namedBy || (declared[namedBy] ?? undefined) !== undefined)
    return { declared: named(nameIn(request.getUrn())), failures: [] };
  if (autonaming.getMode() === DISABLE) {
    const message = "is required, since pulumi:autonaming disables automatic names";
    return { declared: named(nameIn(request.getUrn())), failures: [{ path: namedBy, message }] };
  }
  const formerName = olds.data[namedBy];
  return {
    declared: named(typeof formerName === "string" ? formerName : autonaming.getProposedName()),
    failures: [],
  };
}
