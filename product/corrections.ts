import { alertCorrections } from "./alertCorrections";
import { chartCorrections } from "./chartCorrections";
import type { Correction } from "./correction";
import { filterCorrections } from "./filterCorrections";
import { postgresCorrections } from "./postgresCorrections";
import { searchCorrections } from "./searchCorrections";
import { serviceCorrections } from "./serviceCorrections";
import { sourceCorrections } from "./sourceCorrections";
import { tileCorrections } from "./tileCorrections";
import { tunnelCorrections } from "./tunnelCorrections";
import { webhookCorrections } from "./webhookCorrections";

/**
 * All corrections of the API documents. A test fails if one of them changes nothing, since then the document itself states the
 * fact.
 */
export const corrections: readonly Correction[] = [
  ...serviceCorrections,
  ...tunnelCorrections,
  ...postgresCorrections,
  ...alertCorrections,
  ...tileCorrections,
  ...filterCorrections,
  ...sourceCorrections,
  ...searchCorrections,
  ...webhookCorrections,
  ...chartCorrections,
];
