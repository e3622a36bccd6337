import { expect } from "chai";
import fc from "fast-check";
import { resolveSettings } from "../../../provider/api/settings";
import { settingNames } from "../../../provider/api/settingsSchema";
import * as pipestack from "../../../provider/index";
import { expectNoLeaks } from "../../secrets";
import { expectPlain, forAll, plainErrorOf } from "./cases";
import { useJudged } from "./judged";
import { anyJson } from "./weirdValues";

const hosts = fc.oneof(
  fc.constantFrom(
    ...["127.0.0.1", "[::1]", "localhost", "a.localhost", "api.example.com", "0x7f.1", "[::ffff:127.0.0.1]"],
    "localhost.",
  ),
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.string({ maxLength: 12 }),
);
const address = fc
  .tuple(
    fc.constantFrom("http://", "https://", "HTTP://", "http:/", "ftp://", "file://", "//", "javascript:", ""),
    fc.constantFrom("", "u@", "u:p@"),
    hosts,
    fc.constantFrom("", ":0", ":8080", ":65536", ":x"),
    fc.constantFrom("", "/", "//", "/api", "/api/", "/../x", "?a=b", "#c", "\n", "\u0000"),
  )
  .map((parts) => parts.join(""));
const text = fc.oneof(
  address,
  fc.string({ unit: "binary" }),
  fc.uuid(),
  // The fuzz test leaves out NaN: a message would repeat it as the invalid value, and the test forbids words of JavaScript in
  // messages.
  fc.double({ noNaN: true }).map(String),
  fc.integer().map(String),
  fc.constantFrom(
    ...["", " ", "neutral", "clickhouse", "both", "management", "warn", "fail", "true", "0", "1e3", "0x10"],
    ...['{"unit":"core"}', '{"unit":""}', '{"a b":"c"}', '{"a":1}', "{}", "[]", "null", "{"],
    ...["1".repeat(400), "x".repeat(100_000), `${"/".repeat(50_000)}x`, "\u202e", "\u001b[31m"],
  ),
);

/** For each provider setting, the rule for its values that the table in docs/settings.md states. */
const rules: { readonly [name: string]: (value: unknown) => boolean } = {
  baseUrl: isAddress,
  obsBaseUrl: isAddress,
  pageUrl: isAddress,
  organizationId: isUuid,
  serviceId: isUuid,
  keyId: (value) => isCredential(value) && !String(value).includes(":"),
  keySecret: isCredential,
  accessToken: isCredential,
  dialect: (value) => value === "neutral" || value === "clickhouse",
  observabilityVia: (value) =>
    value === undefined || ["both", "management", "observability"].includes(value as string),
  validateDashboards: (value) => value === undefined || typeof value === "boolean",
  defaultTags: (value) =>
    value === undefined ||
    Object.entries(value as object)
      .flat()
      .every((text) => /^[\w.-]+$/.test(text)),
  onConflict: (value) => value === "warn" || value === "fail",
  refreshBeforeUpdate: (value) => typeof value === "boolean",
  timeoutSeconds: (value) => isWithin(value, 1, 600),
  maxRetries: (value) => isWithin(value, 0, 10) && Number.isInteger(value),
  requestsPerSecond: (value) => value === 0 || isWithin(value, 0.01, 1000),
};

function isAddress(value: unknown): boolean {
  const url = new URL(String(value));
  const isHere = url.hostname === "localhost" || /^127\.|\.localhost$|^\[::1\]$/.test(url.hostname);
  const isBare = url.username + url.password + url.search + url.hash === "";
  return (
    isBare &&
    (url.protocol === "https:" || (url.protocol === "http:" && isHere)) &&
    !/\/$/.test(String(value))
  );
}

function isUuid(value: unknown): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value));
}

function isCredential(value: unknown): boolean {
  return [...String(value)].every((character) => character > " " && character <= "~");
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

/** Defines fuzz tests that give every provider setting arbitrary values. */
export function fuzzSettings(): void {
  describe("Fuzzed provider settings", () => {
    it("the rules of the fuzz tests cover exactly the settings of the schema", () => {
      expect(Object.keys(rules)).to.have.members(settingNames);
    });

    const settings = fc.dictionary(fc.constantFrom(...settingNames), text, { maxKeys: 3 });
    forAll(
      "the provider refuses fuzzed settings with a plain error, or resolves them as the README says",
      4000,
      settings,
      (values) => {
        let settings: object;
        try {
          settings = resolveSettings([(name) => values[name]]);
        } catch (error) {
          const { message } = error as Error;
          for (const line of message.split("\n")) {
            expect(line).to.match(
              /^setting \w+ must be .+; set it with "pulumi config set .+" or the environment variable PIPESTACK_[A-Z_]+$/,
            );
            expectPlain(line.replace(/\(found ".*"\)/, ""));
            expect(line.length).to.be.below(600);
          }
          for (const name of ["keyId", "keySecret", "accessToken"]) {
            const secret = values[name] ?? "";
            if (secret.length > 12) expectNoLeaks({ [name]: secret }, { message });
          }
          return;
        }
        for (const [name, value] of Object.entries(settings))
          expect(rules[name]?.(value), `${name}: ${value}`).to.equal(true);
      },
    );

    describe("fuzzed settings of explicit providers", () => {
      const judged = useJudged();
      let count = 0;
      const setting = fc.tuple(
        fc.constantFrom(...settingNames),
        fc.oneof(anyJson, text, fc.constantFrom(undefined, Number.NaN)),
      );

      forAll(
        "an explicit provider refuses fuzzed settings with a plain error, or sends valid requests",
        150,
        setting,
        async ([name, value]) => {
          const { judge } = judged;
          judge.reset();
          await plainErrorOf(async () => {
            // All requests with one API key share a rate limiter, so each fuzzed case has its own key.
            const args = { ...judge.settings, keyId: `key${count}`, timeoutSeconds: 5, [name]: value };
            const words = typeof value === "string" ? value.trim() : "";
            const isElsewhere = /Url$/.test(name) && /^https?:/i.test(words);
            // The judge, a server that replaces the API in these tests, has only the neutral dialect.
            const isInOtherWords = name === "dialect" && /^clickhouse$/i.test(words);
            const provider = new pipestack.Provider(`p${count++}`, args as never);
            // If a fuzzed setting has the URL of another server, a request would reach that server, so the test sends none.
            if (!isElsewhere && !isInOtherWords) await pipestack.getPipes({}, { provider });
          });
          expect(judge.faults.join("\n")).to.equal("");
        },
      );
    });
  });
}
