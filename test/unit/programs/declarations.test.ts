import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { buildWhenChanged } from "../../../toolchain/build.mjs";

// TypeScript uses slashes in paths on every system, so the test does, too.
const root = path.join(__dirname, "..", "..", "..").replaceAll(path.sep, "/");
const published = ["index", "testing", "host"].map((name) => `${root}/dist/provider/${name}.d.ts`);

/**
 * The oldest TypeScript that users may have: Pulumi's SDK compiles programs with it in projects without a TypeScript of their
 * own.
 */
const oldest: typeof ts = require(
  `${root}/node_modules/@pulumi/pulumi/vendor/typescript@3.8.3/typescript.js`,
);

const strict: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  types: [],
  esModuleInterop: true,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  module: ts.ModuleKind.CommonJS,
};

function errorsOf(compiler: typeof ts, options: ts.CompilerOptions): string[] {
  const program = compiler.createProgram(published, { ...strict, ...options });
  return published.flatMap((file) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => compiler.flattenDiagnosticMessageText(messageText, " "));
  });
}

describe("The published declarations", () => {
  before(async function () {
    this.timeout(300_000);
    await buildWhenChanged("provider");
  });

  it("the published declarations import only Pulumi's SDK", () => {
    const imported = published.flatMap((file) =>
      ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.map(({ fileName }) => fileName),
    );
    expect([...new Set(imported)]).to.deep.equal(["@pulumi/pulumi"]);
  });

  for (const [compiler, target] of [
    [ts, ts.ScriptTarget.ES5],
    [ts, ts.ScriptTarget.ES2022],
    [oldest, ts.ScriptTarget.ES2015],
  ] as const)
    it(`TypeScript ${compiler.version} with the target ${ts.ScriptTarget[target]} finds no error in the published declarations`, function () {
      this.timeout(120_000);
      const lib = ["lib.es2020.d.ts", "lib.dom.d.ts"];
      expect(errorsOf(compiler, { target, lib })).to.deep.equal([]);
    });

  describe("the published declarations and the sources", () => {
    /**
     * Exported types with a private property or a unique symbol, which never equal the types of the same name in the sources.
     */
    const branded = ["OtherDisplayType", "FunctionOptions"];
    /**
     * Types that use a type with a private property or a unique symbol, and so never equal the types of the same name in the
     * sources.
     */
    const withBrand = /^(Alert|Dashboard|Tile)Summary$|^(Other|)TileConfig(Args|)$|^Dashboard(Tile|)(Args|)$/;
    const names = new Map<string, ts.Symbol>();
    const sources = new Map<string, ts.Symbol>();
    let checker: ts.TypeChecker;

    before(function () {
      this.timeout(120_000);
      const entry = `${root}/provider/index.ts`;
      const [declarations = ""] = published;
      const config = ts.readConfigFile(`${root}/provider/tsconfig.json`, ts.sys.readFile).config;
      const { options } = ts.parseJsonConfigFileContent(
        { ...config, include: [], files: ["index.ts"] },
        ts.sys,
        `${root}/provider`,
      );
      const program = ts.createProgram([entry, declarations], { ...options, noEmit: true });
      checker = program.getTypeChecker();
      for (const [file, symbols] of [
        [declarations, names],
        [entry, sources],
      ] as const) {
        const source = program.getSourceFile(file);
        const module = source && checker.getSymbolAtLocation(source);
        for (const symbol of module ? checker.getExportsOfModule(module) : [])
          symbols.set(
            symbol.name,
            symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
          );
      }
    });

    it("the declarations have every exported name, and each type is equal to the one in the sources", () => {
      expect([...sources.keys()].filter((name) => !names.has(name))).to.deep.equal([]);
      const others = [...sources].filter(([name, source]) => {
        const declared = names.get(name);
        if (branded.includes(name) || withBrand.test(name)) return false;
        if (!declared || source.flags & ts.SymbolFlags.Class || !(source.flags & ts.SymbolFlags.Type))
          return false;
        const types = [declared, source].map((symbol) => checker.getDeclaredTypeOfSymbol(symbol));
        const [one, other] = types as [ts.Type, ts.Type];
        return !checker.isTypeAssignableTo(one, other) || !checker.isTypeAssignableTo(other, one);
      });
      expect(others.map(([name]) => name)).to.deep.equal([]);
    });

    it("the classes in the declarations have the same properties as those in the sources", () => {
      const membersOf = (symbol: ts.Symbol) => {
        const isShown = ({ escapedName, name }: ts.Symbol) =>
          !String(escapedName).startsWith("__#") && name !== "#private";
        const instance = checker.getDeclaredTypeOfSymbol(symbol);
        return instance
          .getProperties()
          .filter(isShown)
          .map((member) => {
            const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
            return `${member.name}${isOptional ? "?" : ""}`;
          })
          .sort();
      };
      for (const [name, source] of sources) {
        const declared = names.get(name);
        if (declared && source.flags & ts.SymbolFlags.Class)
          expect(membersOf(declared), name).to.deep.equal(membersOf(source));
      }
    });
  });
});
