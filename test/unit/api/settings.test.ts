import { expect } from "chai";
import { SettingsError } from "../../../provider/api/errors";
import {
  forgottenCredentials,
  fromEnvironment,
  missingSettings,
  requireSetting,
  resolveSettings,
  settingFailures,
} from "../../../provider/api/settings";
import type { SettingName } from "../../../provider/api/settingsSchema";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";

type Raw = Partial<Record<SettingName, string>>;

const valid: Raw = {
  baseUrl: "https://api.example.com",
  obsBaseUrl: "http://127.0.0.1:8000",
  pageUrl: "https://hyperdx.example.com",
  organizationId: "0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5",
  serviceId: "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11",
  keyId: "signingKey",
  keySecret: "4b1dSecret",
  accessToken: "token-77",
  dialect: "clickhouse",
  observabilityVia: "management",
  validateDashboards: "false",
  onConflict: "fail",
  refreshBeforeUpdate: "true",
  timeoutSeconds: "12.5",
  maxRetries: "0",
  requestsPerSecond: "0.5",
};

const resolve = (...sources: Raw[]) => resolveSettings(sources.map((source) => (name) => source[name]));

describe("Settings", () => {
  it("reads booleans and numbers from the text of settings", () => {
    expect(resolve(valid)).to.deep.equal({
      ...valid,
      validateDashboards: false,
      refreshBeforeUpdate: true,
      timeoutSeconds: 12.5,
      maxRetries: 0,
      requestsPerSecond: 0.5,
    });
  });

  it("sets safe defaults, and leaves other settings missing", () => {
    expect(resolve({})).to.deep.equal({
      dialect: "neutral",
      onConflict: "warn",
      refreshBeforeUpdate: false,
      timeoutSeconds: 30,
      maxRetries: 4,
      requestsPerSecond: 0,
    });
  });

  it("takes the addresses of the dialect unless the settings give others", () => {
    expect(resolve({ dialect: "clickhouse" })).to.include({
      baseUrl: "https://api.clickhouse.cloud",
      obsBaseUrl: "https://api.hyperdx.io",
    });
    const given = { baseUrl: "https://api.example.com", obsBaseUrl: "http://127.0.0.1:8000" };
    expect(resolve({ dialect: "clickhouse" }, given)).to.include(given);
    expect(resolve({ dialect: "neutral" })).to.not.have.any.keys("baseUrl", "obsBaseUrl", "pageUrl");
  });

  it("takes each setting from the first source that has more than blanks for it", () => {
    const explicit = { keyId: "explicit", accessToken: " ", baseUrl: "" };
    const environment = { keyId: "environment", keySecret: "environment" };
    const stack = { keyId: "stack", keySecret: "stack", accessToken: "stack" };
    expect(resolve(explicit, environment, stack)).to.include({
      ...{ keyId: "explicit", keySecret: "environment", accessToken: "stack" },
    });
  });

  it("reads settings from the environment afresh each time", () => {
    const restore = withoutEnvironment();
    try {
      for (const keySecret of ["first", "rotated"]) {
        process.env.PIPESTACK_KEY_SECRET = keySecret;
        expect(resolveSettings([fromEnvironment]).keySecret).to.equal(keySecret);
      }
    } finally {
      restore();
    }
  });

  const uuid = "0D5F8C0E-54CE-4A1C-8A0E-0B8C6C3FB6A5";
  // Other spellings of loopback addresses, which a URL turns into the usual one before anything is looked up.
  const loopback = ["0x7f000001", "2130706433", "127.1", "017700000001", "127。0。0。1"];
  for (const [name, text, value] of [
    ["baseUrl", "https://api.example.com/", "https://api.example.com"],
    ["baseUrl", "https://api.example.com/warehouse//", "https://api.example.com/warehouse"],
    ["baseUrl", "HTTPS://API.Example.com:8443", "https://api.example.com:8443"],
    ["baseUrl", "http://localhost:3000", "http://localhost:3000"],
    ["baseUrl", "http://stack.localhost:3000", "http://stack.localhost:3000"],
    ["obsBaseUrl", "http://127.255.8.7", "http://127.255.8.7"],
    ["obsBaseUrl", "http://[::1]:8000", "http://[::1]:8000"],
    ...loopback.map((host) => ["baseUrl", `http://${host}:8080`, "http://127.0.0.1:8080"] as const),
    ["organizationId", uuid, uuid],
    ["timeoutSeconds", "1", 1],
    ["timeoutSeconds", "600", 600],
    ["maxRetries", " 10 ", 10],
    ["requestsPerSecond", "1000", 1000],
    ["keySecret", "a:b/c+d=!~", "a:b/c+d=!~"],
    ["keySecret", " 4b1dSecret\n", "4b1dSecret"],
  ] as const)
    it(`accepts ${name} ${JSON.stringify(text)} as ${value}`, () => {
      expect(resolve({ [name]: text })[name]).to.equal(value);
    });
});

describe("Missing settings", () => {
  it("a missing setting fails at its first use with the way to set it", () => {
    expect(requireSetting(resolve(valid), "keySecret")).to.equal(valid.keySecret);
    expect(() => requireSetting(resolve({}), "keySecret")).to.throw(
      SettingsError,
      /^setting keySecret is missing; set it with "pulumi config set --secret pipestack:keySecret/,
    );
  });

  it("names all missing settings at once, with the way to set each", () => {
    expect(missingSettings(["serviceId", "keySecret", "accessToken"])).to.equal(
      'settings serviceId, keySecret and accessToken are missing; set each with "pulumi config set pipestack:<name> <value>" (--secret for keySecret and accessToken) or the environment variables PIPESTACK_SERVICE_ID, PIPESTACK_KEY_SECRET and PIPESTACK_ACCESS_TOKEN',
    );
  });

  const key = { keyId: "k", keySecret: "s" };
  const obsBaseUrl = "https://obs.example.com";
  const choices: { readonly [what: string]: readonly [given: Raw, because?: string] } = {
    nothing: [{}],
    "a key": [key],
    "a token": [{ accessToken: "t" }],
    both: [{ ...key, accessToken: "t", obsBaseUrl }],
    "a key, and the address of the other API": [
      { ...key, obsBaseUrl },
      "the management API alone, since obsBaseUrl is set without accessToken;",
    ],
    "a token, and half a key": [
      { accessToken: "t", keyId: "k" },
      "the observability API alone, since keyId is set without keySecret;",
    ],
    "a token, and a service": [
      { accessToken: "t", serviceId: "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11" },
      "the observability API alone, since serviceId is set without keyId and keySecret;",
    ],
    "the same, and said to be meant": [{ accessToken: "t", keyId: "k", observabilityVia: "observability" }],
    "a token, and addresses that all servers of the dialect have": [
      { accessToken: "t", dialect: "clickhouse" },
    ],
  };
  for (const [what, [given, because]] of Object.entries(choices))
    it(`missing credentials ${because ? "count" : "do not count"} as forgotten with ${what}`, () => {
      const told = forgottenCredentials(resolve(given));
      if (because === undefined) expect(told).to.equal(undefined);
      else expect(told).to.include(`dashboards and alerts go through ${because}`);
    });
});

describe("Unusable settings", () => {
  it("names all unusable settings at once", () => {
    const given: Raw = { ...valid, maxRetries: "many", baseUrl: "nowhere", keySecret: "a secret" };
    const failures = settingFailures(given);
    expect(failures.map(({ name }) => name)).to.deep.equal(["baseUrl", "keySecret", "maxRetries"]);
    expect(() => resolve(given)).to.throw(SettingsError, failures.map(({ message }) => message).join("\n"));
  });
});
