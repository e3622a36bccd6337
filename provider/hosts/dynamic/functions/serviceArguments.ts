import type { serviceArguments } from "../../../functions/serviceArguments";
import type { Static } from "../../../values/schemaBuilders";
import type { InputsOf } from "../types";

/** The service that a function reads. */
export interface OfServiceArgs extends Static<typeof serviceArguments> {}

/** The service that a function reads; the properties may be outputs. */
export interface OfServiceOutputArgs extends InputsOf<typeof serviceArguments> {}
