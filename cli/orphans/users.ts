import { referencesOf } from "../../provider/resources/dependents";
import { resources, type TypeName } from "../../provider/resources/registry";

/** A type whose objects use those of another type, by the ids in the named members, at any depth. */
interface User {
  readonly type: TypeName;
  readonly members: readonly string[];
}

const referencesOfAlerts = referencesOf(resources.Alert);

/** The types whose objects use those of a type. To those that a deletion looks for it adds alerts with charts of their own. */
export function usersOf(type: TypeName): readonly User[] {
  const users = (resources[type].dependents?.() ?? []).map(({ definition, members }): User => {
    return { type: definition.type as TypeName, members };
  });
  const inCharts = isInCharts(type) ? [...(referencesOfAlerts.get(type) ?? [])] : [];
  return inCharts.length > 0 ? [...users, { type: "Alert", members: inCharts }] : users;
}

/** Whether only the charts of inline alerts refer to objects of a type: to sources and connections. */
export function isInCharts(type: TypeName): boolean {
  return referencesOfAlerts.has(type) && resources.Alert.uses?.[type] === undefined;
}
