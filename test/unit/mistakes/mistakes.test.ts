import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { accessMistakes } from "./access";
import { commandMistakes } from "./commands";
import { type Area, type Mistake, World } from "./mistake";
import { networkMistakes } from "./network";
import { objectMistakes } from "./objects";
import { propertyMistakes } from "./properties";
import { settingMistakes } from "./settings";

const document = join(__dirname, "../../../docs/troubleshooting.md");
const [begin, end] = ["<!-- messages: generated -->\n", "<!-- end of messages -->\n"];

// The tests run without any variable of the provider.
const isWriting = Boolean(process.env.PIPESTACK_WRITE_MISTAKES);

const areas: readonly Area[] = [
  settingMistakes,
  accessMistakes,
  networkMistakes,
  propertyMistakes,
  objectMistakes,
  commandMistakes,
];

describe("what users are told of their mistakes", () => {
  let restoreEnvironment: () => void;

  before(() => {
    restoreEnvironment = withoutEnvironment();
  });

  after(() => restoreEnvironment());

  for (const { title, mistakes } of areas) {
    describe(title, () => {
      for (const { made, told, play } of mistakes) {
        it(`is the reason, the place and a remedy: ${made}`, () =>
          World.use(async (world) => {
            const shown = world.constant(await play(world));
            expect(shown).to.equal(told);
            expect(shown).to.not.match(/^\s+at /m);
            expect(shown.split("\n")).to.have.length.below(4);
          }));
      }
    });
  }

  it("is in docs/troubleshooting.md; PIPESTACK_WRITE_MISTAKES=1 writes it there", () => {
    const text = readFileSync(document, "utf8");
    const [above = "", rest = ""] = text.split(begin);
    const [shown = "", below = ""] = rest.split(end);
    const current = areas.map(sectionOf).join("\n");
    if (isWriting) writeFileSync(document, above + begin + current + end + below);
    else expect(shown).to.equal(current);
  });
});

function sectionOf({ title, mistakes }: Area): string {
  const rows = mistakes.map(rowOf).join("\n");
  return `## ${title}\n\n| message | what happened | what helps |\n|---|---|---|\n${rows}\n`;
}

function rowOf({ made, told, remedy }: Mistake): string {
  const message = told.split("\n").map(asCode).join("<br>");
  return `| ${message} | ${made} | ${remedy} |`;
}

function asCode(text: string): string {
  if (text.includes("`")) throw new Error(`no message has backticks, but: ${text}`);
  return `\`${text.replaceAll("|", "\\|")}\``;
}
