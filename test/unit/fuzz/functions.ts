import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import fc from "fast-check";
import * as pipestack from "../../../provider/index";
import { type FunctionName, validArguments } from "../functions/validArguments";
import { expectCleanJson, forAll, plainErrorOf } from "./cases";
import { useJudged } from "./judged";
import { anyJson, changed } from "./weirdValues";

const index = { ...pipestack };

type Forms = { readonly [name in `${FunctionName}Output`]: (args: unknown) => pulumi.Output<unknown> };

const names = Object.keys(validArguments) as FunctionName[];

/** Defines fuzz tests of every provider function with any arguments, given as values and as outputs. */
export function fuzzFunctions(): void {
  describe("Fuzzed arguments of functions", () => {
    const judged = useJudged();
    const call = fc
      .constantFrom(...names)
      .chain((name) =>
        fc.tuple(
          fc.constant(name),
          fc.oneof(
            { weight: 5, arbitrary: changed(validArguments[name]) },
            { weight: 1, arbitrary: anyJson },
          ),
        ),
      );

    forAll(
      "a function refuses fuzzed arguments with a plain error, or sends valid requests",
      1000,
      call,
      async ([name, args]) => {
        const { judge } = judged;
        judge.reset();
        const error = await plainErrorOf(async () => {
          expectCleanJson(await (index[name] as (args: unknown) => Promise<unknown>)(args));
        });
        if (error) expect(error.message).to.match(new RegExp(`^pipestack\\.${name}: `));
        expect(judge.faults.join("\n")).to.equal("");
      },
    );

    forAll(
      "a function returns the same result for fuzzed arguments in outputs, secret or not",
      200,
      fc.tuple(call, fc.boolean()),
      async ([[name, args], isSecret]) => {
        const { judge } = judged;
        judge.reset();
        const text: pulumi.Output<unknown> = isSecret
          ? pulumi.secret(args as unknown)
          : pulumi.output(args as unknown);
        const form = (pipestack as unknown as Forms)[`${name}Output`];
        await plainErrorOf(async () => {
          const { promise } = form(text) as unknown as { promise(): Promise<unknown> };
          expectCleanJson(await promise());
        });
        expect(judge.faults.join("\n")).to.equal("");
      },
    );
  });
}
