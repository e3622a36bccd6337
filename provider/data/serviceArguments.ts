import type { InputsOf } from "../pulumi/types";
import { inService } from "../resources/placement";
import type { Static } from "../typebox";

/** Arguments of the functions that read what one service has. */
export const serviceArguments = inService({});

/** Which service to read. */
export interface ServiceArgs extends Static<typeof serviceArguments> {}

/** Which service to read; the members may be outputs. */
export interface ServiceOutputArgs extends InputsOf<typeof serviceArguments> {}
