import { expect } from "chai";
import ts from "typescript";
import { asCode } from "../../../../provider/cli/drift/asCode";
import { findDrift } from "../../../../provider/cli/drift/findDrift";
import type { RefreshStep } from "../../../../provider/cli/engine/stack";

const tile = { name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count" }] };
const inputs = { name: "Board", tags: ["a"], tiles: [tile] };
const type = "pulumi-nodejs:dynamic/pipestack:Dashboard";
const urn = `urn:pulumi:dev::test::${type}::board`;

/** The code for one dashboard that is found with other inputs. */
function codeFor(found: object | undefined, declared: object = inputs): string {
  const step: RefreshStep = {
    op: found ? "update" : "delete",
    urn,
    old: { inputs: { ...declared } },
    new: found && { inputs: { ...declared, ...found } },
  };
  return asCode(findDrift([{ urn, type, id: "665f" }], [step]).drift, [step]);
}

describe("What a program has to declare to keep what was found", () => {
  it("is each drifted property, whole, as TypeScript", () => {
    const code = codeFor({ tags: ["b"], tiles: [{ ...tile, w: 3 }] });
    expect(code.split("\n")[0]).to.equal("// Dashboard board");
    const { outputText } = ts.transpileModule(`module.exports = {\n${code}\n}`, {});
    const module = { exports: {} };
    new Function("module", "exports", outputText)(module, module.exports);
    expect(module.exports).to.deep.equal({ tags: ["b"], tiles: [{ ...tile, w: 3 }] });
  });

  it("tells what to remove", () => {
    expect(codeFor({ tags: undefined })).to.equal("// Dashboard board\n// Remove tags.");
    expect(codeFor(undefined)).to.equal("// Dashboard board\n// It is gone: remove it from the program.");
  });

  it("shows no secret", () => {
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "[secret]",
    };
    const code = codeFor({ name: secret }, { ...inputs, name: secret });
    expect(code).to.equal("// Dashboard board\n// name: a secret has changed, and is not shown.");
    expect(codeFor({ name: secret, tags: ["b"] }, { ...inputs, name: secret })).to.equal(
      '// Dashboard board\ntags: ["b"],',
    );
  });
});
