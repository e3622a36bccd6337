import { expect } from "chai";
import { SettingsError } from "../../../provider/api/errors";
import {
  forgottenCredentials,
  missingSettings,
  requireSetting,
  resolveSettings,
} from "../../../provider/api/settings";
import { environmentVariable, type SettingName } from "../../../provider/api/settingsSchema";

type Given = Partial<Record<SettingName, string>>;

const resolved = (given: Given) => resolveSettings([(name) => given[name]]);

describe("settings", () => {
  it("say how to set what is missing: secrets as secrets", () => {
    const commandFor = (name: Parameters<typeof requireSetting>[1]) => {
      try {
        requireSetting(resolved({}), name);
      } catch (error) {
        expect(error).to.be.instanceOf(SettingsError);
        return (error as Error).message;
      }
      throw new Error(`${name} is not missing`);
    };
    const plain = ["baseUrl", "obsBaseUrl", "organizationId", "serviceId", "keyId"] as const;
    for (const name of plain) {
      expect(commandFor(name)).to.equal(
        `setting ${name} is missing; set it with "pulumi config set pipestack:${name} <value>" or the environment variable ${environmentVariable(name)}`,
      );
    }
    for (const name of ["keySecret", "accessToken"] as const) {
      expect(commandFor(name)).to.equal(
        `setting ${name} is missing; set it with "pulumi config set --secret pipestack:${name} <value>" or the environment variable ${environmentVariable(name)}`,
      );
    }
  });

  it("are named all at once, with the way to set them", () => {
    expect(missingSettings(["serviceId", "keySecret", "accessToken"])).to.equal(
      'settings serviceId, keySecret and accessToken are missing; set each with "pulumi config set pipestack:<name> <value>" (--secret for keySecret and accessToken) or the environment variables PIPESTACK_SERVICE_ID, PIPESTACK_KEY_SECRET and PIPESTACK_ACCESS_TOKEN',
    );
  });

  const key = { keyId: "k", keySecret: "s" };
  const choices: readonly (readonly [string, Given, string | undefined])[] = [
    ["nothing", {}, undefined],
    ["a key", key, undefined],
    ["a token", { accessToken: "t" }, undefined],
    ["both", { ...key, accessToken: "t", obsBaseUrl: "https://obs.example.com" }, undefined],
    [
      "a key, and the address of the other API",
      { ...key, obsBaseUrl: "https://obs.example.com" },
      "the management API alone, since obsBaseUrl is set without accessToken;",
    ],
    [
      "a token, and half a key",
      { accessToken: "t", keyId: "k" },
      "the observability API alone, since keyId is set without keySecret;",
    ],
    [
      "a token, and a service",
      { accessToken: "t", serviceId: "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11" },
      "the observability API alone, since serviceId is set without keyId and keySecret;",
    ],
    [
      "the same, and said to be meant",
      { accessToken: "t", keyId: "k", observabilityVia: "observability" },
      undefined,
    ],
    [
      "a token, and addresses that all servers of the dialect have",
      { accessToken: "t", dialect: "clickhouse" },
      undefined,
    ],
  ];
  for (const [what, given, expected] of choices) {
    it(`are ${expected ? "" : "not "}told to be forgotten with ${what}`, () => {
      const told = forgottenCredentials(resolved(given));
      if (expected === undefined) expect(told).to.equal(undefined);
      else expect(told).to.include(`dashboards and alerts go through ${expected}`);
    });
  }

  it("that are there are simply returned", () => {
    expect(requireSetting(resolved({ keySecret: "4b1dSecret" }), "keySecret")).to.equal("4b1dSecret");
  });
});
