import type { Patch } from "./provider";

/** A patch that breaks one behaviour of the provider on purpose. A test checks that the simulation finds the fault. */
export interface Breakage {
  /** The wrong behaviour of the patched provider, as a phrase that follows "a provider that". */
  readonly title: string;
  readonly patches: readonly Patch[];
}

type Change = readonly [text: string | RegExp, instead: string];

/** Makes the breakages of one module of the provider, each of which changes one text. */
export const breakagesOf = (module: string, changes: { readonly [title: string]: Change }): Breakage[] =>
  Object.entries(changes).map(([title, change]) => together(title, [module, ...change]));

/** Makes a breakage that changes several texts. */
export const together = (
  title: string,
  ...patches: readonly (readonly [module: string, ...Change])[]
): Breakage => ({
  title,
  patches: patches.map(([module, text, instead]) => ({ module, text, instead })),
});

export const breakages: readonly Breakage[] = [
  ...breakagesOf("api/client", {
    "repeats no failed call": [
      "if (!mayBeRepeated(error, idempotent) ||",
      "if (true || !mayBeRepeated(error, idempotent) ||",
    ],
    "gives up at the first 429": [
      "if (!isSafe || futile > most || refusals > most * patience) throw error;",
      "throw error;",
    ],
    "has no time limit for a call": [
      "setTimeout(() => attempt.abort(), timeoutSeconds",
      "setTimeout(() => undefined, timeoutSeconds",
    ],
  }),
  ...breakagesOf("api/rateLimiter", {
    "never ends its turn at the rate limiter": [
      "this.#underWay--;\n    if (end === undefined)",
      "if (end === undefined)",
    ],
    "exceeds the limit of the product": ["return excess < 0 ? now", "return true ? now"],
  }),
  ...breakagesOf("api/operation", {
    "repeats creates as it repeats reads": [
      'method: "POST", idempotent: false',
      'method: "POST", idempotent: true',
    ],
  }),
  ...breakagesOf("api/errors", {
    "says what went wrong on three lines": [/\$\{reason\} \(/, "$" + "{reason}\\n\\n("],
  }),
  ...breakagesOf("api/pages", {
    "reads the first page of a list alone": [
      "if (total === undefined || first.entries.length >= total) return first.entries;",
      "return first.entries;",
    ],
  }),
  ...breakagesOf("api/backoff", {
    "waits as long as a server asks": ["return Math.min(wait, longestWaitMilliseconds);", "return wait;"],
  }),
  ...breakagesOf("api/neutralOperations", {
    "replaces an endpoint without what is there": [
      "QueryEndpoint),\n    idempotent: true,\n    replaces: true,",
      "QueryEndpoint),\n    idempotent: true,",
    ],
    "drops what a source has beyond its program": [
      'updateSource: { ...replace(onBoth("sources/{id}"), "source"),',
      'updateSource: { ...replace(onBoth("sources/{id}"), "source"), replaces: false,',
    ],
  }),
  ...breakagesOf("lifecycle/lists", {
    "fetches a list for each read": ["      keep(run, key, list, list);\n", ""],
  }),
  ...breakagesOf("lifecycle/merge", {
    "takes every value of a drifted object for normalized": [
      /recordAt\(normalized, place\.keys\) === recordOf\(place\) && isComplete[^:]+: "drifted"/,
      'true) ? "normalized" : "drifted"',
    ],
    "keeps a digest of any answer to a write": [
      'verdict: "unchanged", isAsBefore, record: former',
      'verdict: "unchanged", isAsBefore, record',
    ],
  }),
  ...breakagesOf("lifecycle/delete", {
    "deletes what the program declares under another name": [
      "if (!isDeclared || session.run.isReplaced(resource, id)) {",
      "if (true) {",
    ],
    "takes a failed deletion for done": [
      "if (!mayBeGone(error)) throw error;",
      "if (mayBeGone(error)) return;",
    ],
  }),
  ...breakagesOf("lifecycle/body", {
    "carries over nothing that the program does not declare": [
      "return isSame ? withUndeclared(",
      "return false ? withUndeclared(",
    ],
  }),
  ...breakagesOf("lifecycle/update", {
    "does not look at an object before it updates it": [
      "live = isSeen(observed) ? observed : undefined;",
      "live = undefined as PropertyMap | undefined;",
    ],
  }),
  ...breakagesOf("lifecycle/createTracker", {
    "forgets a create that it leaves in doubt": [", ...this.unresolved.keys()];", "];"],
    "takes the first list of a process for what was there before each create": [
      "performance.now() - this.#listedAt <= longestFreshness",
      "true",
    ],
  }),
  ...breakagesOf("lifecycle/creation", {
    "gives up on a create whose answer is lost": [
      "if (!isOpen) throw await namingTaken(",
      "throw await namingTaken(",
    ],
    "believes any answer to a create": ["if (existed(object, attempt, tracker))", "if (false)"],
    "repeats a failed create without a word": [
      "if (!mayBeSentAgain(error)) throw error;",
      "if (!mayBeSentAgain(error)) throw error; else if (repetition < session.settings.maxRetries) continue;",
    ],
    "believes any id in the answer to a create": ["if (!tracker.mayGive(id))", "if (false)"],
  }),
  ...breakagesOf("lifecycle/observe", {
    "takes an answer about another object": ["if (isSameId(answer.id, id)) return answer;", "return answer;"],
    "believes reads that lack what was created just now": [
      '"gone" || isDeleted) return observed;',
      '"gone" || isDeleted || true) return observed;',
    ],
    "takes a query endpoint for gone at a denial that names nothing": [
      "if (!isNamed(noun, error) && !hasCode(error))",
      "if (false)",
    ],
    "drops a scaling at a foreign 404": [
      'return unclear ? new Unseen(error instanceof MissingObject ? unclear : error) : "gone";',
      'return "gone";',
    ],
  }),
  ...breakagesOf("lifecycle/state", {
    "takes for declared what the service shows besides": [
      "owed, undeclared, live, ...lasting",
      "owed, live, ...lasting",
    ],
  }),
  ...breakagesOf("lifecycle/scope", {
    "does not ask for the service of an object": [
      'return kind === "organization" ? ["organizationId"] : ["organizationId", "serviceId"];',
      'return ["organizationId"];',
    ],
  }),
  ...breakagesOf("lifecycle/write", {
    "overwrites without a word": ["if (conflicts.length > 0) ", "if (false) "],
  }),
  ...breakagesOf("lifecycle/search", {
    "takes what says that it is a little older than the attempt": [
      "return isProven && isSafeId(object.id) && !isOlder",
      "return isSafeId(object.id) && (isProven ? !isOlder : Math.abs(age) < tolerance)",
    ],
  }),
  ...breakagesOf("lifecycle/read", {
    "declares in an import what nobody has set": [
      "resource.declaration?.(answered, outputs, leaveOut) ?? answered",
      "answered",
    ],
  }),
  ...breakagesOf("lifecycle/takeover", {
    "replaces what others have set in an object that it takes over without a word": [
      "const paths = replaced.filter(({ isOpen }) => !isOpen).map(({ text }) => text);",
      "const paths: string[] = [];",
    ],
    "replaces what others have set although onConflict is fail": [
      'if (isReplaced && session.settings.onConflict === "fail")',
      "if (false)",
    ],
    "names no alert that goes with the tiles of an adopted dashboard": [
      "for (const text of along) session.warnOnce(text);",
      "",
    ],
  }),
  ...breakagesOf("lifecycle/unmanagedFields", {
    "does not send again without what was refused": [
      "if (refused.length === 0) throw error;",
      "throw error;",
    ],
  }),
  ...breakagesOf("lifecycle/create", {
    "deletes a singleton that was there before": [
      "const previous = live ? decode(resource, live).inputs : {};",
      "const previous = {};",
    ],
  }),
  ...breakagesOf("resources/set/entries", {
    "forgets which creates of a set it has left in doubt": [", doubts: Object.fromEntries(doubts) }", " }"],
  }),
  ...breakagesOf("resources/tiles/tiles", {
    "gives tiles new ids at each update": [
      "return named.map((id, index) => id ?? (isRenamed(index) ? claim(knownIds[index]) : undefined));",
      "return named.map(() => undefined);",
    ],
  }),
  ...breakagesOf("resources/tiles/renames", {
    "gives a tile what was in its place": ["isSame(contentOf(declared), contentOf(former))", "true"],
  }),
  ...breakagesOf("resources/alert/alert", {
    "updates alerts whose tiles go in the same update": [
      "if (!tile || isStaying(tile, session)) return false;",
      "if (!tile || isStaying(tile, session) || true) return false;",
    ],
    "takes young alerts that went with their tiles for hidden ones": [
      "isCascadeDeleted: isDeletedWithTile,",
      "",
    ],
    "takes the chart of an inline alert for one that the service cannot say": [
      '|| answer.source !== "inline" || isObject(answer.chartConfig)) return answer;',
      '|| answer.source !== "inline") return answer;',
    ],
  }),
  ...breakagesOf("resources/apiKey/apiKey", {
    "deletes the key that signs its requests": [
      "if (!signs(state, session)) return usual(id, state, session);",
      "return usual(id, state, session);",
    ],
    "forgets the secret of a new key": ['secret: true, shown: "atCreation"', "secret: true"],
  }),
  ...breakagesOf("resources/connection/connection", {
    "forgets the password of a connection at an update": [
      '  namedBy: "name",\n\n  completenessField',
      '  namedBy: "name", encode: ({ password, ...body }, _settings, current) => (current ? body : { ...body, password }),\n\n  completenessField',
    ],
  }),
  ...breakagesOf("resources/set/set", {
    "loses a set of which an entry could not be created": [
      "if (!isKept) throw new Error(failure);",
      "throw new Error(failure);",
    ],
  }),
  ...breakagesOf("resources/set/failures", {
    "names some doubts of a set alone": [
      "error instanceof PossiblyCreated ? [{ key, error }] : [],",
      'error instanceof PossiblyCreated && key.endsWith("0") ? [{ key, error }] : [],',
    ],
  }),
  ...breakagesOf("resources/set/entryWrites", {
    "does not say what a destroy of a set has left": [
      "throw new Error(leftAfterDestroy(failures, entries, this.#naming, session));",
      "throw failures[0]?.error;",
    ],
    "makes a set beside the rest of a killed update without a word": [
      "return twins.length > 0 ? twinsMessage(twins, this.#naming) : undefined;",
      "return undefined;",
    ],
  }),
  ...breakagesOf("hosts/ownership/claims", {
    "knows nothing of what other processes of the update declare": [
      "for (const [process, notes] of this.board?.news() ?? []) {",
      "for (const [process, notes] of [] as [string, string[]][]) {",
    ],
    "deletes what it has just taken for the outcome of a create": ["created.has(key) ||", ""],
    "takes a program that declares one thing twice": ["if (!rival) return [];", "return [];"],
  }),
  ...breakagesOf("hosts/plugin/resourceMethods", {
    "shows a secret text of an alert in a message of the plugin": [
      "return this.#secrecy.conceal(data, secrets);",
      "this.#secrecy.conceal(data, []); return secrets;",
    ],
  }),
  ...breakagesOf("hosts/dynamic/host", {
    "shows a secret text of an alert in a message of the dynamic provider": [
      "secrecy.conceal(properties as PropertyMap, markedIn(properties))",
      "secrecy.conceal(properties as Data, [])",
    ],
  }),
  ...breakagesOf("../cli/orphans/findOrphans", {
    "lists the keys that sign as orphans": [' && !(type === "ApiKey" && signing.keyIds.has(id))', ""],
  }),
  ...breakagesOf("../cli/shared/secrets", {
    "moves a stack back to the dynamic host without its code": [
      'const code = host === "dynamic" ? { __provider: providerString(type) } : {};',
      "const code = {};",
    ],
  }),
  ...breakagesOf("values/redact", {
    "shows the credentials that a proxy repeats": ['hidden.replace(pattern, "[hidden]")', "hidden"],
  }),
  ...breakagesOf("values/pairing", {
    "does not pair the entries of lists that have no ids": [
      "if (paired[at] !== undefined) continue;",
      "continue;",
    ],
  }),
  together(
    "believes any 404",
    [
      "api/errorFingerprints",
      "if (status !== 404 || object === undefined) return false;",
      "return status === 404 && object !== undefined;",
    ],
    ["lifecycle/observe", "if (!isNamed(noun, error) && !hasCode(error))", "if (false)"],
  ),
  // Without the second change, the provider's age check still keeps new objects that a lagging list does not show.
  together(
    "believes a list alone that an object is gone, however new it is",
    [
      "lifecycle/observe",
      "if (entry && isEnough(entry)) return entry;",
      'if (!unclear) return entry ?? "gone";',
    ],
    ["lifecycle/observe", /!isNew\(\{ createdAt: state\.createdAt[^\n]*\)\)\)/, "true)"],
  ),
  together(
    "takes what others create at the same time",
    ["lifecycle/search", "if (!isClear) throw doubt(candidates, strangers);", ""],
    ["lifecycle/search", "return isProven && isSafeId(object.id)", "return true"],
  ),
  together(
    "believes one list alone where only lists show an object",
    ["lifecycle/observe", 'isDenied ? undefined : await inList("now")', "undefined"],
    [
      "lifecycle/observe",
      '"gone" || isDeleted) return observed;',
      '"gone" || isDeleted || !get) return observed;',
    ],
  ),
  together(
    "deletes what the program imports under another name",
    [
      "hosts/plugin/resourceMethods",
      "this.claims.name(this.resource, live.id, declarationOf(request.getUrn()), live.inputs, this.session());",
      ";",
    ],
    [
      "hosts/plugin/resourceMethods",
      "this.claims.hold(this.resource, request.getId(), declaration, olds.data, session);",
      "",
    ],
  ),
  together(
    "adopts what another resource of the program has",
    ["hosts/ownership/claims", /if \(notesOfAll\.some\(\(\{ [^\n]*/, "if (false)"],
    ["hosts/ownership/claims", "if (rival)\n      throw", "if (false)\n      throw"],
  ),
];
