import { expect } from "chai";
import { Declared } from "../drift/fixture";
import { setups, useLife } from "./life";
import { clickhouse, failuresOf, itKeeps } from "./rules";
import { validInputs } from "./validInputs";

describe("The check of a saved query", () => {
  itKeeps({ type: "SavedQuery", settings: clickhouse }, [
    [
      { name: " ", sql: "\n", database: "\t" },
      ["name", "sql", "database"].map((name) => `${name} must be a text that is not blank`),
    ],
  ]);

  it("the check refuses a saved query with SQL of more than 4,194,304 characters", () => {
    const failures = (length: number) =>
      failuresOf("SavedQuery", { ...validInputs.SavedQuery, sql: "a".repeat(length) }, clickhouse);
    expect(failures(4_194_304)).to.deep.equal([]);
    expect(failures(4_194_305)).to.deep.equal(["sql must be a string of at most 4194304 characters"]);
  });
});

describe("Saved queries of a service", () => {
  const life = useLife(setups["the product's management API alone"]);
  const slow = { name: "Slow", sql: "SELECT 1", database: "system" };

  it("the adoption of a saved query warns of parameters of others that it removes", async () => {
    const { id } = await life.applied("SavedQuery", { ...slow, parameters: { least: "1", most: "9" } });
    const { session, warnings } = life.opened();
    await new Declared("SavedQuery", { ...slow, parameters: { least: "1" }, adoptId: id }).up(session);
    expect(warnings).to.deep.equal([
      `saved query ${id} is there already, and taking it over replaces parameters.most`,
    ]);
    expect(life.sandbox.store.savedQueries.get(id)?.parameters).to.deep.equal({ least: "1" });
  });

  it("a create whose answer is lost adopts no saved query of others that only looks equal in the list", async () => {
    const { sandbox } = life;
    await sandbox.faults.set([{ kind: "reset", when: "before", operation: "createSavedQuery", nth: 1 }]);
    const end = sandbox.watch(({ method, stage }) => {
      if (method !== "POST" || stage !== "received") return;
      const { serviceId } = sandbox.credentials;
      const theirs = { id: "6d1c7b52-8f3a-4e60-9a2b-0c4d5e6f7a83", serviceId, ...slow, parameters: {} };
      sandbox.store.savedQueries.set(theirs.id, { ...theirs, sql: "SELECT 'theirs'" });
    });
    const failure = await life.applied("SavedQuery", slow).catch(({ message }) => message);
    end();
    expect(failure).to.match(/may have turned it into one of these: 6d1c7b52/);
  });
});
