import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { printValue } from "../../../../cli/import/print";
import { python } from "../../../../cli/import/python";
import { node } from "../../../pipestackCommand";

const biome = require.resolve("@biomejs/biome/bin/biome");

describe("The printer of generated programs", () => {
  it("any text becomes a Python literal of the same value without split surrogate pairs", () => {
    // Python keeps the two surrogates of a pair apart, and could not send them, so the printed literal must not split a pair.
    const literal =
      /^(["'])(?:(?!\1)[^\\\n\r]|\\["'\\bfnrt]|\\u(?!d[89a-f])[0-9a-f]{4}|\\U000[ef][0-9a-f]{4})*\1$/u;
    const flagOfWales = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}";
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("\\", "'", '"', "\n", "N{A}", "x41", "udb40", flagOfWales) }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const source = python.constant("name", text, false).slice("name = ".length, -1);
        expect(source).to.match(literal);
        const inJavaScript = source.replace(/\\(?:U000(.{5})|.)/gs, (same, code) =>
          code ? `\\u{${code}}` : same,
        );
        expect(new Function(`return ${inJavaScript};`)()).to.equal(text);
      }),
    );
  });

  it("the printer of generated programs formats any value as biome does, without changing its meaning", async () => {
    const key = fc.constantFrom("name", "x", "message", "tiles", "dashboardId", "aLongerNameOfAProperty");
    const text = fc.oneof(
      fc.string(),
      fc.string({ minLength: 60, maxLength: 130 }),
      fc.constantFrom("a", "'", '"'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer({ min: 0, max: 1e6 }),
        fc.boolean(),
        fc.array(tie("leaf"), { maxLength: 5 }),
        fc.array(tie("object"), { maxLength: 3 }),
        tie("object"),
      ),
      leaf: text,
      object: fc.dictionary(key, tie("value"), { maxKeys: 5 }),
    }));
    const objects = fc.sample(fc.dictionary(key, value, { minKeys: 1, maxKeys: 6 }), 400);
    const folder = await mkdtemp(join(tmpdir(), "pipestack-print-"));
    try {
      const sources = objects.map((members) => `new Thing("a", ${printValue(members)});\n`);
      const settings = { formatter: { indentStyle: "space", indentWidth: 2, lineWidth: 100 } };
      await writeFile(join(folder, "biome.json"), JSON.stringify(settings));
      await writeFile(join(folder, "values.ts"), sources.join("\n"));
      const { code, stdout, stderr } = await node([biome, "format", "values.ts"], folder);
      expect(code, stdout + stderr).to.equal(0);
      for (const [index, source] of sources.entries()) {
        const read = new Function(`return ${source.slice('new Thing("a", '.length, -3)};`)();
        expect(read).to.deep.equal({ ...objects[index] });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
