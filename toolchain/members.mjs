import { introduction, sections } from "./memberNotes.mjs";

/**
 * This module writes docs/members.md: the facts in the API documents and the resource definitions about the properties of API
 * requests, with the notes of memberNotes.mjs.
 * @typedef {"management" | "observability"} Api
 * @typedef {object} TypeFacts the facts about a resource type
 * @property {Record<Api, ReadonlySet<string>>} documented the paths of the properties that a client may send, by the documents
 *   of each API
 * @property {readonly string[]} declared the paths of the properties that the provider sends
 * @property {readonly string[]} further the paths of properties that no API document has
 * @typedef {readonly [displayType: string, configType: string, required: readonly string[], optional: readonly string[]]} Kind
 */

/** Tells which API takes each property of a resource type. @param {TypeFacts} facts @returns {Map<string, string>} */
function apisOf({ documented: { management, observability }, further }) {
  const isOnBoth = management.size > 0 && observability.size > 0;
  const members = [...new Set([...management, ...observability])];
  const apiOf = (/** @type {string} */ member) => {
    if (!isOnBoth || management.has(member) === observability.has(member)) return "both";
    return management.has(member) ? "management" : "observability";
  };
  return new Map([...members, ...further].map((member) => [member, apiOf(member)]));
}

const contentOf = /^tiles\.(config|series)\./;

/** All notes of docs/members.md about a resource type, by property. @param {string} type @returns {Map<string, string>} */
function notesOf(type) {
  const { members = {}, content } = sections[type] ?? {};
  const entries = Object.entries({ ...members, ...content?.members });
  return new Map(entries.flatMap(([names, note]) => names.split(" ").map((name) => [name, note])));
}

/**
 * Lists the gaps in docs/members.md about a resource type: documented properties that a program cannot declare and no note
 * explains, declared properties that no API document has, and notes about properties that do not exist.
 * @param {string} type
 * @param {TypeFacts} facts
 */
export function gapsIn(type, facts) {
  const notes = notesOf(type);
  const apis = apisOf(facts);
  const declaredAs = (/** @type {string} */ member) =>
    /^as `(\w+)`/.exec(notes.get(member) ?? "")?.[1] ?? member;
  const isExcused = (/** @type {string} */ member) => notes.get(member)?.startsWith("not declared");
  const declared = new Set(facts.declared);
  const sent = new Set([...apis.keys()].filter((member) => !isExcused(member)).map(declaredAs));
  return {
    undeclared: [...sent].filter((member) => !declared.has(member)),
    undocumented: facts.declared.filter((property) => !sent.has(property)),
    needlessNotes: [...notes.keys()].filter((member) => !apis.has(member)),
    needlessExcuses: [...apis.keys()].filter((member) => isExcused(member) && declared.has(member)),
  };
}

/**
 * Returns the API that accepts the object around a property in requests, or `both`.
 * @param {string} member
 * @param {Map<string, string>} apis
 */
function outerApi(member, apis) {
  const outer = member.slice(0, Math.max(member.lastIndexOf("."), 0));
  return apis.get(outer) ?? "both";
}

/**
 * Makes the rows about properties in a table of docs/members.md: properties with a note, and properties that only one API has,
 * unless the row of the object around them already says so.
 * @param {string} type
 * @param {TypeFacts} facts
 * @param {Record<string, string>} notes
 * @param {(member: string) => boolean} isHere
 */
function rowsOf(type, facts, notes, isHere) {
  const apis = apisOf(facts);
  /** @type {[string[], string][]} */
  const noted = Object.entries(notes).map(([names, note]) => [names.split(" "), note]);
  const known = notesOf(type);
  const bare = [...apis].filter(
    ([member, api]) => isHere(member) && !known.has(member) && api !== outerApi(member, apis),
  );
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const [member, api] of bare) {
    const key = `${api} ${member.slice(0, member.lastIndexOf(".") + 1)}`;
    groups.set(key, [...(groups.get(key) ?? []), member]);
  }
  /** @type {[string[], string][]} */
  const all = [
    ...noted,
    ...[...groups.values()].map((members) => /** @type {[string[], string]} */ ([members, ""])),
  ];
  return all.flatMap(([members, note]) => {
    const own = ["both", "management", "observability"].map((api) => [
      api,
      members.filter((member) => apis.get(member) === api),
    ]);
    return own.flatMap(([api, some = []]) =>
      some.length === 0
        ? []
        : `| ${[...some].map((member) => `\`${member}\``).join(", ")} | ${api} |${note ? ` ${note}` : ""} |`,
    );
  });
}

const head = ["| member | API | note |", "|---|---|---|"];

/** The row about a kind of tile in a table of docs/members.md. @param {Kind} kind */
function kindRow([displayType, configType, ...cells]) {
  const texts = cells.map((names) => names.map((name) => `\`${name}\``).join(", "));
  return `| \`${displayType}\` | ${configType && `\`${configType}\` `}|${texts.map((text) => (text ? ` ${text} ` : " ")).join("|")}|`;
}

/**
 * The text of docs/members.md, about the properties of API requests.
 * @param {Record<string, TypeFacts>} types
 * @param {readonly Kind[]} kinds the kinds of tiles
 */
export function membersPage(types, kinds) {
  const blocks = Object.entries(sections).flatMap(([type, { before, members, after, content }]) => {
    const facts = types[type];
    if (!facts) throw new Error(`there is no type ${type}`);
    const isContent = (/** @type {string} */ member) => content !== undefined && contentOf.test(member);
    const rows = rowsOf(type, facts, members, (member) => !isContent(member));
    return [
      ...[`## ${type}`, "", ...(before ? [...before, ""] : [])],
      ...[...head, ...rows, "", ...(after ? [...after, ""] : [])],
      ...(content
        ? [
            ...["### Content of tiles", "", ...content.before, ""],
            ...["| `displayType` | `configType` | required | optional |", "|---|---|---|---|"],
            ...[...kinds.map(kindRow), "", ...content.between, ""],
            ...[...head, ...rowsOf(type, facts, content.members, isContent), ""],
          ]
        : []),
    ];
  });
  return ["# Members of requests", "", ...introduction, "", ...blocks].join("\n");
}
