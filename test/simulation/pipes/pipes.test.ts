import { type Breakage, breakagesOf } from "../breakages";
import { testHistories } from "../ownHistories";
import { drawnHistory } from "./history";
import { PipesWorld } from "./world";

/** Patches that break the provider on purpose, to test that the simulated histories find the fault. */
const breakages: readonly Breakage[] = [
  ...breakagesOf("resources/pipe/pipeCreation", {
    "makes another pipe beside one that a killed update has left": [
      "if (inputs.allowSameName !== true) await refuseSameName(pipes, body, context);",
      "",
    ],
  }),
  ...breakagesOf("resources/pipe/pipeSteps", {
    "believes that settings can be changed beside the source": [
      "...when(!isEmpty(settings), {",
      "...when(false, {",
    ],
    "resets the settings that the program does not declare": [
      '...(source?.kind !== "objectStorage" && settingsIn(definition, await look(at))),',
      "",
    ],
    "forgets credentials once a part of an update has failed": [
      "const isDoubtful = trackingOf(state).awaiting !== undefined;",
      "const isDoubtful = false;",
    ],
    "leaves a failed pipe stopped after an update that was killed": [
      "stateBefore(state.status) ??",
      "wishedState(state.status) ??",
    ],
  }),
  ...breakagesOf("lifecycle/steps", {
    "forgets that a failed update has stopped a pipe": [
      "throw new ChangedInPart(error as Error, owed);",
      "throw new ChangedInPart(error as Error);",
    ],
  }),
  ...breakagesOf("api/productOperations", {
    "has a pipe load its tables anew a second time after a lost answer": [
      "AnyObject), idempotent: false },\n  deletePipe",
      "AnyObject), idempotent: true },\n  deletePipe",
    ],
  }),
  ...breakagesOf("lifecycle/replacement", {
    "replaces a pipe for a line that says what it has anyway": [
      'if (isAbsent(right)) return "dropped";',
      'if (isAbsent(right)) return "differs";',
    ],
  }),
  ...breakagesOf("resources/pipe/tableMappings", {
    "loads a table anew for a line that says what it has anyway": [
      "!equalByDefault(ownSchema, now, undefined)",
      "true",
    ],
  }),
  ...breakagesOf("lifecycle/write", {
    "keeps silent about what somebody else has changed": ["if (conflicts.length > 0) ", "if (false) "],
  }),
  ...breakagesOf("resources/pipe/declaredForm", {
    "takes the engine of a table in the words of the database for drift": [
      'type: engine.type.split("(")[0]',
      "type: engine.type",
    ],
  }),
];

testHistories({
  noun: "pipes",
  oneOf: 20,
  drawn: drawnHistory,
  worldOf: (provider, seed) => new PipesWorld(provider, seed),
  breakages,
});
