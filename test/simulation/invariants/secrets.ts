import type { Kept } from "../actors/engine";
import { encrypted } from "../actors/secrets";
import type { Run } from "../actors/stack";
import { secretNamesIn } from "../drawnSecrets";
import type { Program } from "../program";
import type { Account } from "../simulate";
import { credentialsOf } from "../world/network";
import { isCollection, nouns } from "../world/nouns";
import type { Invariant, Violation } from "./violation";

/** No secret is in a message, in the plain text of a state or in the path of a request. */
export const keepsSecrets: Invariant = (account) => {
  const { runs, orphans, wire } = account;
  const credentials = credentialsIn(account);
  const values = valuesIn(account);
  const leaks = (text: string) =>
    credentials.find((secret) => formsOf(secret).some((form) => text.includes(form)));
  const shown = (text: string, names: readonly string[]) =>
    leaks(text) ?? [...values, ...names.flatMap(inSentences)].find((each) => text.includes(each));

  const said = [...runs, ...orphans].flatMap(({ step, messages, ...rest }): Violation[] => {
    const names = "programs" in rest ? namesKnownTo(rest) : runs.flatMap(namesKnownTo);
    const secret = shown(messages.join("\n"), names);
    return secret ? [{ promise: "keeps secrets", what: `a message shows ${secret}`, step: step.number }] : [];
  });
  // Most steps leave most of a state as it was.
  const seen = new Set<Kept["marked"]>();
  const kept = runs.flatMap((run): Violation[] => {
    const names = [...run.after].filter(([, { marked }]) => !seen.has(marked) && seen.add(marked));
    const text = JSON.stringify(encrypted(names.map(([name, { marked }]) => [name, marked])));
    const secret = shown(text, namesKnownTo(run));
    const what = `the state of stack ${run.step.actor} shows ${secret} in plain text`;
    return secret ? [{ promise: "keeps secrets", what, step: run.step.number }] : [];
  });
  // Paths stand in the logs of servers and proxies.
  const asked = leaks(wire.map(({ path }) => path).join("\n"));
  return [
    ...said,
    ...kept,
    ...(asked ? [{ promise: "keeps secrets", what: `the path of a request shows ${asked}` }] : []),
  ];
};

function credentialsIn({ store }: Account): string[] {
  return [
    ...(["a", "b", "other"] as const).flatMap((signer) => {
      const { keyId, keySecret, accessToken } = credentialsOf(signer);
      return [keySecret, `${keyId}:${keySecret}`, accessToken];
    }),
    ...store.commits.flatMap(({ after }) => (typeof after?.keySecret === "string" ? [after.keySecret] : [])),
  ];
}

/** What the records of the service have that no message shows. */
function valuesIn({ store }: Account): Set<string> {
  return new Set(
    store.commits.flatMap(({ kind, after = {} }) =>
      isCollection(kind) ? (nouns[kind].secrets ?? []).flatMap((name) => textsIn(after[name])) : [],
    ),
  );
}

/** The names that the program kept secret before a step or keeps secret after it. */
function namesKnownTo({ programs }: Pick<Run, "programs">): string[] {
  const inProgram = (program: Program) => [...program.values()].flatMap(({ args }) => secretNamesIn(args));
  return [...new Set(programs.flatMap(inProgram))];
}

function inSentences(name: string): string[] {
  return [name, JSON.stringify(name).slice(1, -1)];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const known = new Map<string, readonly string[]>();

function formsOf(secret: string): readonly string[] {
  const forms = known.get(secret) ?? [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64").slice(0, -4),
    Buffer.from(secret).toString("hex"),
  ];
  if (known.size > 1000) known.clear();
  known.set(secret, forms);
  return forms;
}
