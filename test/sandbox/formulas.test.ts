import { expect } from "chai";
import { formulaFailures } from "../../sandbox/core/resources/formulas";

/** Formulas over two series, with the messages of a HyperDX server 2.36. */
const answers: readonly (readonly [expression: string, ...messages: string[]])[] = [
  ["A"],
  ["--A / (A + B) * 100"],
  ["A - - B"],
  [".5 * A"],
  [" ", "Expression is empty"],
  ["A / B2", 'Unexpected number "2"'],
  ["A .5", 'Unexpected number ".5"'],
  ["A B", 'Unexpected series reference "B"'],
  ["A (B)", "Unexpected opening parenthesis"],
  ["A +", "Unexpected end of expression"],
  ["+ A", 'Unexpected operator "+"'],
  ["A ** B", 'Unexpected operator "*"'],
  ["(A", "Missing closing parenthesis"],
  ["A)", "Unmatched closing parenthesis"],
  ["()", "Unexpected closing parenthesis"],
  ["A % B", 'Unexpected character "%"'],
  ["_", 'Unexpected character "_"'],
  ["sum(A)", 'Unexpected "sum" — series references are uppercase letters (A, B, C, ...)'],
  [
    "AB",
    'Unexpected "AB" — series references are single letters (A, B, C, ...) and functions are not supported',
  ],
  ["1 + 2", "Expression must reference at least one series (A, B, C, ...)"],
  [
    "C / D",
    'Unknown series "C" — this chart only has series A through B',
    'Unknown series "D" — this chart only has series A through B',
  ],
];

describe("The sandbox's formulas of charts", () => {
  for (const [expression, ...messages] of answers)
    it(`${JSON.stringify(expression)} is ${messages.length > 0 ? "refused" : "taken"} as by a server`, () => {
      expect(formulaFailures(expression, 2)).to.deep.equal(messages);
    });
});
