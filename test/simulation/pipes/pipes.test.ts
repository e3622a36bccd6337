import { histories } from "../histories";
import { testHistories } from "../ownHistories";
import type { Patch } from "../provider";
import { Random } from "../random";
import { drawnHistory } from "./history";
import { drawnProgram } from "./program";
import { World } from "./world";

/**
 * Patches that break the provider on purpose, to test that the simulated histories find the fault. The key of each is a phrase
 * for the broken behaviour.
 */
const breakages: { readonly [title: string]: readonly Patch[] } = {
  "makes another pipe beside one that a killed update has left": [
    {
      module: "resources/pipe/pipeCreation",
      text: "if (inputs.allowSameName !== true) await refuseSameName(pipes, body, context);",
      instead: "",
    },
  ],
  "believes that settings can be changed beside the source": [
    {
      module: "resources/pipe/pipeSteps",
      text: "...when(!isEmpty(settings), {",
      instead: "...when(false, {",
    },
  ],
  "resets the settings that the program does not declare": [
    {
      module: "resources/pipe/pipeSteps",
      text: '...(source?.kind !== "objectStorage" && settingsIn(definition, await look(at))),',
      instead: "",
    },
  ],
  "forgets credentials once a part of an update has failed": [
    {
      module: "resources/pipe/pipeSteps",
      text: "const isDoubtful = trackingOf(state).awaiting !== undefined;",
      instead: "const isDoubtful = false;",
    },
  ],
  "forgets that a failed update has stopped a pipe": [
    {
      module: "lifecycle/steps",
      text: "throw new ChangedInPart(error as Error, owed);",
      instead: "throw new ChangedInPart(error as Error);",
    },
  ],
  "leaves a failed pipe stopped after an update that was killed": [
    {
      module: "resources/pipe/pipeSteps",
      text: "stateBefore(state.status) ??",
      instead: "wishedState(state.status) ??",
    },
  ],
  "has a pipe load its tables anew a second time after a lost answer": [
    {
      module: "api/operations",
      text: "...{ response: AnyObject, idempotent: false, isOfProduct: true },\n  },\n  deletePipe",
      instead: "...{ response: AnyObject, idempotent: true, isOfProduct: true },\n  },\n  deletePipe",
    },
  ],
  "replaces a pipe for a line that says what it has anyway": [
    {
      module: "lifecycle/replacement",
      text: 'if (isAbsent(right)) return "dropped";',
      instead: 'if (isAbsent(right)) return "differs";',
    },
  ],
  "loads a table anew for a line that says what it has anyway": [
    {
      module: "resources/pipe/tableMappings",
      text: "!equalByDefault(ownSchema, now, undefined)",
      instead: "true",
    },
  ],
  "keeps silent about what somebody else has changed": [
    {
      module: "lifecycle/write",
      text: "if (conflicts.length > 0) ",
      instead: "if (false) ",
    },
  ],
  "takes the engine of a table in the words of the database for drift": [
    {
      module: "resources/pipe/declaredForm",
      text: 'type: engine.type.split("(")[0]',
      instead: "type: engine.type",
    },
  ],
};

testHistories({
  title: "Simulated histories of pipes",
  noun: "pipes",
  /**
   * The simulated histories of pipes are slow, so a twentieth of the usual number is played: `SIMULATIONS=100000` plays 5,000.
   */
  count: Math.ceil(histories / 20),
  longest: 200 * 24 * 60 * 60_000,
  drawn: drawnHistory,
  play: (provider, history, at) =>
    new World(provider).play(history, drawnProgram(new Random("last program of pipes", at))),
  breakages,
});
