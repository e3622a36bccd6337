import type { InputsOf } from "../hosts/dynamic/types";
import { inService } from "../lifecycle/scope";
import type { Static } from "../typebox";

/** Arguments of the functions that read what one service has. */
export const serviceArguments = inService({});

/** Which service to read. */
export interface ServiceArgs extends Static<typeof serviceArguments> {}

/** Which service to read; the members may be outputs. */
export interface ServiceOutputArgs extends InputsOf<typeof serviceArguments> {}
