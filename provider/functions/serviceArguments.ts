import { inService } from "../lifecycle/scope";

/** Arguments of the functions that read from one service. */
export const serviceArguments = inService({});
