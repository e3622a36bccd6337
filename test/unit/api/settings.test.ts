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
import { settingVariable } from "../../pipestackCommand";
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

describe("Provider settings", () => {
  it("settings that are booleans and numbers are parsed from text", () => {
    expect(resolve(valid)).to.deep.equal({
      ...valid,
      validateDashboards: false,
      refreshBeforeUpdate: true,
      timeoutSeconds: 12.5,
      maxRetries: 0,
      requestsPerSecond: 0.5,
    });
  });

  it("settings have secure defaults, and settings without a default are missing", () => {
    expect(resolve({ dialect: "neutral" })).to.deep.equal({
      dialect: "neutral",
      onConflict: "warn",
      refreshBeforeUpdate: false,
      timeoutSeconds: 30,
      maxRetries: 4,
      requestsPerSecond: 0,
    });
  });

  it("the API URLs of the dialect clickhouse apply unless the settings name other URLs", () => {
    expect(resolve({ dialect: "clickhouse" })).to.include({
      baseUrl: "https://api.clickhouse.cloud",
      obsBaseUrl: "https://api.hyperdx.io",
    });
    const given = { baseUrl: "https://api.example.com", obsBaseUrl: "http://127.0.0.1:8000" };
    expect(resolve({ dialect: "clickhouse" }, given)).to.include(given);
    expect(resolve({ dialect: "neutral" })).to.not.have.any.keys("baseUrl", "obsBaseUrl", "pageUrl");
  });

  describe("The dialect of settings without one", () => {
    const { baseUrl, obsBaseUrl, pageUrl, keyId } = valid;
    const cases: [given: Raw, dialect: string, isTold: boolean][] = [
      [{}, "clickhouse", true],
      [{ keyId, pageUrl, baseUrl: " ", dialect: "" }, "clickhouse", true],
      [{ baseUrl }, "neutral", false],
      [{ obsBaseUrl }, "neutral", false],
      [{ dialect: "clickhouse" }, "clickhouse", false],
      [{ dialect: "neutral" }, "neutral", false],
    ];
    function resolvedAndTold(given: Raw) {
      const told: string[] = [];
      const settings = resolveSettings([() => undefined, (name) => given[name]], (text) => told.push(text));
      return { settings, told };
    }

    it("without a dialect, the dialect is neutral if the address of an API is set, and else clickhouse", () => {
      for (const [given, dialect] of cases)
        expect(resolvedAndTold(given).settings, JSON.stringify(given)).to.include({ dialect });
      expect(resolve({})).to.include({
        baseUrl: "https://api.clickhouse.cloud",
        obsBaseUrl: "https://api.hyperdx.io",
      });
    });

    it("a user is told of the dialect only if it is clickhouse without being set", () => {
      for (const [given, , isTold] of cases)
        expect(resolvedAndTold(given).told, JSON.stringify(given)).to.deep.equal(
          isTold
            ? [
                "the setting dialect is clickhouse, since neither baseUrl nor obsBaseUrl is set; set it to confirm that",
              ]
            : [],
        );
    });
  });

  it("each setting comes from the first source that has a text which is not blank", () => {
    const explicit = { keyId: "explicit", accessToken: " ", baseUrl: "" };
    const environment = { keyId: "environment", keySecret: "environment" };
    const stack = { keyId: "stack", keySecret: "stack", accessToken: "stack" };
    expect(resolve(explicit, environment, stack)).to.include({
      ...{ keyId: "explicit", keySecret: "environment", accessToken: "stack" },
    });
  });

  it("settings are read from the environment each time they are needed", () => {
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
  // Other spellings of loopback addresses, which a URL normalizes before any of them is resolved.
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
    it(`the setting ${name} accepts ${JSON.stringify(text)} as ${value}`, () => {
      expect(resolve({ [name]: text })[name]).to.equal(value);
    });
});

describe("Missing provider settings", () => {
  it("a missing setting fails at its first use, and the error says how to set it", () => {
    expect(requireSetting(resolve(valid), "keySecret")).to.equal(valid.keySecret);
    expect(() => requireSetting(resolve({}), "keySecret")).to.throw(
      SettingsError,
      /^setting keySecret is missing; set it with "pulumi config set --secret pipestack:keySecret/,
    );
  });

  it("an error names all missing settings at once, and how to set each", () => {
    expect(missingSettings(["serviceId", "keySecret", "accessToken"])).to.equal(
      'settings serviceId, keySecret and accessToken are missing; set each with "pulumi config set pipestack:<name> <value>" (--secret for keySecret and accessToken) or the environment variables PIPESTACK_SERVICE_ID, PIPESTACK_KEY_SECRET and PIPESTACK_ACCESS_TOKEN',
    );
  });

  const key = { keyId: "k", keySecret: "s" };
  const obsBaseUrl = "https://obs.example.com";
  const choices: { readonly [what: string]: readonly [given: Raw, because?: string] } = {
    "no credentials": [{}],
    "a key": [key],
    "a token": [{ accessToken: "t" }],
    both: [{ ...key, accessToken: "t", obsBaseUrl }],
    "a key, and the URL of the observability API": [
      { ...key, obsBaseUrl },
      "the management API alone, since obsBaseUrl is set without accessToken;",
    ],
    "a token, and a keyId without keySecret": [
      { accessToken: "t", keyId: "k" },
      "the observability API alone, since keyId is set without keySecret;",
    ],
    "a token, and a service": [
      { accessToken: "t", serviceId: "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11" },
      "the observability API alone, since serviceId is set without keyId and keySecret;",
    ],
    "a token, a keyId without keySecret, and observabilityVia": [
      { accessToken: "t", keyId: "k", observabilityVia: "observability" },
    ],
    "a token, and a dialect with default URLs": [{ accessToken: "t", dialect: "clickhouse" }],
  };
  for (const [what, [given, because]] of Object.entries(choices))
    it(`the provider ${because ? "suspects" : "does not suspect"} forgotten credentials if the settings have ${what}`, () => {
      const told = forgottenCredentials(resolve(given));
      if (because === undefined) expect(told).to.equal(undefined);
      else expect(told).to.include(`dashboards and alerts go through ${because}`);
    });
});

describe("Credentials of ClickHouse Cloud beside those of a server of one's own", () => {
  const both = { dialect: "clickhouse", accessToken: "t", keyId: "k", keySecret: "s" };
  const own = { ...both, obsBaseUrl: "https://hyperdx.example.com" };
  const warned =
    "dashboards and alerts go to ClickHouse Cloud, and not to the server of obsBaseUrl (https://hyperdx.example.com), since there is a key, too; to have them there, set observabilityVia to observability; to confirm that they are in the cloud, set it to management";

  it("a warning says where dashboards and alerts go", () => {
    expect(forgottenCredentials(resolve(own))).to.equal(warned);
  });

  for (const [what, given] of Object.entries({
    "the product's own addresses": both,
    "a declared observabilityVia": { ...own, observabilityVia: "management" },
    "a management API of one's own": { ...own, baseUrl: "https://api.example.com" },
    "a token alone": { ...own, keyId: undefined, keySecret: undefined },
  }))
    it(`nothing is said of ${what}`, () => expect(forgottenCredentials(resolve(given))).to.equal(undefined));
});

describe("Several invalid provider settings", () => {
  it("an error names all invalid settings at once", () => {
    const given: Raw = { ...valid, maxRetries: "many", baseUrl: "nowhere", keySecret: "a secret" };
    const failures = settingFailures(given);
    expect(failures.map(({ name }) => name)).to.deep.equal(["baseUrl", "keySecret", "maxRetries"]);
    expect(() => resolve(given)).to.throw(SettingsError, failures.map(({ message }) => message).join("\n"));
  });
});

const withoutPath = (path: string) =>
  `must be an https:// address (http:// only for this machine's loopback addresses, since it carries credentials), without user, query or fragment, and without ${path}, which each request adds`;
const rules = {
  baseUrl: withoutPath("/v1"),
  obsBaseUrl: withoutPath("/api/v2"),
  pageUrl:
    "must be an https:// address (http:// only for this machine's loopback addresses), without user, query or fragment, and without /dashboards, which each link adds",
  id: "must be a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11",
  credential: "must be printable ASCII without spaces",
  dialect: "must be neutral or clickhouse",
  observabilityVia: "must be both, management or observability",
  onConflict: "must be warn or fail",
  flag: "must be true or false",
  timeoutSeconds: "must be a number of seconds from 1 to 600",
  maxRetries: "must be a whole number from 0 to 10",
  requestsPerSecond: "must be a number from 0.01 to 1000, or 0 for the dialect's limit",
};

/** URLs that seem to be this machine's but are not, or that do not use http. */
const elsewhere = [
  ...[
    "http://api.example.com",
    "HTTP://API.EXAMPLE.COM",
    "http:api.example.com",
    "api.example.com",
    "https://",
  ],
  ...["http:\\\\api.example.com", "ht\ttp://api.example.com", "http://127.0.0.1.example.com"],
  ...["http://127.0.0.1\t.example.com", "http://localhost.example.com", "http://localhost."],
  ...["http://LOCALHOST.", "http://my-localhost", "http://localhost%2eexample.com", "http://0.0.0.0"],
  ...["http://0", "http://128.0.0.1", "http://2130706434.example.com", "http://0x7e000001"],
  ...["http://10.0.0.1", "http://192.168.0.1", "http://169.254.169.254", "http://[::]"],
  ...["http://[::ffff:10.0.0.1]", "http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]"],
  ...["http://[64:ff9b::7f00:1]", "http://[fe80::1]", "http://user@127.0.0.1"],
  ...["http://127.0.0.1@example.com", "http://127.0.0.1:80@example.com"],
  ...["http://127.0.0.1#@example.com", "http://127.0.0.1?@example.com"],
  ...["http://example.com#127.0.0.1", "http://ⓔⓧⓐⓜⓟⓛⓔ.com", "ws://127.0.0.1", "ftp://127.0.0.1"],
  ...["file:///etc/passwd", "data:text/plain,a", "javascript:alert(1)", "unix:/var/run/docker.sock"],
  ...["https://user:password@api.example.com", "https://api.example.com?key=1", "https://a.example.com/#top"],
];

/** Characters that cannot be part of an HTTP header, so the provider refuses credentials with them. */
const endings = ["\n", "\r\n", "\r", "\u0000", "\u2028", "\u0085", "\t", " ", "é"];
const uuid = "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
const injected = (first: string) => endings.map((ending) => `${first}${ending}X-Injected: yes`);

/** For each setting, its rule and the values that it must refuse. */
const refused: readonly (readonly [SettingName, rule: string, values: readonly string[]])[] = [
  ["baseUrl", rules.baseUrl, [...elsewhere, "https://api.example.com/v1/"]],
  ["obsBaseUrl", rules.obsBaseUrl, [...elsewhere, "https://obs.example.com/team/api/v2//"]],
  ["pageUrl", rules.pageUrl, [...elsewhere, "https://obs.example.com/dashboards/"]],
  [
    "organizationId",
    rules.id,
    ["my-organization", uuid.replaceAll("-", ""), `${uuid}/../x`, ...injected(uuid)],
  ],
  ["serviceId", rules.id, ["warehouse", uuid.slice(0, -1), ...injected(uuid)]],
  ["keyId", rules.credential, ["key:id", "key id", ...injected("first")]],
  ["keySecret", rules.credential, ["key secret with blanks", ...injected("first")]],
  ["accessToken", rules.credential, ["Bearer access-token-81c3e5f2d6", ...injected("first")]],
  ["dialect", rules.dialect, ["other", "ClickHouse", "Neutral"]],
  ["observabilityVia", rules.observabilityVia, ["cloud"]],
  ["onConflict", rules.onConflict, ["ignore"]],
  ["refreshBeforeUpdate", rules.flag, ["1"]],
  ["validateDashboards", rules.flag, ["yes", "constructor"]],
  ["timeoutSeconds", rules.timeoutSeconds, ["0", "0.5", "NaN", "601", "30s"]],
  ["maxRetries", rules.maxRetries, ["-1", "11", "1.5"]],
  ["requestsPerSecond", rules.requestsPerSecond, ["-1", "1001", "Infinity", "many"]],
];

const credentials: readonly string[] = ["keyId", "keySecret", "accessToken"];

function howToSet(name: string): string {
  const secret = ["keySecret", "accessToken"].includes(name) ? "--secret " : "";
  return `set it with "pulumi config set ${secret}pipestack:${name} <value>" or the environment variable ${settingVariable(name)}`;
}

describe("Invalid provider settings", () => {
  for (const [name, rule, values] of refused)
    for (const value of values) {
      const isHidden = credentials.includes(name) || /[@?]/.test(value);
      it(`the setting ${name} refuses ${JSON.stringify(value)}, and names its rule and how to set it${isHidden ? ", without the value" : ""}`, () => {
        const found = isHidden ? "" : ` (found ${JSON.stringify(value)})`;
        expect(() => resolveSettings([(setting) => (setting === name ? value : undefined)]))
          .to.throw(SettingsError)
          .with.property("message", `setting ${name} ${rule}${found}; ${howToSet(name)}`);
      });
    }
});
