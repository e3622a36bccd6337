import type { serviceArguments } from "../../../functions/serviceArguments";
import type { Static } from "../../../values/schemaBuilders";
import type { InputsOf } from "../types";

/** The service to read. */
export interface OfServiceArgs extends Static<typeof serviceArguments> {}

/** The service to read; the members may be outputs. */
export interface OfServiceOutputArgs extends InputsOf<typeof serviceArguments> {}
