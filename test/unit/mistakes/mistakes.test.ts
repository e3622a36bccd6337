import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { accessMistakes } from "./access";
import { commandMistakes } from "./commands";
import { type Area, World } from "./mistake";
import { networkMistakes } from "./network";
import { objectMistakes } from "./objects";
import { propertyMistakes } from "./properties";
import { settingMistakes } from "./settings";

const document = join(__dirname, "../../../docs/troubleshooting.md");

// The tests remove the provider's variables from the environment, so the test reads PIPESTACK_WRITE_GOLDEN before that.
const isWriting = Boolean(process.env.PIPESTACK_WRITE_GOLDEN);

const areas: readonly Area[] = [
  settingMistakes,
  accessMistakes,
  networkMistakes,
  propertyMistakes,
  objectMistakes,
  commandMistakes,
];

/** Matches a row of docs/troubleshooting.md: the message, the mistake, and the remedy. */
const rowPattern = /^\| (`.*`) \| (.+) \| (.+) \|$/gm;

/** Reads the users' mistakes in a section of docs/troubleshooting.md, with their messages. */
function rowsOf(title: string): Map<string, string> {
  const [, section = ""] = readFileSync(document, "utf8").split(`\n## ${title}\n`);
  const [own = ""] = section.split("\n## ");
  return new Map([...own.matchAll(rowPattern)].map(([, message = "", made = ""]) => [made, message]));
}

function write(mistake: string, message: string): void {
  const changed = readFileSync(document, "utf8").replace(rowPattern, (row, _told, made, remedy) =>
    made === mistake ? `| ${message} | ${made} | ${remedy} |` : row,
  );
  writeFileSync(document, changed);
}

function asCode(text: string): string {
  if (text.includes("`")) throw new Error(`no message has backticks, but: ${text}`);
  return `\`${text.replaceAll("|", "\\|")}\``;
}

describe("The mistakes in docs/troubleshooting.md", () => {
  let restoreEnvironment: () => void;

  before(() => {
    restoreEnvironment = withoutEnvironment();
  });
  after(() => restoreEnvironment());

  it("docs/troubleshooting.md has a section for each area of mistakes, and no other", () => {
    const titles = [...readFileSync(document, "utf8").matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles).to.deep.equal(areas.map(({ title }) => title));
  });

  for (const { title, mistakes } of areas) {
    const rows = rowsOf(title);

    it(`docs/troubleshooting.md has exactly the mistakes of the tests under "${title}"`, () => {
      expect([...rows.keys()]).to.deep.equal(Object.keys(mistakes));
    });

    for (const [made, play] of Object.entries(mistakes))
      it(`docs/troubleshooting.md shows the message of at most three lines about the mistake: ${made}`, () =>
        World.use(async (world) => {
          const told = world.constant(await play(world));
          const lines = told.split("\n");
          const message = lines.map(asCode).join("<br>");
          if (isWriting) write(made, message);
          else expect(message).to.equal(rows.get(made));
          expect(told).to.not.match(/^\s+at /m);
          expect(lines).to.have.length.below(4);
        }));
  }
});
