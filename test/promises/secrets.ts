import { createHash } from "node:crypto";
import { formsOf } from "../secrets";
import type { Account, Kept, Run } from "./account";
import { heldIn } from "./held";
import { kindOf, ofKind } from "./kinds";
import { isSameId, promise } from "./promise";
import type { Data } from "./store";

export const keepsSecrets = promise(
  "keeps secrets",
  "No secret is in a message, in the plain text of a state or in the path of a request.",
  [],
  (account) => {
    const { runs, orphans = [], wire = [], places = {} } = account;
    const credentials = credentialsIn(account);
    const values = valuesIn(account);
    const leaksIn = (text: string) =>
      credentials.find((secret) => writtenForms(secret).some((form) => text.includes(form)));
    const shown = (text: string, words: readonly string[]) =>
      leaksIn(text) ?? [...values, ...words.flatMap(writtenForms)].find((each) => text.includes(each));
    const allWords = [...new Set(runs.flatMap(({ secretWords }) => secretWords))];
    const texts = [
      ...runs.flatMap((run) => {
        const { step, messages, printed, secretWords: words, plainState } = run;
        const [actor, number] = [step.actor, step.number];
        return [
          { text: [...messages, printed].join("\n"), words, place: "a message", step: number },
          {
            text: plainState(),
            words: wordsKnownTo(run),
            place: `the state of stack ${actor}`,
            step: number,
          },
        ];
      }),
      ...orphans.map(({ step, messages }) => ({
        ...{ text: messages.join("\n"), words: allWords, place: "a message", step: step.number },
      })),
    ];
    // Servers and proxies write request paths to their logs, so no path may contain a secret.
    const others = { "the path of a request": wire.map(({ path }) => path).join("\n"), ...places };
    return [
      ...texts.flatMap(({ text, words, place, step }) => {
        const secret = shown(text, words);
        return secret ? [{ what: `${place} shows ${secret}`, step }] : [];
      }),
      ...Object.entries(others).flatMap(([place, text]) => {
        const secret = leaksIn(text);
        return secret ? [{ what: `${place} shows ${secret}` }] : [];
      }),
    ];
  },
);

/**
 * Returns the secret texts that a Pulumi command can know: those of the program in an update, those in the Pulumi state in
 * other commands. A killed update may have sent a secret that no state contains. What only a resource that leaves has marked is
 * unknown to another one that adopts its object.
 */
function wordsKnownTo({ step, before, programs, secretWords }: Run): readonly string[] {
  const adopted = [...programs[1].values()].map(({ args }) => args.adoptId);
  const isHandedOn = ([name, { id }]: readonly [string, Kept]) =>
    !programs[1].has(name) && adopted.some((other) => isSameId(other, id));
  const handedOn = JSON.stringify([...before].filter(isHandedOn));
  const declared = JSON.stringify([...programs[1].values()]);
  if (step.command.startsWith("up"))
    return secretWords.filter((word) => !handedOn.includes(word) || declared.includes(word));
  const state = JSON.stringify([...before.values()]);
  return secretWords.filter((word) => writtenForms(word).some((form) => state.includes(form)));
}

function credentialsIn({ credentials, store, runs }: Account): string[] {
  const issued = [
    ...store.commits.map(({ after }) => after?.keySecret),
    ...runs.flatMap(({ after }) => [...after.values()].map(({ outputs }) => outputs.keySecret)),
  ];
  return [...new Set([...credentials, ...issued.filter((secret) => typeof secret === "string")])];
}

function valuesIn({ store }: Account): Set<string> {
  return new Set(
    store.commits.flatMap(({ kind, after = {} }) =>
      (ofKind(kind).secrets ?? []).flatMap((name) => textsIn(after[name])),
    ),
  );
}

function textsIn(value: unknown): string[] {
  // Empty passwords do not count as secrets, since every text contains the empty text.
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const known = new Map<string, readonly string[]>();

function writtenForms(secret: string): readonly string[] {
  const forms = known.get(secret) ?? [...new Set(Object.values(formsOf(secret)))];
  if (known.size > 1000) known.clear();
  known.set(secret, forms);
  return forms;
}

export const hasTheSecret = promise(
  "has the secret",
  "The secret of a new key is in the state, or its creation failed.",
  [],
  ({ stacks, runs, store }) =>
    heldIn(stacks).flatMap(({ actor, name, type, id, outputs, isImported }) => {
      if (type !== "ApiKey" || store.creationOf(kindOf(type), id)?.actor !== actor) return [];
      // If a program declares the hashes of an API key, its author has the key's secret already, so the Pulumi state need not
      // contain the secret.
      const wasAdopted = runs.some(({ programs }) =>
        programs.some((program) => program.get(name)?.args.adoptId ?? program.get(name)?.args.hashData),
      );
      const { after } = store.commits.find((commit) => isSameId(commit.id, id) && commit.after) ?? {};
      if (isImported || wasAdopted || !after || isSecretOf(after, outputs.keySecret)) return [];
      return [{ what: `${name} of stack ${actor} has not the secret of key ${id}` }];
    }),
);

/** Returns true if a text is the secret of an API key. The service may store only the secret's hash. */
function isSecretOf({ keySecret, keySecretHash }: Data, secret: unknown): boolean {
  if (keySecret === undefined && keySecretHash === undefined) return true;
  if (keySecret !== undefined) return keySecret === secret;
  return keySecretHash === createHash("sha256").update(String(secret)).digest("hex");
}
