import type { Definition } from "../../lifecycle/definition";
import type { Session } from "../../lifecycle/session";
import { declaredIn, type State } from "../../lifecycle/state";
import type { PropertyMap } from "../../values/data";
import { isEverywhere, networkOf } from "../../values/network";
import { containsUnknown } from "../../values/unknown";
import { entriesIn, otherAddressesOf, ownsAllAddresses } from "./ownedLists";

/**
 * The warnings of an `ipAccessList` without entries. It lets nobody into a new object, but an update removes the addresses of other
 * people only if the program owns the whole list.
 *
 * @param olds the inputs in the Pulumi state, absent for a new resource
 */
export function emptyListWarnings(
  type: string,
  declared: PropertyMap,
  olds: PropertyMap | undefined,
): string[] {
  const { ipAccessList, adoptId } = declared;
  if (!Array.isArray(ipAccessList) || ipAccessList.length > 0) return [];
  const isNew = olds === undefined && adoptId === undefined;
  return isNew || ownsAllAddresses(declared)
    ? [`${type}: ipAccessList: [] lets nobody in`]
    : [
        `${type}: ipAccessList: [] allows no address, and those that others have added stay; keepOtherAddresses: false removes them`,
      ];
}

/** Warns of addresses of other people that let everybody in, beside which the declared ones keep nobody out. */
export function warnOfOpen(
  resource: Pick<Definition, "inputs" | "outputs">,
  title: string,
  state: State,
  declared: PropertyMap,
  session: Session,
): void {
  const { ipAccessList } = declared;
  if (!Array.isArray(ipAccessList) || containsUnknown(ipAccessList) || ownsAllAddresses(declared)) return;
  const ours = entriesIn(declared, "ipAccessList").map(({ source }) => networkOf(String(source)));
  // A state whose program has not declared the list has the whole list as an output.
  const others = otherAddressesOf(resource, state, declared, declaredIn(resource, state));
  const { otherAddresses = [] } = { ...others, ...state } as { readonly otherAddresses?: readonly string[] };
  const open = new Set(
    otherAddresses.filter(isEverywhere).filter((source) => !ours.includes(networkOf(source))),
  );
  if (open.size > 0)
    session.warnOnce(
      `${title} lets everybody in (${[...open].join(", ")}), which the program does not declare; keepOtherAddresses: false removes it`,
    );
}
