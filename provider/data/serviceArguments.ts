import type { Static } from "@sinclair/typebox";
import type { InputsOf } from "../pulumi/types";
import { inService } from "../resources/placement";

/** Arguments of the functions that read what one service has. */
export const serviceArguments = inService({});

/** Which service to read. */
export interface ServiceArgs extends Static<typeof serviceArguments> {}

/** Which service to read; the members may be outputs. */
export interface ServiceOutputArgs extends InputsOf<typeof serviceArguments> {}
