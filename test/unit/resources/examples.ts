import { type TypeName, typeNames } from "../../../provider/resources/registry";
import type { Example } from "./example";

/** Returns the first part of the file names of a resource type, such as `apiKey` for `ApiKey`. */
export function fileNameOf(type: TypeName): string {
  return type.charAt(0).toLowerCase() + type.slice(1);
}

export const examples = Object.fromEntries(
  typeNames.map((type) => {
    const name = fileNameOf(type);
    const module: { readonly [exported: string]: Example } = require(`./${name}.example`);
    return [type, module[`${name}Example`]];
  }),
) as { readonly [Type in TypeName]: Example };
