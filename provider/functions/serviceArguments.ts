import { inService } from "../lifecycle/scope";

/** Arguments of the functions that read what one service has. */
export const serviceArguments = inService({});
