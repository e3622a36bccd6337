const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How busy the days of a week are, Sunday first. */
const weekdays = [0.55, 1.1, 1.15, 1.15, 1.1, 1.05, 0.6];

/** 1970-01-01 was a Thursday. */
const weekdayOfEpoch = 4;

/** Every day at this time (UTC) the service `api` is in trouble, so that each span of a day shows it once. */
export const incident = { start: 14 * hour + 10 * minute, length: 45 * minute };

/** How busy a moment is, around 1: fewest events at 03:00 UTC, most at 15:00 UTC, and less at weekends. */
export function activity(time: number): number {
  const daily = 1 - 0.6 * Math.cos((2 * Math.PI * (time - 3 * hour)) / day);
  // From noon to noon, so that midnight makes no step.
  const sinceNoon = time / day - 0.5;
  const days = Math.floor(sinceNoon);
  const [from, to] = [weekdays[(days + weekdayOfEpoch) % 7], weekdays[(days + weekdayOfEpoch + 1) % 7]];
  return daily * blend(from as number, to as number, sinceNoon - days);
}

/** How bad the incident is at a moment: 0 outside of it, 0.75 to 1 at its worst. */
export function incidentStrength(time: number): number {
  const passed = ((time % day) - incident.start) / incident.length;
  if (passed < 0 || passed >= 1) return 0;
  const worst = 0.75 + 0.25 * uniform(0x1d, Math.floor(time / day));
  return worst * Math.min(1, passed / 0.15, (1 - passed) / 0.35);
}

/** A slow wandering around 1, of its own for each seed. */
export function wandering(seed: number, time: number): number {
  return (
    1 +
    0.3 * (smoothNoise(seed, time / (35 * minute)) - 0.5) +
    0.24 * (smoothNoise(~seed, time / (5 * hour)) - 0.5)
  );
}

/** A number in [0, 1) that depends on nothing but the seed and the position. */
export function uniform(seed: number, position: number): number {
  let bits = seed ^ Math.imul(position, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** A seed for a text (FNV-1a). */
export function seedOf(text: string): number {
  let bits = 0x811c9dc5;
  for (const character of text) bits = Math.imul(bits ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return bits;
}

function smoothNoise(seed: number, position: number): number {
  const start = Math.floor(position);
  return blend(uniform(seed, start), uniform(seed, start + 1), position - start);
}

/** From `left` to `right` without a corner at either end. */
function blend(left: number, right: number, part: number): number {
  return left + (right - left) * part * part * (3 - 2 * part);
}
