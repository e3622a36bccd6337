import { isOutputMember } from "../../provider/engine/outputMembers";
import type { Language, Uses } from "./language";
import { longestLine, printValue, quotedText } from "./print";

/** Generates programs in TypeScript that import the package with the given name. */
export function typescript(packageName: string): Language {
  const declaration = (variable: string, isShared: boolean) =>
    `${isShared ? "export " : ""}const ${variable} = `;
  return {
    file: "index.ts",
    fileOf: (module) => `${module}.ts`,
    opening(comment, uses, hasSecrets) {
      const modules = { [packageName]: "pipestack", ...(hasSecrets && { "@pulumi/pulumi": "pulumi" }) };
      // Import statements are sorted as linters for TypeScript sort them.
      const imports = Object.entries(modules)
        .sort()
        .map(([from, name]) => `import * as ${name} from ${quotedText(from)};\n`);
      const configuration = hasSecrets ? "\nconst config = new pulumi.Config();\n" : "";
      return `// ${comment}\n${imports.join("")}${importsOf(uses)}${configuration}`;
    },
    runs: (comment, modules) =>
      `// ${comment}\n${modules.map((module) => `import ${quotedText(`./${module}`)};\n`).join("")}`,
    secret: (key) => `config.requireSecret(${quotedText(key)})`,
    nameOf: (name) => name,
    constant: (name, text, isShared) => `${declaration(name, isShared)}${quotedText(text)};\n`,
    lookup(variable, { call, member }, args, isShared) {
      const start = `${declaration(variable, isShared)}pipestack`;
      if (member === undefined) return `${start}.${call}Output(${printValue(args)});\n`;
      const found = `${call}Output(${printValue(args, "  ")})`;
      return `${start}\n  .${found}\n  .apply(({ ${member} }) => ${member} ?? "");\n`;
    },
    tileId(variable, tile) {
      const member = /^[A-Za-z_$][\w$]*$/.test(tile) ? `.${tile}` : `[${quotedText(tile)}]`;
      return isOutputMember(tile)
        ? `${variable}.tileIds.apply((ids) => ids${member} ?? "")`
        : `${variable}.tileIds${member}`;
    },
    resource({ type, name, variable }, args, use) {
      const start = use === "none" ? "" : declaration(variable, use === "shared");
      return `${start}new pipestack.${type}(${quotedText(name)}, ${printValue(args)});\n`;
    },
  };
}

/** The import statements of a generated file, sorted as linters sort them, on one line if that is short enough. */
function importsOf(uses: Uses): string {
  return [...uses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, used]) => {
      const names = [...used].sort(new Intl.Collator("en", { numeric: true }).compare);
      const line = `import { ${names.join(", ")} } from ${quotedText(`./${module}`)};\n`;
      if (line.length <= longestLine + 1) return line;
      return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from ${quotedText(`./${module}`)};\n`;
    })
    .join("");
}
