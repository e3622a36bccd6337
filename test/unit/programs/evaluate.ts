import ts from "typescript";

export function evaluate(program: string, modules: { readonly [name: string]: unknown }): void {
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  });
  new Function("require", "exports", outputText)((name: string) => modules[name], {});
}
