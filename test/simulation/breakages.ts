import type { Patch } from "./provider";

/** A patch that breaks one behaviour of the provider on purpose. The simulation has to find a history that shows the fault. */
export interface Breakage {
  /** What the patched provider does wrong, as a phrase that follows "a provider that". */
  readonly title: string;
  readonly patches: readonly Patch[];
}

const breakage = (title: string, module: string, text: string | RegExp, instead: string): Breakage => ({
  title,
  patches: [{ module, text, instead }],
});

/** All patches that break the provider on purpose. Each removes one behaviour that the provider needs to keep its promises. */
export const breakages: readonly Breakage[] = [
  breakage(
    "repeats no failed call",
    "api/client",
    "if (!mayBeRepeated(error, idempotent) ||",
    "if (true || !mayBeRepeated(error, idempotent) ||",
  ),
  breakage(
    "gives up at the first 429",
    "api/client",
    "if (!isSafe || refusals > maxRetries * patience) throw error;",
    "throw error;",
  ),
  breakage("never ends its turn at the rate limiter", "api/rateLimiter", "this.#underWay--;", ""),
  breakage(
    "has no time limit for a call",
    "api/client",
    "setTimeout(() => attempt.abort(), ",
    "setTimeout(() => undefined, ",
  ),
  breakage(
    "repeats creates as it repeats reads",
    "api/operation",
    'method: "POST", response: Identified, idempotent: false',
    'method: "POST", response: Identified, idempotent: true',
  ),
  {
    // The provider is broken here by two patches: without the second one, its age check still keeps new objects that a lagging
    // list does not show.
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
  breakage("fetches a list for each read", "lifecycle/lists", "      run.set(key, list);\n", ""),
  breakage(
    "takes every value of a drifted object for normalized",
    "lifecycle/merge",
    'recordAt(normalized, place.keys) === recordOf(place) ? "normalized" : "drifted"',
    '"normalized"',
  ),
  breakage(
    "gives tiles new ids at each update",
    "resources/dashboard/tiles",
    "return named.map((id, index) => id ?? (isRenamed(index) ? claim(knownIds[index]) : undefined));",
    "return named.map(() => undefined);",
  ),
  breakage(
    "gives a tile what was in its place",
    "resources/dashboard/renames",
    "isSame(contentOf(declared), contentOf(former))",
    "true",
  ),
  breakage(
    "updates alerts whose tiles go in the same update",
    "resources/alert/alert",
    "if (!tile || isStaying(tile, session)) return false;",
    "if (!tile || isStaying(tile, session) || true) return false;",
  ),
  breakage(
    "takes young alerts that went with their tiles for hidden ones",
    "resources/alert/alert",
    "isDeletedAlong: isDeletedWithTile,",
    "",
  ),
  breakage(
    "deletes the key that signs its requests",
    "resources/apiKey/apiKey",
    "if (!signs) return keys.delete(id, state, session);",
    "return keys.delete(id, state, session);",
  ),
  breakage(
    "forgets the secret of a new key",
    "resources/apiKey/apiKey",
    'secret: true, shown: "atCreation"',
    "secret: true",
  ),
  breakage(
    "deletes what the program declares under another name",
    "lifecycle/delete",
    "if (!isDeclared || isReplaced(resource, id, session)) {",
    "if (true) {",
  ),
  breakage("says what went wrong on three lines", "api/errors", /\$\{reason\} \(/, "$" + "{reason}\\n\\n("),
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
  {
    title: "believes any 404",
    patches: [
      {
        module: "api/ownWords",
        text: "if (status !== 404 || object === undefined) return false;",
        instead: "return status === 404 && object !== undefined;",
      },
      {
        module: "lifecycle/observe",
        text: "if (!isNamed(noun, error) && !hasCode(error))",
        instead: "if (false)",
      },
    ],
  },
  breakage("forgets a create that it leaves in doubt", "lifecycle/ledger", ", ...this.unresolved];", "];"),
  {
    title: "takes what others create at the same time",
    patches: [
      {
        ...{ module: "lifecycle/creation", text: "if (!isClear) throw doubt(candidates, strangers);" },
        instead: "",
      },
      {
        module: "lifecycle/creation",
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
    "if (existed(object, attempt, ledger))",
    "if (false)",
  ),
  breakage(
    "takes the first list of a process for what was there before each create",
    "lifecycle/ledger",
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
  breakage(
    "reads the first page of a list alone",
    "api/pages",
    "if (total === undefined || first.entries.length >= total) return first.entries;",
    "return first.entries;",
  ),
  breakage(
    "shows the credentials that a proxy repeats",
    "values/redact",
    'hidden.replace(pattern, "[hidden]")',
    "hidden",
  ),
  breakage(
    "exceeds the limit of the product",
    "api/rateLimiter",
    "return excess < 0 ? now",
    "return true ? now",
  ),
  breakage(
    "waits as long as a server asks",
    "api/backoff",
    "return Math.min(wait, longestWaitMilliseconds);",
    "return wait;",
  ),
  breakage("overwrites without a word", "lifecycle/write", "if (changes.length === 0) return;", "return;"),
  breakage(
    "replaces an endpoint without what is there",
    "api/operations",
    "response: QueryEndpoint,\n    idempotent: true,\n    replaces: true,",
    "response: QueryEndpoint,\n    idempotent: true,",
  ),
  breakage(
    "lists the keys that sign as orphans",
    "cli/orphans/findOrphans",
    ' && !(type === "ApiKey" && signing.keyIds.has(id))',
    "",
  ),
  breakage(
    "knows nothing of what other processes of the update declare",
    "hosts/claims",
    "for (const [process, notes] of this.board?.news() ?? []) {",
    "for (const [process, notes] of [] as [string, string[]][]) {",
  ),
  breakage(
    "deletes what it has just taken for the outcome of a create",
    "hosts/claims",
    "created.has(key) ||",
    "",
  ),
  breakage(
    "takes a program that declares one thing twice",
    "hosts/claims",
    "if (!rival) return [];",
    "return [];",
  ),
  breakage(
    "takes what says that it is a little older than the attempt",
    "lifecycle/creation",
    "return isProven && isSafeId(object.id) && !isOlder",
    "return isSafeId(object.id) && (isProven ? !isOlder : Math.abs(age) < tolerance)",
  ),
  breakage(
    "believes any id in the answer to a create",
    "lifecycle/creation",
    "if (!ledger.mayGive(id))",
    "if (false)",
  ),
  breakage(
    "does not pair the entries of lists that have no ids",
    "values/pairing",
    "if (paired[at] !== undefined) continue;",
    "continue;",
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
    "shows a secret text of an alert in a message of the plugin",
    "hosts/plugin/resourceMethods",
    "return this.#secrecy.conceal(data, secrets);",
    "this.#secrecy.conceal(data, []); return secrets;",
  ),
  breakage(
    "shows a secret text of an alert in a message of the dynamic provider",
    "hosts/dynamic/host",
    "secrecy.conceal(properties as Data, markedIn(properties))",
    "secrecy.conceal(properties as Data, [])",
  ),
  breakage(
    "forgets the password of a connection at an update",
    "resources/connection/connection",
    "  decode,\n\n  sureMember",
    "  decode, encode: ({ password, ...body }, _settings, current) => (current ? body : { ...body, password }),\n\n  sureMember",
  ),
  breakage(
    "drops what a source has beyond its program",
    "api/operations",
    'updateSource: replace(onBoth("sources/{id}"), "source"),',
    'updateSource: { ...replace(onBoth("sources/{id}"), "source"), replaces: false },',
  ),
  {
    title: "deletes what the program imports under another name",
    patches: [
      {
        module: "hosts/plugin/resourceMethods",
        text: "if (!isKnown && !request.hasInputs()) this.claims.name(this.resource, live.id, this.session());",
        instead: "",
      },
      {
        module: "hosts/plugin/resourceMethods",
        text: "this.claims.hold(this.resource, request.getId(), declarationOf(request.getUrn()), session);",
        instead: "",
      },
    ],
  },
  breakage(
    "declares in an import what nobody has set",
    "lifecycle/read",
    "resource.declaration?.(answered, outputs) ?? answered",
    "answered",
  ),
  breakage(
    "loses a set of which an entry could not be created",
    "resources/set/set",
    "if (!hasEntries) throw new Error(failure);",
    "throw new Error(failure);",
  ),
  breakage(
    "takes the chart of an inline alert for one that the service cannot say",
    "resources/alert/alert",
    '|| answer.source !== "inline" || isObject(answer.chartConfig)) return answer;',
    '|| answer.source !== "inline") return answer;',
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
    "lifecycle/carried",
    "if (refused.length === 0) throw error;",
    "throw error;",
  ),
  {
    title: "adopts what another resource of the program has",
    patches: [
      {
        module: "hosts/claims",
        text: /if \(notesOfAll\.some\(\(\{ [^\n]*/,
        instead: "if (false)",
      },
      { module: "hosts/claims", text: "if (rival)\n      throw", instead: "if (false)\n      throw" },
    ],
  },
  breakage(
    "names no alert that goes with the tiles of an adopted dashboard",
    "lifecycle/takeover",
    "for (const text of along) session.warnOnce(text);",
    "",
  ),
  breakage(
    "deletes a singleton that was there before",
    "lifecycle/create",
    "const previous = live ? resource.decode(live, {}, {}).inputs : {};",
    "const previous = {};",
  ),
  breakage(
    "moves a stack back to the dynamic host without its code",
    "cli/shared/secrets",
    'const code = host === "dynamic" ? { __provider: providerString(type) } : {};',
    "const code = {};",
  ),
  breakage(
    "names some doubts of a set alone",
    "resources/set/failures",
    "error instanceof PossiblyCreated ? [{ key, error }] : [],",
    'error instanceof PossiblyCreated && key.endsWith("0") ? [{ key, error }] : [],',
  ),
  breakage(
    "does not say what a destroy of a set has left",
    "resources/set/set",
    "throw new Error(leftAfterDestroy(failures, entries, this.#naming, session));",
    "throw failures[0]?.error;",
  ),
  breakage(
    "makes a set beside the rest of a killed update without a word",
    "resources/set/set",
    "if (twins.length === 0) return;",
    "return;",
  ),
];
