import { type Breakage, breakage } from "./breakage";

export const breakagesOfValues: readonly Breakage[] = [
  breakage(
    "shows the credentials that a proxy repeats",
    "values/redact",
    'hidden.replace(pattern, "[hidden]")',
    "hidden",
  ),
  breakage(
    "does not pair the entries of lists that have no ids",
    "values/pairing",
    "if (paired[at] !== undefined) continue;",
    "continue;",
  ),
];
