import { inService } from "../lifecycle/scope";

/** Arguments that all functions take which read from one service. */
export const serviceArguments = inService({});
