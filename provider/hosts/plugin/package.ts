import type { FunctionDefinition } from "../../lifecycle/function";
import type { Resource } from "../../lifecycle/resource";

/** What the plugin offers. */
export interface Package {
  readonly resources: { readonly [type: string]: Resource };
  readonly functions: { readonly [name: string]: FunctionDefinition };
}
