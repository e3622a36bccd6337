/** The version of this package, as its package.json says. */
export function packageVersion(): string {
  const { version } = require("pipestack/package.json") as { version: string };
  return version;
}
