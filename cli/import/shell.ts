/** A text as one word of a command line in shells of POSIX. */
export function shellQuoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A path as one word of a command line in the shells of this platform. On Windows no path contains double quotes. */
export function pathQuoted(path: string): string {
  if (process.platform !== "win32") return shellQuoted(path);
  return /^[\w./\\:-]+$/.test(path) ? path : `"${path}"`;
}
