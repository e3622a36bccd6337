import { isOutputMember } from "../../hosts/dynamic/tileIds";
import type { Language } from "./language";
import { printValue, quoted } from "./print";

/** TypeScript, with the package that has this name. */
export function typescript(packageName: string): Language {
  return {
    file: "index.ts",
    opening(comment, hasSecrets) {
      const modules = { [packageName]: "pipestack", ...(hasSecrets && { "@pulumi/pulumi": "pulumi" }) };
      // As linters sort them.
      const imports = Object.entries(modules)
        .sort()
        .map(([from, name]) => `import * as ${name} from ${quoted(from)};\n`);
      const configuration = hasSecrets ? "\nconst config = new pulumi.Config();\n" : "";
      return `// ${comment}\n${imports.join("")}${configuration}`;
    },
    secret: (key) => `config.requireSecret(${quoted(key)})`,
    nameOf: (name) => name,
    constant: (name, text) => `const ${name} = ${quoted(text)};\n`,
    tileId(variable, tile) {
      const member = /^[A-Za-z_$][\w$]*$/.test(tile) ? `.${tile}` : `[${quoted(tile)}]`;
      return isOutputMember(tile)
        ? `${variable}.tileIds.apply((ids) => ids${member} ?? "")`
        : `${variable}.tileIds${member}`;
    },
    resource({ type, name, variable }, args, isReferredTo) {
      const start = isReferredTo ? `const ${variable} = ` : "";
      return `${start}new pipestack.${type}(${quoted(name)}, ${printValue(args)});\n`;
    },
  };
}
