import { type Breakage, breakage } from "./breakage";

export const breakagesOfResources: readonly Breakage[] = [
  breakage(
    "forgets which creates of a set it has left in doubt",
    "resources/set/entries",
    "...(doubts.size > 0 && { doubts: Object.fromEntries(doubts) }),",
    "",
  ),
  breakage(
    "gives tiles new ids at each update",
    "resources/tiles/tiles",
    "return named.map((id, index) => id ?? (isRenamed(index) ? claim(knownIds[index]) : undefined));",
    "return named.map(() => undefined);",
  ),
  breakage(
    "gives a tile what was in its place",
    "resources/tiles/renames",
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
    "isCascadeDeleted: isDeletedWithTile,",
    "",
  ),
  breakage(
    "deletes the key that signs its requests",
    "resources/apiKey/apiKey",
    "if (!signs(state, session)) return usual(id, state, session);",
    "return usual(id, state, session);",
  ),
  breakage(
    "forgets the secret of a new key",
    "resources/apiKey/apiKey",
    'secret: true, shown: "atCreation"',
    "secret: true",
  ),
  breakage(
    "forgets the password of a connection at an update",
    "resources/connection/connection",
    '  namedBy: "name",\n\n  completenessField',
    '  namedBy: "name", encode: ({ password, ...body }, _settings, current) => (current ? body : { ...body, password }),\n\n  completenessField',
  ),
  breakage(
    "loses a set of which an entry could not be created",
    "resources/set/set",
    "if (!isKept) throw new Error(failure);",
    "throw new Error(failure);",
  ),
  breakage(
    "takes the chart of an inline alert for one that the service cannot say",
    "resources/alert/alert",
    '|| answer.source !== "inline" || isObject(answer.chartConfig)) return answer;',
    '|| answer.source !== "inline") return answer;',
  ),
  breakage(
    "names some doubts of a set alone",
    "resources/set/failures",
    "error instanceof PossiblyCreated ? [{ key, error }] : [],",
    'error instanceof PossiblyCreated && key.endsWith("0") ? [{ key, error }] : [],',
  ),
  breakage(
    "does not say what a destroy of a set has left",
    "resources/set/entryWrites",
    "throw new Error(leftAfterDestroy(failures, entries, this.#naming, session));",
    "throw failures[0]?.error;",
  ),
  breakage(
    "makes a set beside the rest of a killed update without a word",
    "resources/set/entryWrites",
    "return twins.length > 0 ? twinsMessage(twins, this.#naming) : undefined;",
    "return undefined;",
  ),
];
