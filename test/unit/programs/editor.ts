import path from "node:path";
import ts from "typescript";

// The compiler writes paths with slashes on every system.
const root = path.join(__dirname, "..", "..", "..").replaceAll(path.sep, "/");
const folder = `${root}/virtual`;
const programFile = `${folder}/program.ts`;
const entry = `${folder}/pipestack/provider/index.d.ts`;

/** How a program of a user is compiled. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node20,
  lib: ["lib.es2022.d.ts"],
  types: ["node"],
  typeRoots: [`${root}/node_modules/@types`],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  paths: { pipestack: [entry] },
};

/**
 * What an editor knows about a program that uses the package as it is published: from declarations, not from sources,
 * since compiling may lose documentation.
 */
export function openEditor() {
  const files = declarations();
  let version = 0;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [programFile],
    getScriptVersion: (file) => (file === programFile ? String(version) : "1"),
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
  const service = ts.createLanguageService(host);

  /** Puts another program into the editor. */
  function write(text: string): void {
    files.set(programFile, text);
    version += 1;
  }

  return {
    write,

    /** The errors of the compiler, in one line each. */
    errors(): string[] {
      return [
        ...service.getSyntacticDiagnostics(programFile),
        ...service.getSemanticDiagnostics(programFile),
      ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
    },

    /** What hovering shows over each name of a property in the program. */
    hovers(): Hover[] {
      const source = service.getProgram()?.getSourceFile(programFile);
      if (!source) throw new Error("the program is not there");
      const found: Hover[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isPropertyAssignment(node) || ts.isPropertyAccessExpression(node)) {
          const info = service.getQuickInfoAtPosition(programFile, node.name.getStart());
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
    },

    /** Exported names of the package, each with the members that are documented nowhere. */
    undocumented(): string[] {
      const program = service.getProgram();
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
          ...members
            .filter((member) => !isDocumented(member))
            .map((member) => `${symbol.name}.${member.name}`),
        ];
      });
    },

    close: () => service.dispose(),
  };
}

/** One hovered name. */
export interface Hover {
  /** Where it is, such as `Dashboard.tiles.series.groupBy`. */
  readonly path: string;
  readonly type: string;
  readonly documentation: string;
  readonly tags: readonly string[];
}

/** The declarations of the package by file, as compiling gives them. */
function declarations(): Map<string, string> {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}/provider/tsconfig.json`,
    { declaration: true, emitDeclarationOnly: true, noEmit: false, outDir: `${folder}/pipestack` },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(String(messageText));
      },
    },
  );
  if (!config) throw new Error("provider/tsconfig.json cannot be read");
  const files = new Map<string, string>();
  ts.createProgram([`${root}/provider/index.ts`], config.options).emit(undefined, (file, text) =>
    files.set(file, text),
  );
  return files;
}

function isOurs(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((declaration) =>
    declaration.getSourceFile().fileName.startsWith(folder),
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
