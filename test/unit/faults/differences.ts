import { isDeepStrictEqual } from "node:util";
import { resources, type TypeName } from "../../../provider/resources/registry";
import { annotationsOf, schemaAt } from "../../../provider/values/schema";
import type { Declared } from "../../promises/account";
import type { Data } from "../../promises/store";
import { examples } from "../resources/examples";

/** Lists the declared properties that a record of the sandbox lacks or has with another value. */
export function differencesOf({ type, args }: Declared, record: Data): string[] {
  const { inputs } = resources[type as TypeName];
  const declared = examples[type as TypeName].asDeclared?.(record) ?? record;
  return Object.keys(inputs.properties)
    .filter((name) => args[name] !== undefined && annotationsOf(schemaAt(inputs, name)).sent === undefined)
    .filter((name) => !isDeepStrictEqual(declared[name], args[name]));
}
