import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Interruption } from "../../../provider/api/interruption";
import { SharedLimit } from "../../../provider/api/sharedLimit";

describe("A rate limit that the processes of one machine share", () => {
  let folder: string;
  const started: ChildProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pipestack-limits-"));
  });
  afterEach(async () => {
    for (const child of started.splice(0))
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  const limit = { requests: 5, seconds: 0.5 };
  const sharedLimit = (credential = "credential", own = limit) =>
    new SharedLimit(folder, "https://api.example.com", credential, own);
  const file = () => readdirSync(folder).find((name) => /^[0-9a-f]{32}$/.test(name)) ?? "";
  /** Makes calls one after another, and returns when they began, in milliseconds from now. */
  const begun = async (shared: SharedLimit, count: number) => {
    const start = Date.now();
    const times: number[] = [];
    for (let call = 0; call < count; call++) {
      const answered = await shared.begin(new Interruption());
      times.push(Date.now() - start);
      await answered?.();
    }
    return times;
  };

  /** Starts a process that makes calls once it gets a message, and notes their moments. */
  const start = async (calls: number, moments: number[]) => {
    const args = [folder, limit.requests, limit.seconds, calls].map(String);
    const child = fork(join(__dirname, "sharedLimitProcess.ts"), args, {
      execArgv: ["--require", "tsx/cjs"],
    });
    started.push(child);
    await once(child, "message");
    child.on("message", (moment) => moments.push(Number(moment)));
    return child;
  };

  it("several processes share fairly the calls that the limit allows in a period", async () => {
    const moments = Array.from({ length: 4 }, (): number[] => []);
    const children = await Promise.all(moments.map((own) => start(7, own)));
    for (const child of children) child.send("go");
    await Promise.all(children.map((child) => once(child, "exit")));
    const all = moments.flat().sort((one, other) => one - other);
    expect(all).to.have.length(28);
    for (const [index, moment] of all.slice(limit.requests).entries())
      expect(moment - (all[index] ?? 0), `call ${index + limit.requests}`).to.be.at.least(
        1000 * limit.seconds - 1,
      );
    // None makes all its calls before another makes its first.
    const firsts = moments.map(([first = 0]) => first);
    const lasts = moments.map((own) => own.at(-1) ?? 0);
    expect(Math.max(...firsts)).to.be.below(Math.min(...lasts));
  });

  it("what a killed process leaves, its place and its lock, holds the others up for a period at most", async () => {
    const moments: number[] = [];
    const child = await start(100, moments);
    child.send("go");
    await once(child, "message");
    child.kill("SIGKILL");
    await once(child, "exit");
    writeFileSync(join(folder, `${file()}.lock`), "");
    const past = Date.now() / 1000 - 3;
    utimesSync(join(folder, `${file()}.lock`), past, past);
    const [first = 0] = await begun(sharedLimit(), 1);
    expect(first).to.be.at.most(2000);
  });

  it("after a 429 of one process, the others wait as long as the server asked", async () => {
    const answered = await sharedLimit().begin(new Interruption());
    await answered?.(400);
    const [first = 0] = await begun(sharedLimit(), 1);
    expect(first).to.be.within(395, 2000);
  });

  it("a call that is not sent after all leaves its place to others", async () => {
    const answered = await sharedLimit().begin(new Interruption());
    await answered?.("unsent");
    expect((await begun(sharedLimit(), limit.requests)).every((at) => at < 450)).to.equal(true);
  });

  it("each credential, and each limit, has a queue of its own, and no file names a credential", async () => {
    await begun(sharedLimit(), 5);
    const times = [
      ...(await begun(sharedLimit("other"), 1)),
      ...(await begun(sharedLimit("credential", { requests: 5, seconds: 2 }), 1)),
    ];
    expect(Math.max(...times)).to.be.below(450);
    expect(readdirSync(folder).join() + readFileSync(join(folder, file()), "utf8")).to.not.include(
      "credential",
    );
  });

  for (const [what, content] of [
    ["half a file", '{"heldUntil":'],
    ["moments that are none", '{"heldUntil":0,"calls":[{"id":"a","at":"soon"}]}'],
    [
      "moments of a clock that was wrong",
      `{"heldUntil":${Date.now() + 1e9},"calls":[{"id":"a","at":${Date.now() + 1e9}}]}`,
    ],
  ] as const)
    it(`a process begins at once where the file holds ${what}`, async () => {
      await begun(sharedLimit(), 1);
      writeFileSync(join(folder, file()), content);
      expect((await begun(sharedLimit(), 1))[0]).to.be.below(450);
    });

  it("a process removes what nobody has used for a day", async () => {
    await begun(sharedLimit("old"), 1);
    const [old = ""] = readdirSync(folder);
    const past = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(join(folder, old), past, past);
    await begun(sharedLimit(), 1);
    expect(readdirSync(folder)).to.deep.equal([file()]).and.not.include(old);
  });

  it("a process goes on by itself where it cannot use the folder", async function () {
    if (process.platform === "win32") this.skip();
    chmodSync(folder, 0o777);
    expect(Math.max(...(await begun(sharedLimit(), 20)))).to.be.below(450);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("an interruption ends the wait of a call, and lets those of the process behind it go on", async () => {
    const shared = sharedLimit();
    await begun(shared, 5);
    const interruption = new Interruption();
    const waiting = shared.begin(interruption);
    const start = Date.now();
    interruption.cancel();
    await waiting;
    expect(Date.now() - start).to.be.below(250);
    expect((await begun(shared, 1))[0]).to.be.at.least(450 - 250);
  });
});
