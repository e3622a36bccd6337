import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { withTexts } from "../../../provider/hosts/files";
import { resources } from "../../../provider/resources/registry";
import { isUnknown } from "../../../provider/values/unknown";

const asset = (members: object) => ({
  "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17",
  hash: "0",
  ...members,
});

describe("SQL that a program reads from a file", () => {
  const schema = resources.SavedQuery.inputs;
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "pipestack-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  const fileOf = (content: string | Buffer) => {
    const path = join(folder, "query.sql");
    writeFileSync(path, content);
    return asset({ path });
  };

  for (const [what, declared, text] of [
    ["a file", () => fileOf("SELECT 'é'\n"), "SELECT 'é'\n"],
    ["a file with a byte order mark", () => fileOf("\uFEFFSELECT 1"), "SELECT 1"],
    ["an empty text, of which the engine sends nothing", () => asset({}), ""],
  ] as const)
    it(`SQL that a program declares as a Pulumi asset becomes the text of ${what}`, () => {
      const { data, failures } = withTexts(schema, { name: "a", sql: declared() });
      expect([data, failures]).to.deep.equal([{ name: "a", sql: text }, []]);
    });

  for (const [what, declared, message] of [
    [
      "that is not there",
      () => asset({ path: "gone.sql" }),
      /^the file gone.sql in \/.* cannot be read \(ENOENT\)$/,
    ],
    ["that is no text", () => fileOf(Buffer.from([0xff, 0xfe, 0x00])), /^the file \/.* is not UTF-8 text$/],
    [
      "at another address",
      () => asset({ uri: "https://a.example/q.sql" }),
      /^must be a text or a local file/,
    ],
  ] as const)
    it(`the provider refuses SQL from a Pulumi asset whose file it cannot use: a file ${what}`, () => {
      const { data, failures } = withTexts(schema, { sql: declared() });
      expect(isUnknown(data.sql)).to.equal(true);
      expect(failures.map(({ path }) => path)).to.deep.equal(["sql"]);
      expect(failures[0]?.message).to.match(message);
    });

  it("an asset is not replaced by its text in a property that is not SQL", () => {
    const name = asset({ text: "a" });
    expect(withTexts(schema, { name })).to.deep.equal({ data: { name }, failures: [] });
  });
});
