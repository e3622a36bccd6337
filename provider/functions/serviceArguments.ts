import { inService } from "../lifecycle/scope";

/** Arguments of all functions that read from one service. */
export const serviceArguments = inService({});
