import type { TypeName } from "../../resources/registry";

/** Types whose objects may exist without any state's holding them, those first that refer to others. */
export const orphanTypes = ["Alert", "Dashboard", "QueryEndpoint", "ApiKey"] as const satisfies TypeName[];

export type OrphanType = (typeof orphanTypes)[number];
