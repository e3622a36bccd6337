import { install } from "@sinonjs/fake-timers";
import { expect } from "chai";
import { withRotation } from "../../../provider/resources/apiKey/rotation";
import type { PropertyMap } from "../../../provider/values/data";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { type HostName, hosts } from "../../life/hosts";
import { settingsOf } from "../../serviceContents";
import { useVirtualTime } from "../api/virtualTime";
import { itKeeps } from "./rules";
import { validInputs } from "./validInputs";

const day = 24 * 60 * 60 * 1000;
const program = { name: "reporting", roles: ["query_endpoints"], rotateAfterDays: 30 };

const { adoptId, hashData, ...plain } = validInputs.ApiKey as PropertyMap;

describe("The rotation date of an API key", () => {
  it("a key is due on the day that begins with the first midnight at which it is old enough", () => {
    const clock = install({ now: Date.parse("2026-11-29T09:56:00Z"), toFake: ["Date"] });
    try {
      expect(withRotation({ ...program, rotateAfterDays: 90 }, {}).rotatesAt).to.equal("2027-02-28");
    } finally {
      clock.uninstall();
    }
  });

  it("a rotation date that is further ahead than rotateAfterDays allows is reduced to that many days", () => {
    const olds = { ...program, rotatesAt: "2199-01-01" };
    const { rotatesAt } = withRotation(program, olds);
    expect(Date.parse(String(rotatesAt)) - Date.now()).to.be.within(30 * day, 31 * day);
  });
});

describe("The rotation of an API key by its age", () => {
  const time = useVirtualTime();
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await createSandbox();
  });
  afterEach(() => sandbox.close());

  itKeeps({ type: "ApiKey", valid: { ...plain, rotateAfterDays: 90 } }, [
    [{}, []],
    [{ rotateAfterDays: 0 }, "rotateAfterDays must be a whole number from 1 to 3650"],
    [{ rotateAfterDays: 3651 }, "rotateAfterDays must be a whole number from 1 to 3650"],
    [{ adoptId }, "rotateAfterDays conflicts with adoptId; remove adoptId once the key is adopted"],
    [
      { hashData },
      "rotateAfterDays conflicts with hashData: a new key would need new hashes, so change hashData to replace the key",
    ],
  ]);

  for (const host of Object.keys(hosts) as HostName[]) {
    /**
     * Opens the dynamic host in a new process, as each Pulumi command does, with a step that runs check and diff of an API key.
     */
    const command = async () => {
      const key = (await hosts[host](settingsOf(sandbox), () => undefined))("ApiKey");
      const step = async (id: string, state: PropertyMap, olds: PropertyMap, news: PropertyMap) => {
        const { inputs, failures } = await key.check(olds, news);
        expect(failures).to.deep.equal([]);
        return { inputs, ...(await key.diff(id, state, inputs)) };
      };
      return { ...key, step };
    };
    const created = async (news: PropertyMap) => {
      const { check, create } = await command();
      const { inputs } = await check({}, news);
      return { inputs, ...(await create(inputs)) };
    };
    const isQuiet = async (id: string, state: PropertyMap, olds: PropertyMap, news: PropertyMap) => {
      const { step } = await command();
      return (await step(id, state, olds, news)).replaces.length === 0;
    };

    const tenDaysLater = async () => {
      const { id, state, inputs } = await created(program);
      time.pass(10 * day);
      return { id, state, inputs, ...(await command()) };
    };

    it(`an update in place keeps an API key's rotation date: ${host}`, async () => {
      const { id, state, inputs, step, update } = await tenDaysLater();
      const renamed = await step(id, state, inputs, { ...program, name: "renamed" });
      expect(renamed.replaces).to.deep.equal([]);
      expect((await update(id, state, renamed.inputs)).state.rotatesAt).to.equal(state.rotatesAt);
    });

    it(`a changed rotateAfterDays moves an API key's rotation date: ${host}`, async () => {
      const { id, state, inputs, step, update } = await tenDaysLater();
      const sooner = await step(id, state, inputs, { ...program, rotateAfterDays: 20 });
      expect(sooner.replaces).to.deep.equal([]);
      const { state: moved } = await update(id, state, sooner.inputs);
      expect(Date.parse(String(state.rotatesAt)) - Date.parse(String(moved.rotatesAt))).to.equal(10 * day);
      expect((await step(id, state, inputs, { ...program, rotateAfterDays: 5 })).replaces).to.deep.equal([
        "rotatesAt",
      ]);
    });

    it(`an API key has no rotation date after rotateAfterDays has left the program: ${host}`, async () => {
      const { id, state, inputs, step, update } = await tenDaysLater();
      const { rotateAfterDays, ...without } = program;
      const ended = await step(id, state, inputs, without);
      expect(ended.replaces).to.deep.equal([]);
      expect(await update(id, state, ended.inputs)).to.not.have.property("rotatesAt");
    });

    it(`an API key created by a clock that was 400 days ahead is replaced at its age: ${host}`, async () => {
      const { id, state, inputs } = await created(program);
      const ahead = { rotatesAt: new Date(Date.now() + 430 * day).toISOString().slice(0, 10) };
      const ofLateClock = [id, { ...state, ...ahead }, { ...inputs, ...ahead }, program] as const;
      time.pass(29 * day);
      expect(await isQuiet(...ofLateClock)).to.equal(true);
      time.pass(2 * day);
      expect(await isQuiet(...ofLateClock)).to.equal(false);
    });

    it(`an API key created without a rotation date is replaced only once it is too old: ${host}`, async () => {
      const { rotateAfterDays, ...without } = program;
      const { id, state, inputs } = await created(without);
      expect(state).to.not.have.property("rotatesAt");
      time.pass(29 * day);
      expect(await isQuiet(id, state, inputs, program)).to.equal(true);
      time.pass(2 * day);
      expect(await isQuiet(id, state, inputs, program)).to.equal(false);
      expect(await isQuiet(id, state, inputs, without)).to.equal(true);
      const { createdAt, ...ageless } = state;
      expect(await isQuiet(id, ageless, inputs, program)).to.equal(true);
    });
  }
});
