import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";

describe("The list of messages", () => {
  let messagesIn: (folder: string) => readonly { readonly place: string; readonly text: string }[];
  before(async () => {
    ({ messagesIn } = await import("../../../toolchain/messages.mjs"));
  });

  it("the list has each text of two words and more, with its values and alternatives, and no code", async () => {
    const folder = await mkdtemp(join(tmpdir(), "messages-"));
    try {
      await writeFile(
        join(folder, "a.ts"),
        [
          'import { one } from "a module";',
          'type Kind = "saved search";',
          'const fail = (path: string) => ({ path, message: "is required" });',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
          "throw new Error(`${name} has ${isOne ? `no more than ${count}` : \"no\"} tile; ${advice('remove the others')}`);",
          'query("SELECT count() FROM logs WHERE a and b"); get("name");',
        ].join("\n"),
      );
      expect(messagesIn(folder).map(({ place, text }) => [place.split(":").at(-1), text])).to.deep.equal([
        ["3", "is required"],
        ["4", "{name} has (no more than {count} | no) tile; {advice('remove the others')}"],
        ["4", "remove the others"],
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("the list has the messages of the provider: of settings, of requests and of rules", () => {
    const texts = messagesIn("provider").map(({ text }) => text);
    expect(texts).to.include.members([
      "is required",
      "the server gave no reason",
      "conflicts with scheduleStartAt",
    ]);
    expect(texts.length).to.be.above(600);
  });
});
