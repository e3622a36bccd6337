import { expect } from "chai";
import { documented } from "./documented";
import { asCorrections, Findings, type Proposal } from "./findings";

/** A saved search as a server answers it. */
const search = {
  ...{ id: "65f1c0a2b3d4e5f607182931", name: "Errors", sourceId: "65f1c0a2b3d4e5f607182911", where: "" },
  ...{ select: "", whereLanguage: "lucene", orderBy: "", tags: [], filters: [] },
  ...{ createdAt: "2026-01-31T08:00:00.000Z", updatedAt: "2026-01-31T08:00:00.000Z" },
};

const called = (method: string, path: string) => {
  const found = documented("observability", method, path);
  if (!found) throw new Error(`no document has ${method} ${path}`);
  return found;
};

function proposalsFor(path: string, answer: unknown): readonly Proposal[] {
  const findings = new Findings("2.36");
  findings.judge(called("GET", path), 200, answer);
  return findings.proposals;
}

describe("The comparison of a real server's answers with the documents", () => {
  it("proposes nothing for an answer as documented", () => {
    expect(proposalsFor("/api/v2/saved-searches/65f1c0a2b3d4e5f607182931", { data: search })).to.deep.equal(
      [],
    );
  });

  // Each row: what the server answers in place of a documented member, and the proposal.
  const differing: readonly [string, object, Partial<Proposal>][] = [
    [
      "a further member",
      { colour: "secret-of-the-account" },
      { at: "SavedSearch.colour", is: { type: "string" } },
    ],
    ["another type", { select: null }, { at: "SavedSearch.select", is: { type: ["string", "null"] } }],
    ["a further word", { whereLanguage: "kql" }, { at: "SavedSearch.whereLanguage" }],
    ["a missing member", { name: undefined }, { at: "SavedSearch", frees: ["name"] }],
  ];
  for (const [title, changed, expected] of differing)
    it(`proposes a correction for ${title}, at the named schema and without a value of the account`, () => {
      const data = JSON.parse(JSON.stringify({ ...search, ...changed }));
      const [proposal, ...further] = proposalsFor("/api/v2/saved-searches", {
        data: [data, data],
        meta: { total: 2, limit: 1000, offset: 0 },
      });
      expect(further).to.deep.equal([]);
      expect(proposal).to.deep.include({ table: "server", ...expected });
      const text = asCorrections([proposal as Proposal], "a run");
      expect(text).to.match(/^\{ table: "server", at: "SavedSearch.*seen: "a run" \},$/);
      expect(text).not.to.match(/secret-of-the-account|65f1c0a2/);
    });

  it("names the answer itself where no schema has a name", () => {
    const keys = documented("management", "GET", "/v1/organizations/o/keys");
    const findings = new Findings(undefined);
    if (keys) findings.judge(keys, 200, { status: 200, requestId: "r", result: [], totalCount: "many" });
    expect(findings.proposals).to.deep.equal([
      {
        table: "cloud",
        at: "GET /v1/organizations/{organizationId}/keys answers.200.totalCount",
        is: { type: ["integer", "null", "string"] },
        because: "The server answers string.",
      },
    ]);
  });

  it("compares no refusal and no deletion", () => {
    const findings = new Findings("2.36");
    findings.judge(called("GET", "/api/v2/webhooks"), 400, { message: "no" });
    findings.judge(called("DELETE", "/api/v2/webhooks/65f1c0a2b3d4e5f607182921"), 200, "gone");
    expect([findings.judged, findings.proposals]).to.deep.equal([0, []]);
  });
});
