import path from "node:path";
import ts from "typescript";
import { buildWhenChanged } from "../../../toolchain/build.mjs";

// The compiler writes paths with slashes on every system.
const root = path.join(__dirname, "..", "..", "..").replaceAll(path.sep, "/");
const folder = `${root}/virtual`;
const compiled = `${root}/dist/`;
const entry = `${compiled}provider/index.d.ts`;

/** How a program of a user is compiled, as the examples have it in their tsconfig.json. */
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
    // Programs of either host are the same, and the SDK of the plugin is not built here.
    "@pipestack/sdk": [entry],
    "pipestack/testing": [`${root}/dist/provider/testing.d.ts`],
    "pipestack-sandbox": [`${root}/sandbox/index.ts`],
    "@pulumi/pulumiservice": [`${__dirname}/pulumiservice.d.ts`],
  },
};

/**
 * What an editor knows about programs that use the package as it is published: from declarations, not from sources, since
 * compiling may lose documentation. All tests share one, so that the compiler reads everything once.
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

  /** Writes a program that is nowhere on disk, and returns its path. */
  write(name: string, text: string): string {
    const file = `${folder}/${name}`;
    this.#files.set(file, text);
    this.#versions.set(file, (this.#versions.get(file) ?? 0) + 1);
    return file;
  }

  /** The errors of the compiler in a program, in one line each. */
  errorsIn(path: string): string[] {
    const file = path.replaceAll("\\", "/");
    if (!this.#versions.has(file)) this.#versions.set(file, 1);
    return [
      ...this.#service.getSyntacticDiagnostics(file),
      ...this.#service.getSemanticDiagnostics(file),
    ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  }

  /** What hovering shows over each name of a property in a program. */
  hoversIn(file: string): Hover[] {
    const source = this.#service.getProgram()?.getSourceFile(file);
    if (!source) throw new Error("the program is not there");
    const found: Hover[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) || ts.isPropertyAccessExpression(node)) {
        const info = this.#service.getQuickInfoAtPosition(file, node.name.getStart());
        found.push({
          path: pathOf(node),
          type: ts.displayPartsToString(info?.displayParts),
          documentation: ts.displayPartsToString(info?.documentation),
          tags: (info?.tags ?? []).map(({ name }) => name),
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  }

  /** Exported names of the package, each with the members that are documented nowhere. */
  undocumented(): string[] {
    const program = this.#service.getProgram();
    const checker = program?.getTypeChecker();
    const source = program?.getSourceFile(entry);
    const module = source && checker?.getSymbolAtLocation(source);
    if (!checker || !module) throw new Error("the package is not there");
    return checker.getExportsOfModule(module).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const isDocumented = (any: ts.Symbol) => any.getDocumentationComment(checker).length > 0;
      const members = checker
        .getDeclaredTypeOfSymbol(symbol)
        .getProperties()
        .filter((member) => isOurs(member) && !member.name.includes("#"));
      return [
        ...(isDocumented(symbol) ? [] : [symbol.name]),
        ...members.filter((member) => !isDocumented(member)).map((member) => `${symbol.name}.${member.name}`),
      ];
    });
  }
}

/** One hovered name. */
export interface Hover {
  /** Where it is, such as `Dashboard.tiles.series.groupBy`. */
  readonly path: string;
  readonly type: string;
  readonly documentation: string;
  readonly tags: readonly string[];
}

function isOurs(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((declaration) =>
    declaration.getSourceFile().fileName.startsWith(compiled),
  );
}

/** The names on the way to a property, from the class or function that it is an argument of. */
function pathOf(node: ts.PropertyAssignment | ts.PropertyAccessExpression): string {
  if (ts.isPropertyAccessExpression(node)) return node.getText().replaceAll("?.", ".").replace(/\[0\]/g, "");
  const names = [node.name.getText().replaceAll('"', "")];
  for (let outer: ts.Node = node.parent; outer; outer = outer.parent) {
    if (ts.isPropertyAssignment(outer)) names.unshift(outer.name.getText().replaceAll('"', ""));
    if (ts.isNewExpression(outer) || ts.isCallExpression(outer)) {
      names.unshift(outer.expression.getText().replace("pipestack.", ""));
      break;
    }
  }
  return names.join(".");
}
