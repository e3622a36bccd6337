import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { useFixture } from "./fixture";

const program = `
const echo = new Udf("echo", {
  sourcePath: "code",
  runtime: "python3.11",
  type: "executable",
  arguments: [{ name: "line", type: "String" }],
  returnType: "String",
});
new UdfAttachment("echo", { functionName: echo.id, version: echo.version });
`;

for (const host of selected(["dynamic", "plugin"] as const, 2, 1))
  describe(`Functions of the database, in the ${host} host`, () => {
    const sandbox = { dialect: "clickhouse", stateMilliseconds: 10 } as const;
    const fixture = useFixture({ host, sandbox });

    before(() => {
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      );
    });

    it("an update publishes the code of the program's folder, and the service follows each version", async () => {
      const { udfs, udfAttachments } = fixture.sandbox.store;
      const write = (code: string) => writeFileSync(join(fixture.folder, "code", "main.py"), code);
      const running = () => [...udfAttachments.values()].map(({ version, status }) => [version, status]);
      mkdirSync(join(fixture.folder, "code"));
      write("print(1)\n");
      await fixture.write(program);
      await fixture.up({ args: ["--skip-preview"] });
      expect(running()).to.deep.equal([[1, "deployed"]]);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });

      write("print(2)\n");
      const { output } = await fixture.preview({ args: ["--diff"] });
      expect(output)
        .to.match(/sourceHash/)
        .and.not.match(/print/);
      await fixture.up({ args: ["--skip-preview"] });
      expect(running()).to.deep.equal([[2, "deployed"]]);

      Object.assign(udfs.get("echo") ?? {}, { version: 3 });
      const drifted = await fixture.preview({ args: ["--refresh", "--diff"] });
      expect(drifted.output).to.include("that of version 3, published by somebody else");
      await fixture.up({ args: ["--skip-preview", "--refresh"] });
      expect(running()).to.deep.equal([[4, "deployed"]]);

      await fixture.destroy();
      expect([udfs.size, udfAttachments.size]).to.deep.equal([0, 0]);
    });
  });
