import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { usersOf } from "../../../provider/resources/references";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { annotationsOf } from "../../../provider/values/schema";
import { fileNameOf } from "./examples";

describe("every type of the registry", () => {
  it("comes before those that refer to it", () => {
    for (const type of typeNames)
      for (const user of usersOf(type).filter((user) => user !== type))
        expect(typeNames.indexOf(type), `${type} before ${user}`).to.be.below(typeNames.indexOf(user));
  });

  it("is named where the packages and the README say what they offer", () => {
    const read = (...path: string[]) => readFileSync(join(__dirname, "..", "..", "..", ...path), "utf8");
    const { description: ofPackage } = JSON.parse(read("package.json"));
    const { description: ofSchema } = JSON.parse(read("test/unit/hosts/plugin/schema.golden.json"));
    const [, ofReadme = ""] = read("README.md").split("\n\n");
    for (const text of [ofPackage, ofSchema, ofReadme])
      for (const { noun } of Object.values(resources))
        expect(text.toLowerCase().replace(/\s+/g, " ")).to.include(noun.toLowerCase());
  });

  it("sends these values for properties that are taken out of the program", () => {
    const resetsOf = (type: TypeName) =>
      Object.entries(resources[type].inputs.properties).flatMap(([name, schema]) => {
        const { reset } = annotationsOf(schema);
        return reset === undefined ? [] : [[name, reset]];
      });
    const ofTypes = typeNames.map((type) => [type, Object.fromEntries(resetsOf(type))]);
    expect(Object.fromEntries(ofTypes)).to.deep.equal({
      ServiceScaling: {},
      ApiKey: { state: "enabled", expireAt: null },
      QueryEndpoint: {},
      Webhook: { headers: {}, queryParams: {} },
      Connection: { hyperdxSettingPrefix: null, isPrometheusEndpoint: false },
      Source: {},
      Dashboard: { tags: [], filters: [], savedQuery: null, savedFilterValues: [], containers: [] },
      SavedSearch: { select: "", where: "", whereLanguage: "lucene", orderBy: "", tags: [], filters: [] },
      Alert: { scheduleOffsetMinutes: 0, scheduleStartAt: null },
    });
  });

  for (const type of typeNames) {
    const file = `${fileNameOf(type)}.test.ts`;
    it(`has a test of its rules: test/unit/resources/${file}`, () => {
      expect(existsSync(join(__dirname, file)), `test/unit/resources/${file} exists`).to.equal(true);
    });
  }
});
