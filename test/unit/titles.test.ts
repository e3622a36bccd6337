import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";

// A list of failures is read by its titles: one that takes its subject from the block around it says nothing alone.
const cannotBegin = new RegExp(
  `^(?:${[
    "is|are|was|were|be|has|have|had|do|does|can|could|may|might|must|will|would|should",
    "and|or|but|nor|so|also|too|even|only|else|otherwise|likewise|again|still|then|there|not|no|none|neither",
    "of|in|on|at|by|to|for|from|as|with|without|within|beside|between|under|through|instead",
    "if|unless|when|whenever|where|while|until|since|because|although|once|before|after|than",
    "it|its|they|their|them|he|she|this|that|these|those|such|same|the same|who|whose|which|what|how|why",
  ].join("|")})(?![\\w-])`,
  "i",
);

/** Titles of tests as far as the source has them: a template with the names of its values. */
function titlesIn(source: string): string[] {
  const calls = /(?<![\w.])(?:it(?:\.\w+)?|forAll)\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
  return [...source.matchAll(calls)].map(([, , title = ""]) => title);
}

describe("Titles of tests", () => {
  const root = resolve(__dirname, "..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const titles = files.flatMap((file) =>
    titlesIn(readFileSync(join(root, file), "utf8")).map((title) => ({ file, title })),
  );

  it("every title begins with a subject of its own, or with the verb of the tested part", () => {
    expect(titles.length).to.be.above(1000);
    expect(titles.filter(({ title }) => cannotBegin.test(title))).to.deep.equal([]);
  });
});
