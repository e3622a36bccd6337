import { type OperationName, operations } from "../../../provider/api/operations";
import { resources, typeNames } from "../../../provider/resources/registry";

/** The operations by which a command lists objects if the settings allow documented ones only. */
export function documentedLists(): OperationName[] {
  return typeNames
    .map((type) => resources[type].operations.list)
    .filter((list) => list !== undefined)
    .filter((list) => operations[list].documented);
}
