import { expect } from "chai";
import { SettingsError } from "../../../provider/api/errors";
import { resolveSettings } from "../../../provider/api/settings";
import type { SettingName } from "../../../provider/api/settingsSchema";
import { settingVariable } from "../../pipestackCommand";

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

/** Not this machine, however much it looks like it; or not http at all. */
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

/** What would end the header that a credential or an id is sent in. */
const endings = ["\n", "\r\n", "\r", "\u0000", "\u2028", "\u0085", "\t", " ", "é"];
const uuid = "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
const injected = (first: string) => endings.map((ending) => `${first}${ending}X-Injected: yes`);

/** Values of each setting that it refuses. */
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

describe("Unusable settings", () => {
  for (const [name, rule, values] of refused)
    for (const value of values) {
      const isHidden = credentials.includes(name) || /[@?]/.test(value);
      it(`refuses ${name} ${JSON.stringify(value)} with its rule and the way to set it${isHidden ? ", without the value" : ""}`, () => {
        const found = isHidden ? "" : ` (found ${JSON.stringify(value)})`;
        expect(() => resolveSettings([(setting) => (setting === name ? value : undefined)]))
          .to.throw(SettingsError)
          .with.property("message", `setting ${name} ${rule}${found}; ${howToSet(name)}`);
      });
    }
});
