import { drawDashboard, drawSearchAlert } from "./drawnProgram";
import { withTakeovers } from "./drawnTakeovers";
import type { History, StackStep } from "./history";
import { add } from "./program";
import { Random } from "./random";
import { leftoverBoard } from "./world/others";

/**
 * Kinds of simulated histories that are each about one takeover: of an object of others, or of an object that another resource
 * of the program has.
 */
const thingsOfOthers = { leftovers, heldTwice, strict } as const;

/** Replaces three of a hundred random histories by simulated histories about a single takeover. The random faults stay. */
export function withThingsOfOthers(history: History): History {
  const random = new Random(history.seed, "things of others");
  if (!random.chance(0.03)) return history;
  // Only some APIs refuse unknown properties in a request body. The other APIs drop them, so properties that the web page left
  // in tiles would have no effect there.
  const { dialect, via } = history.behaviour;
  const isRefused = dialect === "clickhouse" || via === "management";
  const things = (Object.keys(thingsOfOthers) as (keyof typeof thingsOfOthers)[]).filter(
    (each) => each !== "leftovers" || isRefused,
  );
  const thing = random.pick(things);
  return { ...history, world: [], ...thingsOfOthers[thing](random, history) };
}

type Thing = Pick<History, "steps"> & Partial<Pick<History, "world" | "onConflict">>;

const own = { actor: "a", edits: [], pause: 0, command: "up" } as const;
const step = (number: number, changed: Partial<StackStep>): StackStep => ({ ...own, number, ...changed });

/**
 * Generates a simulated history in which a program adopts a dashboard and declares all of it except properties that the web
 * page left in its tiles. The API refuses these in any request.
 */
function leftovers(random: Random, { behaviour }: History): Thing {
  const { id, tilesOf } = leftoverBoard;
  const isOfProduct = behaviour.dialect === "clickhouse";
  const args = { name: random.pick(["Errors", "Left"]), tiles: tilesOf(isOfProduct), adoptId: id };
  return {
    world: ["leftovers"],
    steps: [
      step(0, { edits: [add("l1", { type: "Dashboard", args })] }),
      step(1, {
        edits: [{ edit: "set", name: "l1", property: "name", value: "Rows" }],
        pause: random.pick([1000, 200_000]),
        command: random.pick(["up", "up --refresh"]),
      }),
    ],
  };
}

/**
 * Generates a simulated history in which a second resource of the program adopts the object of the first one, at once or later,
 * and then leaves the program.
 */
function heldTwice(random: Random, { behaviour: { dialect } }: History): Thing {
  const draw = random.chance(0.5) ? drawDashboard : drawSearchAlert;
  const { type, args: drawn } = draw(random, dialect);
  const { adoptId: _, ...args } = drawn;
  const one = add("h1", { type, args });
  const other = add("h2", { type, args: { ...args, adoptId: { ref: "h1" } } });
  const isAtOnce = random.chance(0.3);
  return {
    steps: [
      step(0, { edits: isAtOnce ? [one, other] : [one] }),
      step(1, {
        edits: isAtOnce ? [] : [other],
        pause: random.pick([1000, 200_000]),
        command: random.pick(["preview", "up", "up --refresh"]),
      }),
      step(2, { edits: [{ edit: "remove", name: "h2" }], pause: 1000 }),
    ],
  };
}

/**
 * Generates a simulated history in which a program declares objects that others have made, with `onConflict: fail`: the
 * provider must stop where it would replace their values.
 */
function strict(random: Random, { behaviour }: History): Thing {
  const parts = ["endpoint", "schedule", "boards"] as const;
  const drawn = parts.filter(() => random.chance(0.6));
  const world = drawn.length > 0 ? drawn : [random.pick(parts)];
  const command = random.pick(["up", "up --refresh"] as const);
  const steps = [step(0, {}), step(1, { pause: random.pick([1000, 200_000]), command })];
  return { world, onConflict: "fail", steps: withTakeovers(random, steps, world, behaviour) };
}
