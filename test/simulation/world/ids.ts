import { Identifiers } from "../../../sandbox/core/identifiers";
import type { Random } from "../random";

/** Generates ids and secrets from a seed, so that each run of a simulated history has the same ones. */
export class HistoricIds extends Identifiers {
  constructor(
    private readonly random: Random,
    private readonly timed: boolean,
  ) {
    super((count) => Buffer.from(random.hex(2 * count), "hex"));
  }

  override object(now: number): string {
    return this.timed ? super.object(now) : this.random.hex(24);
  }
}
