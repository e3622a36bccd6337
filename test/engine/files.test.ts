import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { useFixture } from "./fixture";

for (const host of ["dynamic", "plugin"] as const)
  describe(`SQL from a file of the program, in the ${host} host`, () => {
    const fixture = useFixture({ host });

    it(`the ${host} host keeps the text of a file, and previews the lines that change`, async () => {
      const file = join(fixture.folder, "query.sql");
      writeFileSync(file, "SELECT query\nFROM query_log\nLIMIT 1\n");
      await fixture.apply(
        `new SavedQuery("slow", { database: "system", sql: new pulumi.asset.FileAsset("./query.sql") });`,
      );
      const [query] = fixture.sandbox.store.savedQueries.values();
      expect(query?.sql).to.equal("SELECT query\nFROM query_log\nLIMIT 1\n");
      expect((await fixture.outputsOf("slow")).sql).to.equal(query?.sql);
      writeFileSync(file, "SELECT query\nFROM query_log\nLIMIT 2\n");
      const { output } = await fixture.preview({ args: ["--diff"] });
      expect(output).to.match(/FROM query_log\n\s*- LIMIT 1\n\s*\+ LIMIT 2\n/);
    });
  });
