/**
 * What a refresh did not compare, and why. `new`: the object is so new that reads may not find it yet; `notRunning`: its service
 * does not run, and shows nothing of it; `noRoute`: the server has no route to read any object of the type.
 */
type Uncompared =
  | { readonly reason: "new" | "notRunning"; readonly type: string; readonly id: string }
  | { readonly reason: "noRoute"; readonly type: string };

/**
 * Ends a refresh's warning with a code, such as `[uncompared new Alert 665f]`. `pipestack drift` decides by the code alone, so the
 * words of the warning may change.
 */
export function withCode(warning: string, uncompared: Uncompared): string {
  const { reason, type } = uncompared;
  const what = reason === "noRoute" ? type : `${type} ${uncompared.id}`;
  return `${warning} [uncompared ${reason} ${what}]`;
}

/** Reads the codes of warnings. A warning may repeat a server's words, so only its end counts. */
export function codesIn(warnings: readonly string[]): readonly Uncompared[] {
  return warnings.flatMap((warning): Uncompared[] => {
    const code = /^.*\[uncompared (\w+) (\w+)(?: (.+))?\]$/s.exec(warning);
    const [, reason, type = "", id = ""] = code ?? [];
    if (reason === "noRoute") return [{ reason, type }];
    return reason === "new" || reason === "notRunning" ? [{ reason, type, id }] : [];
  });
}
