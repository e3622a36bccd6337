import type { Dialect } from "../../sandbox/core/vocabulary";
import { withTypes } from "./drawnBeside";
import { withImports } from "./drawnImports";
import { withInlineAlerts } from "./drawnInline";
import { withInstances } from "./drawnInstances";
import { withThingsOfOthers } from "./drawnOthers";
import { drawDashboard, drawEdit, drawSearchAlert } from "./drawnProgram";
import { withSecretTexts } from "./drawnSecrets";
import { withSetTroubles } from "./drawnSetTroubles";
import { withTakeovers } from "./drawnTakeovers";
import { withTileEdits } from "./drawnTiles";
import type { TypeName } from "./draws";
import { type HandStep, type History, isStackStep, type StackStep, type Step } from "./history";
import { add, type Edit, edited, type Program } from "./program";
import { Random } from "./random";
import { drawBehaviour, plain } from "./world/behaviour";
import { faultFamilies } from "./world/faults";
import { drawnParts } from "./world/others";

const typesOf: Record<"a" | "b", readonly TypeName[]> = {
  a: [
    ...["Alert", "Alert", "Alert", "Dashboard", "Dashboard", "ApiKey", "Webhook", "SavedSearch"],
    ...["ServiceScaling", "QueryEndpoint"],
  ] as TypeName[],
  b: ["Alert", "Alert", "Dashboard", "Dashboard", "ApiKey", "Webhook", "SavedSearch"],
};

export function drawHistory(seed: number): History {
  return withThingsOfOthers(withSetTroubles(drawMixed(seed)));
}

function drawMixed(seed: number): History {
  const random = new Random(seed, "history");
  const dialect = random.chance(0.25) ? "clickhouse" : "neutral";
  const steps: Step[] = [];
  const stacks = random.chance(0.4) ? (["a", "b"] as const) : (["a"] as const);
  for (const actor of stacks) steps.push(...drawStackSteps(random, actor, stacks.length, dialect));
  const isRace = stacks.length > 1 && dialect === "neutral" && random.chance(0.5);
  if (isRace) makeRace(random, steps, dialect);
  else if (stacks.length > 1 && random.chance(0.6)) makeAlike(random, steps);
  if (random.chance(0.6)) steps.push(...drawHandSteps(random));
  if (random.chance(0.15))
    steps.push({
      number: 0,
      actor: "orphans",
      pause: random.integer(0, 90_000),
      deletes: random.chance(0.4),
    });
  const chosen = new Random(seed, "endpoint");
  if (chosen.chance(0.03)) changeEndpoint(chosen, steps);
  if (chosen.chance(0.02)) declareTwice(chosen, steps);
  if (chosen.chance(0.1)) waitLong(chosen, steps);
  const isDenied = chosen.chance(0.01);
  const leavesDoubts = !isRace && !isDenied && new Random(seed, "doubts").chance(0.02);
  if (leavesDoubts) leaveDoubts(chosen, steps, dialect);
  const isOther = isRace || isDenied || leavesDoubts;
  const movesInDoubt = !isOther && new Random(seed, "moves").chance(0.015);
  const changesInDoubt = !isOther && !movesInDoubt && new Random(seed, "changes").chance(0.01);
  if (movesInDoubt) moveInDoubt(chosen, steps, dialect);
  if (changesInDoubt) changeInDoubt(chosen, steps, dialect);
  if (isDenied) denyService(chosen, steps);
  const families = isRace
    ? random.pick([["failed"], ["failed", "connection"], faultFamilies] as const)
    : faultFamilies.filter(() => random.chance(0.25));
  const behaviour = drawBehaviour(random, dialect);
  const own = steps.map((step, number) => ({ ...step, number }));
  const beside = (["sources", "queries", "lots"] as const).filter((types) =>
    new Random(seed, `with ${types}`).chance(0.12),
  );
  const numbered = beside.reduce<readonly Step[]>(
    (drawn, types) => withTypes(types, seed, drawn, behaviour),
    own,
  );
  const charting = new Random(seed, "with inline alerts");
  const mayBeInline = dialect === "clickhouse" && behaviour.via === "observability" && charting.chance(0.5);
  const charted = mayBeInline ? withInlineAlerts(charting, numbered) : numbered;
  const placing = new Random(seed, "instances");
  const placed = placing.chance(0.25) ? withInstances(placing, charted) : charted;
  const importing = new Random(seed, "with imports");
  const imported = importing.chance(0.08) ? withImports(importing, placed, behaviour) : placed;
  const filling = new Random(seed, "world");
  const isPlain = !isOther && !movesInDoubt && !changesInDoubt;
  const world = isPlain && filling.chance(0.3) ? drawnParts.filter(() => filling.chance(0.6)) : [];
  const full = world.length > 0 ? withTakeovers(filling, imported, world, behaviour) : imported;
  const tiling = new Random(seed, "with tiles");
  const tiled = isPlain && !isRace && tiling.chance(0.12) ? withTileEdits(tiling, full, behaviour) : full;
  const hiding = new Random(seed, "secrets");
  const drawn = { rate: random.pick(isRace ? [0.15, 0.3] : [0.05, 0.15, 0.3, 0.5]), families };
  const ofDoubts = {
    behaviour: { ...behaviour, slowWrites, listLag: 0, rewrites: plain.rewrites },
    faults: { rate: 0.3, families: ["failed"] as const },
    maxRetries: 4,
  };
  const ofMoves = {
    ...{ faults: { rate: 0.5, families: ["failed"] as const }, maxRetries: 4 },
    behaviour: {
      ...{ ...ofDoubts.behaviour, slowWrites: 0, listLag: 2000, readsLag: false },
      ...{ datesAlerts: false, timedIds: false },
    },
  };
  const ofChanges = {
    behaviour: { ...ofDoubts.behaviour, slowWrites: 0, readsLag: false },
    faults: { rate: 0.5, families: ["failed", "gateway"] as const },
  };
  const history: History = {
    seed,
    behaviour: isRace ? { ...behaviour, slowWrites, timedIds: random.chance(0.3) } : behaviour,
    steps: tiled,
    world,
    faults: isDenied ? { rate: 0.5, families: ["gateway"] } : drawn,
    maxRetries: random.pick([0, 1, 2, 4]),
    ...(leavesDoubts && ofDoubts),
    ...(movesInDoubt && ofMoves),
    ...(changesInDoubt && ofChanges),
  };
  return isPlain && !isRace && hiding.chance(0.1) ? withSecretTexts(hiding, history) : history;
}

/**
 * Lets both stacks of a simulated history begin with the same contents at almost the same time, like two environments of one
 * program.
 */
function makeAlike(random: Random, steps: Step[]): void {
  const [first] = steps;
  const index = steps.findIndex(({ actor }) => actor === "b");
  if (first?.actor !== "a") return;
  const edits = first.edits.filter(
    (edit) =>
      edit.edit === "add" &&
      typesOf.b.includes(edit.declared.type as TypeName) &&
      edit.declared.args.adoptId === undefined,
  );
  steps[0] = { ...first, pause: random.pick([0, 0, 1000, 4000]) };
  steps[index] = { ...(steps[index] as StackStep), edits, pause: 0 };
}

/** Milliseconds until the simulated service answers a write, in histories in which two stacks create the same object. */
const slowWrites = 6000;

/**
 * Generates a simulated history in which one stack creates two alerts or dashboards in succession, and another stack creates an
 * object like the second one a few seconds before or after it. The list that the first stack has read before its first create
 * does not show the other stack's object.
 */
function makeRace(random: Random, steps: Step[], dialect: Dialect): void {
  const index = steps.findIndex(({ actor }) => actor === "b");
  const [first, other] = [steps[0], steps[index]] as [StackStep, StackStep];
  const draw = random.chance(0.5) ? drawDashboard : drawSearchAlert;
  const [one, same] = [draw(random, dialect), draw(random, dialect)];
  steps[0] = { ...first, edits: [...first.edits, add("r1", one), add("r2", { ...same, after: "r1" })] };
  const [soon, late] = random.chance(0.5) ? [100, slowWrites + 3000] : [slowWrites - 2500, slowWrites + 500];
  const pause = first.pause + random.integer(soon, late);
  const others = random.chance(0.4) ? other.edits : [];
  steps[index] = { ...other, edits: [...others, add("r2", same)], pause };
}

/**
 * Generates a simulated history in which a stack creates four alerts at once, some time after a first alert. A list that was
 * read before the four creates shows few of the alerts that exist after them.
 */
function leaveDoubts(random: Random, steps: Step[], dialect: Dialect): void {
  const first = steps[0] as StackStep;
  const names = ["d1", "d2", "d3", "d4", "d5"];
  const edits = names.map((name, index) =>
    add(name, { ...drawSearchAlert(random, dialect), ...(index > 0 && { after: "d1" }) }),
  );
  steps.splice(0, steps.length, { ...first, edits });
}

/**
 * Generates a simulated history in which a stack renames an alert that it has just created and moves it to another provider
 * instance. Lists do not show the alert yet.
 */
function moveInDoubt(random: Random, steps: Step[], dialect: Dialect): void {
  const first = steps[0] as StackStep;
  const again = { number: 0, actor: "a", pause: random.pick([0, 500]), command: "up" } as const;
  const move = { edit: "rename", name: "m1", to: "m2", instance: "second" } as const;
  const { targets: _, killedAfter: __, ...whole } = first;
  const created = { ...whole, edits: [add("m1", drawSearchAlert(random, dialect))] };
  steps.splice(0, steps.length, created, { ...again, edits: [move] });
}

/**
 * Generates a simulated history in which a person changes an alert while the stack that creates it has received no valid answer
 * yet.
 */
function changeInDoubt(random: Random, steps: Step[], dialect: Dialect): void {
  const { targets: _, killedAfter: __, ...first } = steps[0] as StackStep;
  const created = { ...first, pause: 0, edits: [add("c1", drawSearchAlert(random, dialect))] };
  const change = {
    number: 0,
    actor: "hand",
    pause: random.integer(100, 600),
    act: "change",
    which: 0,
  } as const;
  steps.splice(0, steps.length, created, change);
}

/**
 * Generates a simulated history in which a person sets the origins of the query endpoint, which no program declares, and a
 * stack later changes the endpoint's roles.
 */
function changeEndpoint(random: Random, steps: Step[]): void {
  const [one, other] = [["sql_console_read_only"], ["sql_console_admin"]] as const;
  const openApiKeys = [{ ref: "key" }];
  const edits = [
    add("key", { type: "ApiKey", args: { name: "reporting", roles: ["developer"] } }),
    add("endpoint", { type: "QueryEndpoint", args: { roles: one, openApiKeys } }),
  ];
  const isOther = (edit: Edit) => !(edit.edit === "add" && edit.declared.type === "QueryEndpoint");
  for (const [index, step] of steps.entries())
    if (step.actor === "a") steps[index] = { ...step, edits: step.edits.filter(isOther) };
  const first = steps[0] as StackStep;
  steps[0] = { ...first, edits: [...edits, ...first.edits] };
  steps.push(
    // In a simulated history, `which: -1` selects the last object, which is the query endpoint.
    { number: 0, actor: "hand", pause: 20_000, act: "setUndeclared", which: -1 },
    {
      number: 0,
      actor: "a",
      pause: random.pick([90_000, 400_000]),
      edits: [{ edit: "set", name: "endpoint", property: "roles", value: other }],
      command: random.pick(["up", "up --refresh"]),
    },
  );
}

/**
 * Generates a simulated history in which a program declares its service's scaling or query endpoint twice, and removes both
 * resources in the next step.
 */
function declareTwice(random: Random, steps: Step[]): void {
  const type = random.pick(["ServiceScaling", "QueryEndpoint"] as const);
  const args =
    type === "ServiceScaling"
      ? { numReplicas: 2 }
      : { roles: ["sql_console_read_only"], openApiKeys: [{ ref: "key" }] };
  const key = add("key", { type: "ApiKey", args: { name: "reporting", roles: ["developer"] } });
  const names = ["once", "twice"];
  const twice = names.map((name) => add(name, { type, args }));
  const own = { number: 0, actor: "a", pause: 1000 } as const;
  const command = random.pick(["preview", "up", "up --refresh"] as const);
  steps.push(
    { ...own, edits: [key, ...twice], command },
    { ...own, edits: names.map((name) => ({ edit: "remove", name }) as const), command: "up" },
  );
}

/**
 * Generates a simulated history in which a stack refreshes a scaling and a query endpoint that are older than three minutes
 * while a gateway in front of the API answers with errors of its own.
 */
function denyService(random: Random, steps: Step[]): void {
  const first = steps[0] as StackStep;
  const scaling = add("scaling", { type: "ServiceScaling", args: { numReplicas: 2 } });
  const key = add("signer", { type: "ApiKey", args: { name: "reporting", roles: ["developer"] } });
  const endpoint = add("queries", {
    type: "QueryEndpoint",
    args: { roles: ["sql_console_read_only"], openApiKeys: [{ ref: "signer" }] },
  });
  const single: readonly string[] = ["ServiceScaling", "QueryEndpoint"];
  const isOther = (edit: Edit) => !(edit.edit === "add" && single.includes(edit.declared.type));
  for (const [index, step] of steps.entries())
    if (isStackStep(step)) steps[index] = { ...step, edits: step.edits.filter(isOther) };
  steps[0] = { ...first, edits: [scaling, key, endpoint, ...first.edits.filter(isOther)] };
  const command = random.pick(["refresh", "up --refresh"] as const);
  const again = { number: 0, actor: "a", pause: 0, edits: [], command } as const;
  steps.push({ ...again, pause: 200_000 }, again);
}

/** Delays one step of a stack by 200 seconds, so that the objects it created before no longer count as new. */
function waitLong(random: Random, steps: Step[]): void {
  const index = random.integer(1, steps.length);
  const step = steps[index];
  if (step && isStackStep(step)) steps[index] = { ...step, pause: 200_000 };
}

function drawStackSteps(random: Random, actor: "a" | "b", stacks: number, dialect: Dialect): StackStep[] {
  let names = 0;
  let program: Program = new Map();
  const draw = (count: number) =>
    Array.from({ length: count }, () => {
      const edit = drawEdit(random, program, () => `${actor}${++names}`, typesOf[actor], dialect);
      if (edit) program = edited(program, edit);
      return edit ? [edit] : [];
    }).flat();
  return Array.from({ length: random.integer(1, stacks > 1 ? 3 : 4) }, (_, index): StackStep => {
    const edits = draw(index === 0 ? random.integer(2, 6) : random.integer(0, 3));
    const command = random.weighted({
      up: 6,
      "up --refresh": 3,
      refresh: 2,
      preview: 0.5,
      drift: 1.5,
      destroy: 0.4,
    });
    return {
      number: 0,
      actor,
      pause: random.pick([0, 500, 5000, 70_000]),
      edits,
      command: index === 0 ? "up" : command,
      ...(random.chance(0.08) ? { targets: true as const } : {}),
      ...(random.chance(0.08) ? { killedAfter: random.integer(1, 1500) } : {}),
    };
  });
}

function drawHandSteps(random: Random): HandStep[] {
  return Array.from({ length: random.integer(1, 4) }, () => ({
    number: 0,
    actor: "hand",
    pause: random.pick([100, 1000, 3000, 20_000, 80_000]),
    act: random.weighted({
      change: 4,
      setUndeclared: 4,
      setInside: 2,
      delete: 2,
      addTile: 1,
      create: 1,
      createTwin: 1,
      deleteOwn: 0.5,
    }),
    which: random.integer(0, 1000),
  }));
}
