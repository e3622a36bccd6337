import { type Breakage, breakage } from "./breakage";

export const breakagesOfCli: readonly Breakage[] = [
  breakage(
    "lists the keys that sign as orphans",
    "../cli/orphans/findOrphans",
    ' && !(type === "ApiKey" && signing.keyIds.has(id))',
    "",
  ),
  breakage(
    "moves a stack back to the dynamic host without its code",
    "../cli/shared/secrets",
    'const code = host === "dynamic" ? { __provider: providerString(type) } : {};',
    "const code = {};",
  ),
];
