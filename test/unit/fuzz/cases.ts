import { AssertionError, expect } from "chai";
import fc from "fast-check";
import { isWhole } from "../../seed";

/** The fuzz tests run one of so many of their cases: with `ALL=1` every case, and otherwise a fifth of them. */
export const oneOf = isWhole ? 1 : 5;

let executed = 0;

export const casesSoFar = () => executed;

/**
 * Defines a fuzz test that must hold for all generated cases. A failure shows the seed and path by which fast-check repeats the
 * case.
 * @param runs the number of cases that are tested with `ALL=1`
 * @param holds may return true if the case was tested to its end
 * @param complete the least number of cases that must be tested to their end
 */
export function forAll<Case>(
  title: string,
  runs: number,
  cases: fc.Arbitrary<Case>,
  holds: (sample: Case) => unknown,
  complete = 0,
): void {
  it(title, async () => {
    let completed = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (sample) => {
        executed += 1;
        if ((await holds(sample)) === true) completed += 1;
      }),
      { numRuns: Math.ceil(runs / oneOf), endOnFailure: true },
    );
    expect(completed, "cases that were tested to their end").to.be.at.least(Math.floor(complete / oneOf));
  }).timeout(120_000);
}

/** Matches words of JavaScript and of unforeseen errors, which messages to users must not contain. */
const notForUsers =
  /\[object |\bundefined\b|\bNaN\b|Symbol\(|^\s+at .*:\d+|node_modules|Cannot (read|set|convert|destructure|mix)|is not (a function|iterable|defined|an object)|Maximum call stack|Invalid (array length|time value|string length)|URI malformed|Unexpected token|circular structure|ERR_INVALID|out of memory/m;

/** The highest accepted length of an error message, beyond which nobody would read it. */
const longestMessage = 4000;

export function expectPlain(text: string): void {
  const [match] = notForUsers.exec(text) ?? [];
  if (match !== undefined) expect.fail(`${JSON.stringify(match)} in: ${text.slice(0, 2000)}`);
  expect(text.length, `length of: ${text.slice(0, 500)}`).to.be.within(1, longestMessage);
  expect(text).to.not.match(/[^\P{Cc}\n\t]/u);
}

/**
 * Returns the error with which a call of the provider fails, if it fails, and expects a message that users can read. Failed
 * assertions are thrown.
 */
export async function plainErrorOf(run: () => Promise<unknown>): Promise<Error | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    if (!(error instanceof Error)) throw new Error(`thrown: ${error}`);
    expectPlain(error.message);
    return error;
  }
}

/**
 * Expects that a value is the same after conversion to JSON and back, and contains no object that was converted to text by
 * accident.
 */
export function expectCleanJson(value: unknown): void {
  const json = JSON.stringify(value);
  expect(json).to.not.match(/\[object |"undefined"|"NaN"|Symbol\(/);
  expect(JSON.parse(json)).to.deep.equal(value);
}
