import { type Breakage, breakage } from "./breakage";

export const breakagesOfLifecycle: readonly Breakage[] = [
  {
    // Two patches together break the provider here: without the second one, the provider's age check still keeps new objects
    // that a lagging list does not show.
    title: "believes a list alone that an object is gone, however new it is",
    patches: [
      {
        ...{ module: "lifecycle/observe", text: "if (entry && isEnough(entry)) return entry;" },
        instead: 'if (!unclear) return entry ?? "gone";',
      },
      {
        module: "lifecycle/observe",
        text: /!isNew\(\{ createdAt: state\.createdAt[^\n]*\)\)\)/,
        instead: "true)",
      },
    ],
  },
  breakage("fetches a list for each read", "lifecycle/lists", "      keep(run, key, list, list);\n", ""),
  breakage(
    "takes every value of a drifted object for normalized",
    "lifecycle/merge",
    /recordAt\(normalized, place\.keys\) === recordOf\(place\) && isComplete[^:]+: "drifted"/,
    '"normalized"',
  ),
  breakage(
    "deletes what the program declares under another name",
    "lifecycle/delete",
    "if (!isDeclared || session.run.isReplaced(resource, id)) {",
    "if (true) {",
  ),
  breakage(
    "carries over nothing that the program does not declare",
    "lifecycle/body",
    "return isSame ? withUndeclared(",
    "return false ? withUndeclared(",
  ),
  breakage(
    "does not look at an object before it updates it",
    "lifecycle/update",
    "const live = isSeen(observed) ? observed : undefined;",
    "const live = undefined as Data | undefined;",
  ),
  breakage(
    "keeps a digest of any answer to a write",
    "lifecycle/merge",
    'verdict: "unchanged", isAsBefore, record: former',
    'verdict: "unchanged", isAsBefore, record',
  ),
  breakage(
    "forgets a create that it leaves in doubt",
    "lifecycle/createTracker",
    ", ...this.unresolved.keys()];",
    "];",
  ),
  {
    title: "takes what others create at the same time",
    patches: [
      {
        ...{ module: "lifecycle/search", text: "if (!isClear) throw doubt(candidates, strangers);" },
        instead: "",
      },
      {
        module: "lifecycle/search",
        text: "return isProven && isSafeId(object.id)",
        instead: "return true",
      },
    ],
  },
  breakage(
    "gives up on a create whose answer is lost",
    "lifecycle/creation",
    "if (!isOpen) throw await namingTaken(",
    "throw await namingTaken(",
  ),
  breakage(
    "believes any answer to a create",
    "lifecycle/creation",
    "if (existed(object, attempt, tracker))",
    "if (false)",
  ),
  breakage(
    "takes the first list of a process for what was there before each create",
    "lifecycle/createTracker",
    "performance.now() - this.#listedAt <= longestFreshness",
    "true",
  ),
  breakage(
    "takes an answer about another object",
    "lifecycle/observe",
    "if (isSameId(answer.id, id)) return answer;",
    "return answer;",
  ),
  {
    title: "believes one list alone where only lists show an object",
    patches: [
      {
        module: "lifecycle/observe",
        text: 'isDenied ? undefined : await inList("now")',
        instead: "undefined",
      },
      {
        module: "lifecycle/observe",
        text: '"gone" || isDeleted) return observed;',
        instead: '"gone" || isDeleted || !get) return observed;',
      },
    ],
  },
  breakage(
    "believes reads that lack what was created just now",
    "lifecycle/observe",
    '"gone" || isDeleted) return observed;',
    '"gone" || isDeleted || true) return observed;',
  ),
  breakage(
    "repeats a failed create without a word",
    "lifecycle/creation",
    "if (!mayBeSentAgain(error)) throw error;",
    "if (!mayBeSentAgain(error)) throw error; else if (repetition < session.settings.maxRetries) continue;",
  ),
  breakage(
    "takes a failed deletion for done",
    "lifecycle/delete",
    "if (!mayBeGone(error)) throw error;",
    "if (mayBeGone(error)) return;",
  ),
  breakage(
    "takes for declared what the service shows besides",
    "lifecycle/state",
    "...(undeclared.length > 0 ? { undeclared } : {}),",
    "",
  ),
  breakage(
    "does not ask for the service of an object",
    "lifecycle/scope",
    'return kind === "organization" ? ["organizationId"] : ["organizationId", "serviceId"];',
    'return ["organizationId"];',
  ),
  breakage("overwrites without a word", "lifecycle/write", "if (conflicts.length > 0) ", "if (false) "),
  breakage(
    "takes what says that it is a little older than the attempt",
    "lifecycle/search",
    "return isProven && isSafeId(object.id) && !isOlder",
    "return isSafeId(object.id) && (isProven ? !isOlder : Math.abs(age) < tolerance)",
  ),
  breakage(
    "believes any id in the answer to a create",
    "lifecycle/creation",
    "if (!tracker.mayGive(id))",
    "if (false)",
  ),
  breakage(
    "takes a query endpoint for gone at a denial that names nothing",
    "lifecycle/observe",
    "if (!isNamed(noun, error) && !hasCode(error))",
    "if (false)",
  ),
  breakage(
    "drops a scaling at a foreign 404",
    "lifecycle/observe",
    'return unclear ? new Unseen(error instanceof MissingObject ? unclear : error) : "gone";',
    'return "gone";',
  ),
  breakage(
    "declares in an import what nobody has set",
    "lifecycle/read",
    "resource.declaration?.(answered, outputs, leaveOut) ?? answered",
    "answered",
  ),
  breakage(
    "replaces what others have set in an object that it takes over without a word",
    "lifecycle/takeover",
    "const paths = replaced.filter(({ isOpen }) => !isOpen).map(({ text }) => text);",
    "const paths: string[] = [];",
  ),
  breakage(
    "replaces what others have set although onConflict is fail",
    "lifecycle/takeover",
    'if (isReplaced && session.settings.onConflict === "fail")',
    "if (false)",
  ),
  breakage(
    "does not send again without what was refused",
    "lifecycle/unmanagedFields",
    "if (refused.length === 0) throw error;",
    "throw error;",
  ),
  breakage(
    "names no alert that goes with the tiles of an adopted dashboard",
    "lifecycle/takeover",
    "for (const text of along) session.warnOnce(text);",
    "",
  ),
  breakage(
    "deletes a singleton that was there before",
    "lifecycle/create",
    "const previous = live ? decode(resource, live).inputs : {};",
    "const previous = {};",
  ),
];
