import { Type } from "@sinclair/typebox";
import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check, supportedPart } from "../../../provider/lifecycle/check";
import { unknown } from "../../../provider/values/unknown";
import { noteInputs, noteResource, sessionFor } from "./note";

const inputs = Type.Object({
  ...noteInputs.properties,
  margin: Type.Optional(Type.Number({ dialect: "clickhouse" })),
  sheets: Type.Optional(
    Type.Array(
      Type.Object({
        title: Type.String(),
        watermark: Type.Optional(Type.String({ dialect: "clickhouse", via: "management" })),
        foot: Type.Optional(Type.Object({ font: Type.Optional(Type.String({ via: "observability" })) })),
      }),
    ),
  ),
});
const resource = noteResource({ inputs });
const needsDialect = "needs the setting dialect to be clickhouse";
const needs = (via: string) => `needs the setting observabilityVia to be ${via}`;

describe("a member that only another dialect or another API has", () => {
  const failuresOf = (declared: object, settings: Partial<Settings>) =>
    check(resource, {}, { title: "a", ...declared }, sessionFor(settings).session).failures.map(
      ({ path, message }) => `${path} ${message}`,
    );

  const cases: [string, object, Partial<Settings>, string[]][] = [
    ["at the top", { margin: 1 }, {}, [`margin ${needsDialect}`]],
    [
      "in a list",
      { sheets: [{ title: "a" }, { title: "b", watermark: "w" }] },
      { observabilityVia: "management" },
      [`sheets[1].watermark ${needsDialect}`],
    ],
    [
      "on the other API",
      { sheets: [{ title: "a", watermark: "w", foot: { font: "f" } }] },
      { dialect: "clickhouse", observabilityVia: "observability" },
      [`sheets[0].watermark ${needs("management")}`],
    ],
    [
      "on one of both APIs",
      { sheets: [{ title: "a", watermark: "w", foot: { font: "f" } }] },
      { dialect: "clickhouse", observabilityVia: "both" },
      [`sheets[0].watermark ${needs("management")}`, `sheets[0].foot.font ${needs("observability")}`],
    ],
    [
      "that is not known yet",
      { sheets: [{ title: "a", watermark: unknown }] },
      { dialect: "clickhouse", observabilityVia: "observability" },
      [`sheets[0].watermark ${needs("management")}`],
    ],
    [
      "where the settings have it",
      { margin: 1, sheets: [{ title: "a", watermark: "w" }] },
      { dialect: "clickhouse", observabilityVia: "management" },
      [],
    ],
  ];
  for (const [what, declared, settings, expected] of cases) {
    it(`${what} ${expected.length > 0 ? "is refused by its path" : "is accepted"}`, () => {
      expect(failuresOf(declared, settings)).to.deep.equal(expected);
    });
  }

  it("is no part of what a program can declare of an object that was found", () => {
    const { session } = sessionFor({ observabilityVia: "observability" });
    const found = {
      title: "a",
      margin: 1,
      sheets: [{ title: "b", watermark: "w", foot: { font: "f" }, further: { deep: null } }],
    };
    expect(supportedPart(inputs, found, session)).to.deep.equal({
      title: "a",
      sheets: [{ title: "b", foot: { font: "f" }, further: { deep: null } }],
    });
  });
});
