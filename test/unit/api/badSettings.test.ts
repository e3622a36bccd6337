import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { settingVariable } from "../../pipestackCommand";
import { hostWith, type RawSettings, withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { validInputs } from "../resources/validInputs";
import { failureOf } from "./failure";
import { ScriptedServer } from "./server";

/** Credentials that no message may show. */
const secrets = { keySecret: "key-secret-4f1d0c9b7a", accessToken: "access-token-81c3e5f2d6" };

const withoutPath = (path: string) =>
  `must be an https:// address (http:// only for this machine's loopback addresses, since it carries credentials), without user, query or fragment, and without ${path}, which each request adds`;
const [address, obsAddress] = [withoutPath("/v1"), withoutPath("/api/v2")];
const uuid = "must be a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
const credential = "must be printable ASCII without spaces";
const dialect = "must be neutral or clickhouse";
const flag = "must be true or false";
const seconds = "must be a number of seconds from 1 to 600";
const retries = "must be a whole number from 0 to 10";
const rate = "must be a number from 0.01 to 1000, or 0 for the dialect's limit";

/** Setting, its raw value, the rule that it breaks. */
const cases: readonly (readonly [name: string, value: string, rule: string])[] = [
  ["baseUrl", "api.example.com", address],
  ["baseUrl", "http://api.example.com", address],
  ["baseUrl", "http://127.0.0.1.example.com", address],
  ["baseUrl", "ftp://api.example.com", address],
  ["baseUrl", "https://user:password@api.example.com", address],
  ["baseUrl", "https://api.example.com?key=1", address],
  ["baseUrl", "https://api.example.com/#top", address],
  ["baseUrl", "https://api.example.com/v1/", address],
  ["obsBaseUrl", "https://", obsAddress],
  ["obsBaseUrl", "https://obs.example.com#alerts", obsAddress],
  ["obsBaseUrl", "user:password@obs.example.com", obsAddress],
  ["obsBaseUrl", "javascript:alert(1)", obsAddress],
  ["obsBaseUrl", "http://10.0.0.1:8000", obsAddress],
  ["obsBaseUrl", "https://obs.example.com/api/v2", obsAddress],
  ["obsBaseUrl", "https://obs.example.com/team/api/v2//", obsAddress],
  ["organizationId", "my-organization", uuid],
  ["organizationId", "3f1c6a527d0e4b8f9a415c2e8d7b6f10", uuid],
  ["organizationId", "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10/../x", uuid],
  ["serviceId", "warehouse", uuid],
  ["serviceId", "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c5", uuid],
  ["keyId", "key:id", credential],
  ["keyId", "key id", credential],
  ["keySecret", "key secret with blanks", credential],
  ["keySecret", "sécret", credential],
  ["accessToken", "Bearer access-token-81c3e5f2d6", credential],
  ["accessToken", "line\nbreak", credential],
  ["dialect", "other", dialect],
  ["dialect", "ClickHouse", dialect],
  ["dialect", "Neutral", dialect],
  ["observabilityVia", "cloud", "must be both, management or observability"],
  ["onConflict", "ignore", "must be warn or fail"],
  ["refreshBeforeUpdate", "1", flag],
  ["validateDashboards", "yes", flag],
  ["validateDashboards", "constructor", flag],
  ["timeoutSeconds", "0", seconds],
  ["timeoutSeconds", "0.5", seconds],
  ["timeoutSeconds", "NaN", seconds],
  ["timeoutSeconds", "601", seconds],
  ["timeoutSeconds", "30s", seconds],
  ["maxRetries", "-1", retries],
  ["maxRetries", "11", retries],
  ["maxRetries", "1.5", retries],
  ["requestsPerSecond", "-1", rate],
  ["requestsPerSecond", "1001", rate],
  ["requestsPerSecond", "Infinity", rate],
  ["requestsPerSecond", "many", rate],
];

const hidden = ["keyId", "keySecret", "accessToken"];
const holdsCredentials = /[@?]/;

function howToSet(name: string): string {
  const secret = name in secrets ? "--secret " : "";
  return `set it with "pulumi config set ${secret}pipestack:${name} <value>" or the environment variable ${settingVariable(name)}`;
}

function complaint(name: string, value: string, rule: string): string {
  const found =
    hidden.includes(name) || holdsCredentials.test(value) ? "" : ` (found ${JSON.stringify(value)})`;
  return `setting ${name} ${rule}${found}; ${howToSet(name)}`;
}

describe("an unusable setting", () => {
  let restoreEnvironment: () => void;
  const server = new ScriptedServer();
  let valid: RawSettings;

  before(async () => {
    restoreEnvironment = withoutEnvironment();
    const { url } = await server.start();
    valid = {
      baseUrl: url,
      obsBaseUrl: url,
      organizationId: "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10",
      serviceId: "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59",
      keyId: "key-id-93b1",
      ...secrets,
    };
  });

  afterEach(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith("PIPESTACK_")) delete process.env[name];
    expect(server.requests).to.deep.equal([]);
  });

  after(async () => {
    restoreEnvironment();
    await server.close();
  });

  const { organizationId, serviceId, adoptId, ...placeless } = validInputs.Alert;

  /** What the check of a resource says that is placed by the settings. */
  async function reasonsOf(settings: RawSettings): Promise<string[]> {
    const { failures = [] } = await hostWith(settings).Alert.check({}, placeless);
    return failures.map(({ reason }) => reason);
  }

  const getChart = () => {
    const series = [{ sourceId: "a", aggFn: "count", where: "", groupBy: [] }];
    return pipestack.getChartSeries({ series, startTime: 1767225600000, endTime: 1767312000000 });
  };

  /** What a function says that finds the settings in the environment. */
  async function errorOf(settings: RawSettings, call: () => Promise<unknown> = getChart): Promise<string> {
    for (const [name, value] of Object.entries(settings))
      if (value) process.env[settingVariable(name)] = value;
    return (await failureOf(call())).message;
  }

  for (const [name, value, rule] of cases) {
    it(`is refused with its rule and the way to set it: ${name} ${JSON.stringify(value)}`, async () => {
      const settings = { ...valid, [name]: value };
      const said = complaint(name, value, rule);
      expect(await reasonsOf(settings)).to.deep.equal([said]);
      expect(await errorOf(settings)).to.equal(`pipestack.getChartSeries: ${said}`);
      if (name in secrets) expect(said).not.to.include(value);
    });
  }

  for (const name of ["organizationId", "serviceId"]) {
    it(`is named with the way to set it if no program names it either: ${name} is missing`, async () => {
      const settings = { ...valid, [name]: undefined };
      expect(await reasonsOf(settings)).to.deep.equal([`setting ${name} is missing; ${howToSet(name)}`]);
      expect(await errorOf(settings, pipestack.getPipes)).to.equal(
        `pipestack.getPipes: setting ${name} is missing; ${howToSet(name)}`,
      );
    });
  }

  for (const name of ["baseUrl", "keyId", "keySecret"]) {
    it(`is named with the way to set it before a call of the management API: ${name} is missing`, async () => {
      const { adoptId: _, ...key } = validInputs.ApiKey;
      const { ApiKey } = hostWith({ ...valid, [name]: undefined });
      const { message } = await failureOf(ApiKey.create(key));
      expect(message).to.equal(`setting ${name} is missing; ${howToSet(name)}`);
    });
  }

  for (const name of ["obsBaseUrl", "accessToken"]) {
    it(`is named with the way to set it before a call of the observability API: ${name} is missing`, async () => {
      expect(await errorOf({ ...valid, [name]: undefined })).to.equal(
        `pipestack.getChartSeries: setting ${name} is missing; ${howToSet(name)}`,
      );
    });
  }

  it("comes from an explicit provider, else from the environment, else from the stack", async () => {
    const wrong = { ...valid, dialect: "from the stack" };
    expect((await reasonsOf(wrong))[0]).to.include('"from the stack"');
    process.env.PIPESTACK_DIALECT = "from the environment";
    expect((await reasonsOf(wrong))[0]).to.include('"from the environment"');
    const explicit = { ...wrong, "pipestack-provider:dialect": "explicit" };
    expect((await reasonsOf(explicit))[0]).to.include('"explicit"');
  });
});
