import { expect } from "chai";
import ts from "typescript";
import { describe as read } from "../../../toolchain/descriptions.mjs";

/** What the types of the SDK look like from outside. */
const sdk = `
class ProviderResource {}
class CustomResource {}
interface OutputInstance<Value> { apply(action: (value: Value) => void): void }
type Input<Value> = Value | Promise<Value> | OutputInstance<Value>;
`;

const provider = `
interface Settings {
  /**
   * Address of the API.
   *
   * @default \`https://example.com\`
   */
  baseUrl?: Input<string>;
}
export class Provider extends ProviderResource {
  constructor(name: string, args: Settings) { super(); }
}
`;

const resource = `
interface Line {
  /** Text of the line. */
  text: Input<string>;
  /** Lines below, see {@link Note}. */
  below?: Input<Line[]>;
}
interface Lines {
  /**
   * The lines.
   *
   * @deprecated use the {@link Provider}
   */
  readonly lines: Input<readonly Input<Line>[]>;
}
interface Moment {
  /** A day. */
  day: string;
}
/**
 * A note. See {@link Provider}, {@link Provider the settings}, {@link Unknown} or
 * {@link https://example.com | the API document}.
 *
 * @example
 * \`\`\`typescript
 * new Note("note", {});
 * \`\`\`
 * @see "Note", "Notes" in the API document
 */
export class Note extends CustomResource {
  /** When it was written. */
  declare readonly createdAt: OutputInstance<Moment | undefined>;
  declare readonly silent: OutputInstance<string>;
  /** @param args not among the descriptions */
  constructor(name: string, args: Lines) { super(); }
  /** No property. */
  write(): void {}
}
`;

const functions = `
interface Which {
  /** Its id. */
  id: string;
}
/**
 * One note.
 *
 * @throws Error when there is none
 */
export function getNote(args: Which): Promise<Moment[]> { return Promise.reject(new Error()); }
/** For arguments that may be outputs. */
export function getNoteOutput(args: Which): OutputInstance<Moment[]> { throw new Error(); }
export const notes = 3;
`;

describe("The descriptions of the package", () => {
  it("descriptions come from the docstrings of exported resources, functions and settings at every depth", () => {
    expect(descriptionsOf(sdk + provider + resource + functions)).to.deep.equal({
      resources: {
        Note: {
          description: "A note. See Provider, the settings, Unknown or\nthe API document.",
          examples: ['```typescript\nnew Note("note", {});\n```'],
          see: ['"Note", "Notes" in the API document'],
          inputs: {
            lines: { description: "The lines.", deprecated: "use the Provider" },
            "lines.text": { description: "Text of the line." },
            "lines.below": { description: "Lines below, see Note." },
          },
          outputs: {
            createdAt: { description: "When it was written." },
            "createdAt.day": { description: "A day." },
          },
        },
      },
      functions: {
        getNote: {
          description: "One note.",
          throws: ["Error when there is none"],
          arguments: { id: { description: "Its id." } },
          result: { day: { description: "A day." } },
        },
      },
      settings: { baseUrl: { description: "Address of the API.", default: "`https://example.com`" } },
    });
  });

  it("refuses descriptions of a module without resources, functions or a provider", () => {
    for (const [parts, missing] of [
      [[provider, functions], "resources"],
      [[provider, resource], "functions"],
      [[resource, functions], "provider"],
    ] as const)
      expect(() => descriptionsOf(sdk + parts.join("")), missing).to.throw(
        "index.ts has to export resources, functions and a provider",
      );
  });
});

const options: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts"], types: [] };
const host = ts.createCompilerHost(options);
/** Files of the language, parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

function descriptionsOf(text: string) {
  const entry = "/virtual/index.ts";
  const program = ts.createProgram([entry], options, {
    ...host,
    getSourceFile(path, language) {
      if (path === entry) return ts.createSourceFile(path, text, language);
      if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, language));
      return parsed.get(path);
    },
  });
  return read(program, entry);
}
