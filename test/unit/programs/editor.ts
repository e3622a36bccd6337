import path from "node:path";
import ts from "typescript";
import { buildWhenChanged } from "../../../toolchain/build.mjs";

// TypeScript uses slashes in paths on every system, so the test does, too.
const root = path.join(__dirname, "..", "..", "..").replaceAll(path.sep, "/");
const folder = `${root}/virtual`;
const compiled = `${root}/dist/`;
const entry = `${compiled}provider/index.d.ts`;

/** The compiler options of a user's program, as in the tsconfig.json of the examples. */
export const userOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node20,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

const options: ts.CompilerOptions = {
  ...userOptions,
  types: ["node"],
  typeRoots: [`${root}/node_modules/@types`],
  paths: {
    pipestack: [entry],
    // The test does not build the plugin's SDK for Node. The package `pipestack` replaces it, since programs look the same with
    // both.
    "@pipestack/sdk": [entry],
    "pipestack/testing": [`${root}/dist/provider/testing.d.ts`],
    "pipestack-sandbox": [`${root}/sandbox/index.ts`],
    "@pulumi/pulumiservice": [`${__dirname}/pulumiservice.d.ts`],
  },
};

/**
 * Tells what an editor knows about programs that use the published package. It reads the declarations, since compiling may lose
 * documentation. All tests share one editor, so that the compiler reads each file once.
 */
export class Editor {
  static #shared: Editor | undefined;
  readonly #files = new Map<string, string>();
  readonly #versions = new Map<string, number>();
  readonly #service: ts.LanguageService;

  static async open(): Promise<Editor> {
    await buildWhenChanged("provider");
    Editor.#shared ??= new Editor();
    return Editor.#shared;
  }

  private constructor() {
    const files = this.#files;
    const versions = this.#versions;
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [...versions.keys()],
      getScriptVersion: (file) => String(versions.get(file) ?? 1),
      getScriptSnapshot(file) {
        const text = files.get(file) ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (file) => files.has(file) || ts.sys.fileExists(file),
      readFile: (file) => files.get(file) ?? ts.sys.readFile(file),
      directoryExists: (directory) => directory.startsWith(folder) || ts.sys.directoryExists(directory),
      readDirectory: ts.sys.readDirectory,
    };
    this.#service = ts.createLanguageService(host);
  }

  write(name: string, text: string): string {
    const file = `${folder}/${name}`;
    this.#files.set(file, text);
    this.#versions.set(file, (this.#versions.get(file) ?? 0) + 1);
    return file;
  }

  errorsIn(path: string): string[] {
    const file = path.replaceAll("\\", "/");
    if (!this.#versions.has(file)) this.#versions.set(file, 1);
    return [
      ...this.#service.getSyntacticDiagnostics(file),
      ...this.#service.getSemanticDiagnostics(file),
    ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  }

  /** Lists the exported types and their properties as editors show them, by paths such as `AlertArgs.threshold`. */
  exported(): Map<string, Facts> {
    const program = this.#service.getProgram();
    const checker = program?.getTypeChecker();
    const source = program?.getSourceFile(entry);
    const module = source && checker?.getSymbolAtLocation(source);
    if (!checker || !module) throw new Error("the package is not there");
    const factsOf = (symbol: ts.Symbol, type: ts.Type): Facts => ({
      isDocumented: symbol.getDocumentationComment(checker).length > 0,
      type: checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation),
    });
    const symbols = checker.getExportsOfModule(module).map((exported) => {
      return exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    });
    return new Map(
      symbols.flatMap((symbol) => {
        const type = checker.getDeclaredTypeOfSymbol(symbol);
        const kinds = type.isUnion() ? type.types : [type];
        const members = kinds
          .flatMap((kind) => kind.getProperties())
          .filter((property) => isOurs(property) && !property.name.includes("#"));
        return [
          [symbol.name, factsOf(symbol, type)] as const,
          ...members.map(
            (property) =>
              [
                `${symbol.name}.${property.name}`,
                factsOf(property, checker.getTypeOfSymbol(property)),
              ] as const,
          ),
        ];
      }),
    );
  }
}

interface Facts {
  readonly isDocumented: boolean;
  readonly type: string;
}

function isOurs(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((declaration) =>
    declaration.getSourceFile().fileName.startsWith(compiled),
  );
}
