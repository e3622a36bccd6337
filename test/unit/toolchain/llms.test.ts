import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { functions } from "../../../provider/functions/registry";
import { typeNames } from "../../../provider/resources/registry";

describe("The file llms.txt", () => {
  const checkout = join(__dirname, "..", "..", "..");

  it("llms.txt is up to date (node toolchain/llms.mjs writes it), and has each type, function and page", async () => {
    const { llmsText } = await import("../../../toolchain/llms.mjs");
    const text = llmsText();
    expect(readFileSync(join(checkout, "llms.txt"), "utf8")).to.equal(text);
    for (const name of [...typeNames, ...Object.keys(functions)])
      expect(text).to.match(RegExp(`^- ${name}: .+\\.$`, "m"));
    expect(text).to.include("`node_modules/pipestack/dist/reference/<Name>.md`");
    expect(text)
      .to.include("](docs/README.md)")
      .and.include("](docs/drift.md): ")
      .and.include("](SECURITY.md): ");
  });
});
