/** An `import` block of a Terraform configuration. */
export interface ImportBlock {
  /** The address that the object gets in Terraform, such as `clickhouse_clickstack_alert.errors`. */
  readonly to: string;
  /** The id of the object; absent if it is no plain text, such as that of a block with `for_each`. */
  readonly id?: string;
}

/** Reads the import blocks in the text of a Terraform configuration, such as the file that HyperDX's page exports. */
export function importBlocksIn(text: string): ImportBlock[] {
  const blocks = withoutComments(text).matchAll(/^[ \t]*import\s*\{((?:[^{}]|\{[^{}]*\})*)\}/gm);
  return [...blocks].flatMap(([, body = ""]) => {
    const members = body.replace(/\{[^{}]*\}/g, "");
    const [, to] =
      /^[ \t]*to[ \t]*=[ \t]*((?:[\w.-]|\["(?:\\.|[^"\\])*"\]|\[[^\]"]*\])+)/m.exec(members) ?? [];
    // A text with a template, which begins with one of these signs, names no id.
    const [, id] = /^[ \t]*id[ \t]*=[ \t]*"([^"\\$%]+)"/m.exec(members) ?? [];
    return to === undefined ? [] : [{ to, ...(id !== undefined && { id }) }];
  });
}

/** Removes comments, since a name in a comment of the exported file may look like a block. Signs of comments in texts stay. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:\\.|[^"\\\n])*")|(?:#|\/\/).*|\/\*[\s\S]*?\*\//g,
    (_, quoted: string | undefined) => quoted ?? "",
  );
}
