import { nameIn } from "../../provider/engine/names";
import { wishedState } from "../../provider/resources/pipe/pipeStates";
import type { DeclarableName } from "../../provider/resources/registry";
import type { PropertyMap } from "../../provider/values/data";
import { isEverywhere } from "../../provider/values/network";
import { counted, firstOf } from "../../provider/values/wording";

/** What an object of the program has that the program does not declare, and that somebody should know. It is no drift. */
export interface Undeclared {
  readonly urn: string;
  readonly type: DeclarableName;
  readonly name: string;
  /** The finding in words, such as `1 address that no program declares: 203.0.113.9`. */
  readonly finding: string;
}

interface Declared {
  readonly urn: string;
  readonly type: DeclarableName;
  /** The inputs that the program declares. */
  readonly inputs: PropertyMap;
  /** The outputs as the service shows them now. */
  readonly outputs: PropertyMap;
}

/**
 * Finds who else may reach a service or its query endpoint, and pipes that somebody has stopped although the program does not
 * declare in which state they shall be.
 */
export function undeclaredIn(resources: readonly Declared[]): readonly Undeclared[] {
  return resources.flatMap(({ urn, type, inputs, outputs }) => {
    const finding = findings[type]?.(inputs, outputs);
    return finding === undefined ? [] : [{ urn, type, name: nameIn(urn), finding }];
  });
}

export const undeclaredLine = ({ type, name, finding }: Undeclared): string => `${type} ${name}: ${finding}`;

const findings: {
  readonly [Type in DeclarableName]?: (inputs: PropertyMap, outputs: PropertyMap) => string | undefined;
} = {
  Service: (_inputs, { otherAddresses }) => {
    const addresses = textsIn(otherAddresses);
    const open = addresses.filter(isEverywhere);
    return others("address", [...open, ...addresses.filter((address) => !isEverywhere(address))]);
  },
  QueryEndpoint: (_inputs, { otherKeys }) => others("key", textsIn(otherKeys)),
  Pipe: ({ state }, { status }) =>
    state === undefined && wishedState(status) === "stopped"
      ? `it is ${String(status)}, and the program declares no state`
      : undefined,
};

const textsIn = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];

/** Maximum number of addresses or keys that a finding names. */
const mostNamed = 10;

function others(noun: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `${counted(names.length, noun)} that no program declares: ${firstOf(names, mostNamed)}`;
}
