const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The relative load of the sample data on the days of a week, from Sunday. */
const weekdays = [0.55, 1.1, 1.15, 1.15, 1.1, 1.05, 0.6];

/** The day 1970-01-01, from which days are counted, was a Thursday. */
const weekdayOfEpoch = 4;

/**
 * The daily incident of the service `api` in the sample data, in milliseconds after midnight UTC. Every span of 24 hours
 * contains one.
 */
export const incident = { start: 14 * hour + 10 * minute, length: 45 * minute };

/** The relative load of the sample data at a time, around 1: lowest at 03:00 UTC, highest at 15:00 UTC, lower at weekends. */
export function activity(time: number): number {
  const daily = 1 - 0.6 * Math.cos((2 * Math.PI * (time - 3 * hour)) / day);
  // From noon to noon, the sample data's load changes gradually from that of one weekday to that of the next. So it does not
  // jump at midnight.
  const sinceNoon = time / day - 0.5;
  const days = Math.floor(sinceNoon);
  const [from, to] = [weekdays[(days + weekdayOfEpoch) % 7], weekdays[(days + weekdayOfEpoch + 1) % 7]];
  return daily * blend(from as number, to as number, sinceNoon - days);
}

/** The severity of the sample data's daily incident at a time: 0 outside it, 0.75 to 1 at its peak. */
export function incidentStrength(time: number): number {
  const passed = ((time % day) - incident.start) / incident.length;
  if (passed < 0 || passed >= 1) return 0;
  const worst = 0.75 + 0.25 * uniform(0x1d, Math.floor(time / day));
  return worst * Math.min(1, passed / 0.15, (1 - passed) / 0.35);
}

/** Computes a slow fluctuation of the sample data around 1, different for each seed. */
export function fluctuation(seed: number, time: number): number {
  return (
    1 +
    0.3 * (smoothNoise(seed, time / (35 * minute)) - 0.5) +
    0.24 * (smoothNoise(~seed, time / (5 * hour)) - 0.5)
  );
}

/** Computes a pseudorandom number in [0, 1) for the sample data, always the same for a seed and a position. */
export function uniform(seed: number, position: number): number {
  let bits = seed ^ Math.imul(position, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** Computes a number from a text (FNV-1a), as a seed for the sample data's random numbers. */
export function seedOf(text: string): number {
  let bits = 0x811c9dc5;
  for (const character of text) bits = Math.imul(bits ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return bits;
}

function smoothNoise(seed: number, position: number): number {
  const start = Math.floor(position);
  return blend(uniform(seed, start), uniform(seed, start + 1), position - start);
}

/** Interpolates between two numbers of the sample data, smoothly at both ends. */
function blend(left: number, right: number, part: number): number {
  return left + (right - left) * part * part * (3 - 2 * part);
}
