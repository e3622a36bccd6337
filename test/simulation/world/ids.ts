import { Identifiers } from "../../../sandbox/core/identifiers";
import type { Random } from "../random";

/** Ids and secrets that follow from a seed. */
export class HistoricIds extends Identifiers {
  /** @param timed whether the ids of objects begin with the second in which they were made */
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
