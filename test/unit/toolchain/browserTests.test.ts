import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";

const root = join(__dirname, "..", "..", "..");

describe("The browser of the tests", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-browser-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const inProcess = (program: string, environment: Record<string, string> = {}) =>
    execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: root,
      encoding: "utf8",
      env: {
        PATH: folder,
        HOME: folder,
        PLAYWRIGHT_BROWSERS_PATH: join(folder, "playwright"),
        ...environment,
      },
    }).trim();
  const found = (environment?: Record<string, string>) =>
    inProcess(
      'import { installedChromium } from "./toolchain/chromium.mjs"; console.log(installedChromium());',
      environment,
    );
  const add = async (path: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
    await chmod(path, 0o755);
    return path;
  };

  it("tests prefer the browser of CHROME_BIN, then one on the PATH, then that of Playwright", async () => {
    expect(found()).to.equal("undefined");
    const place = inProcess(
      'import { chromium } from "playwright-core"; console.log(chromium.executablePath());',
    );
    const ofPlaywright = await add(place);
    expect(found()).to.equal(ofPlaywright);
    const onPath = await add(join(folder, "chromium-browser"));
    expect(found()).to.equal(onPath);
    expect(found({ CHROME_BIN: "/opt/mine" })).to.equal("/opt/mine");
  });

  it("a run without a browser leaves its tests out in one line, unless it has to have them", async () => {
    const { withBrowserIfAny } = await import("../../../toolchain/browserTests.mjs");
    const [unit, browser] = [{ part: "unit" }, { part: "browser" }];
    expect(withBrowserIfAny([unit, browser], "/usr/bin/chromium", true).files).to.deep.equal([unit, browser]);
    expect(withBrowserIfAny([unit], undefined, true)).to.deep.equal({ files: [unit] });
    const { files, leftOut } = withBrowserIfAny([unit, browser], undefined, false);
    expect(files).to.deep.equal([unit]);
    expect(leftOut).to.match(
      /^Left out: 1 file of tests in a browser, since there is none: install [^\n]*CHROME_BIN/,
    );
    expect(() => withBrowserIfAny([unit, browser], undefined, true)).to.throw(/^Not to be run: 1 file of/);
  });
});
