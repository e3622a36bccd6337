import { AssertionError, expect } from "chai";
import fc from "fast-check";
import { isWhole } from "../../seed";

/** Of how many cases one is tested. `ALL=1` tests all. */
export const oneOf = isWhole ? 1 : 5;

let executed = 0;

/** How many cases have run so far. */
export const casesSoFar = () => executed;

/**
 * A test that holds for all cases. A failure shows the seed and the path with which fast-check repeats it.
 *
 * @param runs how many cases are tested with `ALL=1`
 * @param holds may answer that the case was tested to its end
 * @param complete how many cases have to be tested to their end
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

/** Words of JavaScript that tell a user nothing, and of errors that nobody has thought of. */
const notForUsers =
  /\[object |\bundefined\b|\bNaN\b|Symbol\(|^\s+at .*:\d+|node_modules|Cannot (read|set|convert|destructure|mix)|is not (a function|iterable|defined|an object)|Maximum call stack|Invalid (array length|time value|string length)|URI malformed|Unexpected token|circular structure|ERR_INVALID|out of memory/m;

/** Longer than what anybody reads, and than a terminal shows well. */
const longestMessage = 4000;

/** Fails unless a text can be shown to a user as it is. */
export function expectPlain(text: string): void {
  const [match] = notForUsers.exec(text) ?? [];
  if (match !== undefined) expect.fail(`${JSON.stringify(match)} in: ${text.slice(0, 2000)}`);
  expect(text.length, `length of: ${text.slice(0, 500)}`).to.be.within(1, longestMessage);
  expect(text).to.not.match(/[^\P{Cc}\n\t]/u);
}

/** The error of a call, if it fails; one that shows well. What the call itself asserts goes through. */
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

/** Fails unless a value is the same after it went through JSON, and nothing in it was turned into text by accident. */
export function expectCleanJson(value: unknown): void {
  const json = JSON.stringify(value);
  expect(json).to.not.match(/\[object |"undefined"|"NaN"|Symbol\(/);
  expect(JSON.parse(json)).to.deep.equal(value);
}
