import { expect } from "chai";
import { SettingsError } from "../../../provider/api/errors";
import {
  fromEnvironment,
  isLoopback,
  resolveSettings,
  settingFailures,
} from "../../../provider/api/settings";
import { environmentVariable, type SettingName } from "../../../provider/api/settingsSchema";

type Raw = Partial<Record<SettingName, string>>;

const valid: Raw = {
  baseUrl: "https://api.example.com",
  obsBaseUrl: "http://127.0.0.1:8000",
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

function mistakeIn(raw: Raw): string {
  try {
    resolve(raw);
  } catch (error) {
    expect(error).to.be.instanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error(`${JSON.stringify(raw)} was accepted`);
}

describe("settings", () => {
  it("are read from text", () => {
    expect(resolve(valid)).to.deep.equal({
      ...valid,
      validateDashboards: false,
      refreshBeforeUpdate: true,
      timeoutSeconds: 12.5,
      maxRetries: 0,
      requestsPerSecond: 0.5,
    });
  });

  it("have defaults where there is a good one, and are missing otherwise", () => {
    expect(resolve({})).to.deep.equal({
      dialect: "neutral",
      onConflict: "warn",
      refreshBeforeUpdate: false,
      timeoutSeconds: 30,
      maxRetries: 4,
      requestsPerSecond: 0,
    });
  });

  it("have the addresses of the dialect, unless others are given", () => {
    expect(resolve({ dialect: "clickhouse" })).to.include({
      baseUrl: "https://api.clickhouse.cloud",
      obsBaseUrl: "https://api.hyperdx.io",
    });
    const given = { baseUrl: "https://api.example.com", obsBaseUrl: "http://127.0.0.1:8000" };
    expect(resolve({ dialect: "clickhouse" }, given)).to.include(given);
    expect(resolve({ dialect: "neutral" })).to.not.have.any.keys("baseUrl", "obsBaseUrl");
  });

  it("come from the first source that has them, each by itself", () => {
    const explicit = { keyId: "explicit" };
    const environment = { keyId: "environment", keySecret: "environment" };
    const configuration = {
      keyId: "configuration",
      keySecret: "configuration",
      accessToken: "configuration",
    };
    expect(resolve(explicit, environment, configuration)).to.include({
      keyId: "explicit",
      keySecret: "environment",
      accessToken: "configuration",
    });
  });

  it("that are blank in one source come from the next", () => {
    expect(resolve({ keyId: "", keySecret: "  " }, { keyId: "next", keySecret: "next" })).to.include({
      keyId: "next",
      keySecret: "next",
    });
  });

  it("are not looked for in further sources once one is unusable", () => {
    expect(() => resolve({ maxRetries: "many" }, { maxRetries: "3" })).to.throw(
      SettingsError,
      /^setting maxRetries/,
    );
  });

  it("lose the white space around them", () => {
    expect(resolve({ keySecret: " 4b1dSecret\n", maxRetries: " 3 " })).to.include({
      keySecret: "4b1dSecret",
      maxRetries: 3,
    });
  });

  const accepted: [SettingName, string, string | number][] = [
    ["baseUrl", "https://api.example.com/", "https://api.example.com"],
    ["baseUrl", "https://api.example.com/warehouse//", "https://api.example.com/warehouse"],
    ["baseUrl", "HTTPS://API.Example.com:8443", "https://api.example.com:8443"],
    ["baseUrl", "http://localhost:3000", "http://localhost:3000"],
    ["baseUrl", "http://stack.localhost:3000", "http://stack.localhost:3000"],
    ["obsBaseUrl", "http://127.9.8.7", "http://127.9.8.7"],
    ["obsBaseUrl", "http://[::1]:8000", "http://[::1]:8000"],
    ["organizationId", "0D5F8C0E-54CE-4A1C-8A0E-0B8C6C3FB6A5", "0D5F8C0E-54CE-4A1C-8A0E-0B8C6C3FB6A5"],
    ["timeoutSeconds", "1", 1],
    ["timeoutSeconds", "600", 600],
    ["maxRetries", "10", 10],
    ["requestsPerSecond", "1000", 1000],
    ["keySecret", "a:b/c+d=!~", "a:b/c+d=!~"],
  ];
  for (const [name, text, value] of accepted) {
    it(`accept ${name} ${text}`, () => {
      expect(resolve({ [name]: text })[name]).to.equal(value);
    });
  }

  const refused: [SettingName, string, RegExp][] = [
    ["baseUrl", "api.example.com", /must be an https:\/\/ address/],
    [
      "baseUrl",
      "http://api.example.com",
      /must be an https:\/\/ address .*\(found "http:\/\/api\.example\.com"\)/,
    ],
    ["baseUrl", "http://127.0.0.1.example.com", /since it carries credentials/],
    ["baseUrl", "http://localhost.example.com", /must be an https/],
    ["baseUrl", "http://10.0.0.1", /must be an https/],
    ["baseUrl", "http://[::2]", /must be an https/],
    ["baseUrl", "ftp://api.example.com", /must be an https/],
    ["baseUrl", "https://api.example.com/#top", /without user, query or fragment/],
    ["obsBaseUrl", "https://", /must be an https/],
    ["obsBaseUrl", "javascript:alert(1)", /must be an https/],
    ["organizationId", "my-organization", /must be a uuid, such as [-0-9a-f]+ \(found "my-organization"\)/],
    ["organizationId", "0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5/../x", /must be a uuid/],
    ["serviceId", "0d5f8c0e54ce4a1c8a0e0b8c6c3fb6a5", /must be a uuid/],
    ["dialect", "Neutral", /must be neutral or clickhouse \(found "Neutral"\)/],
    ["dialect", "hyperdx", /must be neutral or clickhouse/],
    ["observabilityVia", "none", /must be both, management or observability \(found "none"\)/],
    ["onConflict", "ignore", /must be warn or fail \(found "ignore"\)/],
    ["refreshBeforeUpdate", "1", /must be true or false \(found "1"\)/],
    ["timeoutSeconds", "0.5", /must be a number of seconds from 1 to 600 \(found "0.5"\)/],
    ["timeoutSeconds", "601", /from 1 to 600/],
    ["timeoutSeconds", "30s", /from 1 to 600/],
    ["timeoutSeconds", "NaN", /from 1 to 600/],
    ["maxRetries", "-1", /must be a whole number from 0 to 10/],
    ["maxRetries", "2.5", /must be a whole number/],
    ["maxRetries", "11", /from 0 to 10/],
    ["validateDashboards", "yes", /must be true or false \(found "yes"\)/],
    ["validateDashboards", "constructor", /must be true or false/],
    ["requestsPerSecond", "-1", /must be a number from 0.01 to 1000, or 0 for the dialect's limit/],
    ["requestsPerSecond", "Infinity", /to 1000/],
  ];
  for (const [name, text, rule] of refused) {
    it(`refuse ${name} ${text}`, () => {
      const message = mistakeIn({ ...valid, [name]: text });
      expect(message).to.match(rule);
      expect(message.startsWith(`setting ${name} must `), message).to.equal(true);
      expect(message).to.include(`"pulumi config set pipestack:${name} <value>"`);
      expect(message.endsWith(`the environment variable ${environmentVariable(name)}`), message).to.equal(
        true,
      );
    });
  }

  const hidden: [SettingName, string, string][] = [
    ["keyId", "half a-secret", "a-secret"],
    ["keyId", "signingKey:a-secret", "a-secret"],
    ["keySecret", "half a-secret", "a-secret"],
    ["keySecret", "a-secrét", "a-secr"],
    ["accessToken", "Bearer a-secret", "a-secret"],
    ["accessToken", "a-secret\u0000", "a-secret"],
    ["baseUrl", "https://user:a-secret@api.example.com", "a-secret"],
    ["baseUrl", "https://api.example.com?key=a-secret", "a-secret"],
    ["obsBaseUrl", "user:a-secret@api.example.com", "a-secret"],
  ];
  for (const [name, text, secret] of hidden) {
    it(`do not show what may be a secret: ${name} ${JSON.stringify(text)}`, () => {
      const message = mistakeIn({ ...valid, [name]: text });
      expect(message).not.to.include(secret);
      expect(message).to.include(`setting ${name} must be `);
    });
  }
});

describe("unusable settings", () => {
  it("are told all at once", () => {
    const given = { ...valid, maxRetries: "many", baseUrl: "nowhere", keySecret: "a secret" };
    const failures = settingFailures(given);
    expect(failures.map(({ name }) => name)).to.deep.equal(["baseUrl", "keySecret", "maxRetries"]);
    for (const { name, message } of failures) {
      expect(message).to.equal(mistakeIn({ [name]: (given as Raw)[name] }));
      expect(message).to.match(new RegExp(`^setting ${name} must be .*; set it with "pulumi config set `));
    }
    expect(mistakeIn(given)).to.equal(failures.map(({ message }) => message).join("\n"));
  });

  it("are none where all is well, blank or missing", () => {
    expect(settingFailures(valid)).to.deep.equal([]);
    expect(settingFailures({ maxRetries: " ", baseUrl: undefined })).to.deep.equal([]);
  });
});

describe("the environment", () => {
  it("is read afresh each time", () => {
    const kept = process.env.PIPESTACK_KEY_SECRET;
    try {
      process.env.PIPESTACK_KEY_SECRET = "first";
      expect(resolveSettings([fromEnvironment]).keySecret).to.equal("first");
      process.env.PIPESTACK_KEY_SECRET = "rotated";
      expect(resolveSettings([fromEnvironment]).keySecret).to.equal("rotated");
    } finally {
      if (kept === undefined) delete process.env.PIPESTACK_KEY_SECRET;
      else process.env.PIPESTACK_KEY_SECRET = kept;
    }
  });
});

describe("a loopback address", () => {
  for (const host of ["localhost", "a.localhost", "127.0.0.1", "127.255.0.1", "[::1]"]) {
    it(`can be ${host}`, () => expect(isLoopback(host)).to.equal(true));
  }
  for (const host of [
    "localhost.example.com",
    "notlocalhost",
    "127.0.0.1.example.com",
    "128.0.0.1",
    "[::]",
    "0.0.0.0",
  ]) {
    it(`cannot be ${host}`, () => expect(isLoopback(host)).to.equal(false));
  }
});
