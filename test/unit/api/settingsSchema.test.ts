import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import {
  environmentVariable,
  type SettingName,
  secretSettings,
  settingNames,
  settingSchema,
} from "../../../provider/api/settingsSchema";

describe("The documentation of settings", () => {
  /** The documents' table of provider settings, made of the schema's docstrings, defaults and environment variables. */
  const table = [
    "| setting (`pipestack:…`) | environment | secret | default | what it is |",
    "|---|---|---|---|---|",
    ...documentedSettings().map(({ name, text, byDefault }) => {
      const secret = secretSettings.includes(name) ? "yes" : "";
      return `| \`${name}\` | \`${environmentVariable(name)}\` | ${secret} | ${byDefault} | ${text} |`;
    }),
  ].join("\n");

  it("the documents have the table of settings that follows from the schema (npm run golden writes it)", () => {
    const root = join(__dirname, "../../..");
    const documents = readdirSync(join(root, "docs")).filter((file) => file.endsWith(".md"));
    const shown = [join(root, "README.md"), ...documents.map((file) => join(root, "docs", file))].flatMap(
      (file) => {
        const text = readFileSync(file, "utf8");
        const [found] = /^\| setting \(.*(\n\|.*)*/m.exec(text) ?? [];
        if (found && process.env.PIPESTACK_WRITE_GOLDEN)
          writeFileSync(
            file,
            text.replace(found, () => table),
          );
        return found ?? [];
      },
    );
    if (process.env.PIPESTACK_WRITE_GOLDEN) expect(shown).to.have.length(2);
    else expect(shown).to.deep.equal([table, table]);
  });

  it("the documents state the defaults of the settings", () => {
    for (const { name, byDefault } of documentedSettings()) {
      const { default: value } = settingSchema(name);
      if (value !== undefined) expect(byDefault.replaceAll("`", "")).to.equal(String(value));
    }
  });
});

function documentedSettings() {
  const file = join(__dirname, "../../../provider/api/settingsSchema.ts");
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);
  const found: { name: SettingName; text: string; byDefault: string }[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isPropertyAssignment(node) ? (node.name.getText() as SettingName) : undefined;
    const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
    if (name && comment && settingNames.includes(name)) {
      const [tag] = comment.tags ?? [];
      const oneLine = (part: string | ts.NodeArray<ts.JSDocComment> | undefined) =>
        (ts.getTextOfJSDocComment(part) ?? "").replace(/\s+/g, " ").trim();
      found.push({ name, text: oneLine(comment.comment), byDefault: oneLine(tag?.comment) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
