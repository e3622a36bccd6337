import { type Breakage, breakage } from "./breakage";

/** Breakages of `provider/values`. Each removes one behaviour that the provider has on purpose. */
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
