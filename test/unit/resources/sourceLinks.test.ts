import { expect } from "chai";
import { contextOf } from "../../../provider/lifecycle/scope";
import { resources } from "../../../provider/resources/registry";
import { unknown } from "../../../provider/values/unknown";
import type { Source } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { inVirtualTime } from "../api/virtualTime";
import { sessionOf } from "../drift/fixture";
import { setups, useLife } from "./life";
import { clickhouse, itKeeps } from "./rules";
import { addSource, sourcesByKind } from "./source.example";

const [logs, traces, metrics] = [
  "65f1c0a2b3d4e5f607182911",
  "65f1c0a2b3d4e5f607182912",
  "65f1c0a2b3d4e5f607182913",
];
const missing = "65f1c0a2b3d4e5f6071829ff";

describe("The check of links of a source", () => {
  itKeeps({ type: "SourceLinks", settings: clickhouse }, [
    [
      { traceSourceId: undefined },
      "declare at least one of logSourceId, traceSourceId, metricSourceId, sessionSourceId",
    ],
    [{ traceSourceId: unknown }, []],
    [{ sourceId: unknown }, []],
  ]);
});

for (const title of ["the product's management API alone", "an observability server alone"] as const)
  describe(`The links of a source on ${title}`, () => {
    const life = useLife(setups[title]);
    const stored = (id = logs) => life.sandbox.store.sources.get(id) as Source;
    const linksOf = ({ logSourceId, traceSourceId, metricSourceId, sessionSourceId }: Source) =>
      JSON.parse(JSON.stringify({ logSourceId, traceSourceId, metricSourceId, sessionSourceId }));
    const linked = (program = {}) =>
      life.applied("SourceLinks", { sourceId: logs, traceSourceId: traces, ...program });
    const { SourceLinks: resource } = resources;
    const checked = (program = {}, olds = {}, { session } = life.opened()) =>
      resource.check(olds, { sourceId: logs, traceSourceId: traces, ...program }, session);

    it("nothing is written if the service refuses what the source has", async () => {
      Object.assign(stored(), { tableFilterExpression: "TenantId = 1" });
      const before = { ...stored() };
      if (title === "an observability server alone") {
        await linked();
        expect(stored()).to.deep.equal({ ...before, traceSourceId: traces });
        return;
      }
      expect((await failureOf(linked())).message).to.match(
        /tableFilterExpression.*\nThe request repeats all that source \w+ has, and nothing was written/,
      );
      expect(stored()).to.deep.equal(before);
    });

    it("a link is set although the source changes between the list and the write", async () => {
      const links = await linked();
      const { session } = life.opened();
      await session.lists.find(
        "listSources",
        contextOf(resource, links.inputs, session).scope,
        logs,
        "write",
      );
      stored().section = "Changed since";
      const inputs = { ...links.inputs, metricSourceId: metrics };
      await links.resource.update(links.id, links.state, inputs, session);
      expect(stored()).to.include({ section: "Changed since", metricSourceId: metrics });
    });

    it("a link is set although the source changes while the service refuses the write for a while", () =>
      inVirtualTime(async () => {
        const links = await linked();
        const inputs = { ...links.inputs, metricSourceId: metrics };
        await life.sandbox.faults.set([{ kind: "429", operation: "updateSource", nth: 1, seconds: 5 }]);
        setTimeout(() => Object.assign(stored(), { section: "Changed since" }), 2000);
        const { session } = sessionOf(life.sandbox, { dialect: setups[title].dialect, maxRetries: "1" });
        await links.resource.update(links.id, links.state, inputs, session);
        expect(stored()).to.include({ section: "Changed since", metricSourceId: metrics });
      }));

    it("a link that somebody else changes is drift of the links alone", async () => {
      const source = await life.applied("Source", { ...sourcesByKind.log });
      const links = await life.applied("SourceLinks", { sourceId: source.id, traceSourceId: traces });
      expect(await source.refresh(life.opened().session)).to.deep.equal([]);
      expect(await links.refresh(life.opened().session)).to.deep.equal([]);
      stored(source.id).traceSourceId = metrics;
      expect(await source.refresh(life.opened().session)).to.deep.equal([]);
      expect(await links.refresh(life.opened().session)).to.deep.equal(["traceSourceId"]);
    });

    it("a refresh takes no link of others for one of the links that are gone", async () => {
      const source = await life.applied("Source", { ...sourcesByKind.log });
      const links = await life.applied("SourceLinks", { sourceId: source.id, traceSourceId: traces });
      Object.assign(stored(source.id), { traceSourceId: undefined, metricSourceId: metrics });
      await links.refresh(life.opened().session);
      await links.delete(life.opened().session);
      expect(linksOf(stored(source.id))).to.deep.equal({ metricSourceId: metrics });
    });

    it("an update of links names that somebody else has cleared a link that the source showed once", async () => {
      const source = await life.applied("Source", { ...sourcesByKind.log });
      const links = await life.applied("SourceLinks", { sourceId: source.id, traceSourceId: traces });
      await source.refresh(life.opened().session);
      stored(source.id).traceSourceId = undefined;
      const { session, warnings } = life.opened();
      await source.resource.diff(source.id, source.state, source.inputs, session);
      const program = { sourceId: source.id, traceSourceId: metrics };
      const { inputs } = await resource.check(links.inputs, program, session);
      await resource.update(links.id, links.state, inputs, session);
      expect(warnings).to.deep.equal([
        `links of source ${source.id}: somebody else changed traceSourceId (now nothing) since the last deployment or refresh; the update overwrites this change`,
      ]);
    });

    it("destroying links brings back those that the source had before", async () => {
      stored().metricSourceId = metrics;
      const links = await linked({ metricSourceId: traces });
      const { session, warnings } = life.opened();
      await links.delete(session);
      expect(linksOf(stored())).to.deep.equal({ metricSourceId: metrics });
      expect(warnings).to.deep.equal([]);
    });

    it("destroying links does not bring back a link to a source that is gone", async () => {
      addSource(life.sandbox, { id: missing });
      stored().traceSourceId = missing;
      const links = await linked();
      life.sandbox.store.sources.delete(missing);
      await links.delete(life.opened().session);
      expect(linksOf(stored())).to.deep.equal({});
    });

    it("destroying links leaves a link alone that somebody else has changed since", async () => {
      const links = await linked({ metricSourceId: metrics });
      stored().traceSourceId = metrics;
      const { session, warnings } = life.opened();
      await links.delete(session);
      expect(linksOf(stored())).to.deep.equal({ traceSourceId: metrics });
      expect(warnings).to.deep.equal([
        `SourceLinks: source ${logs} keeps traceSourceId, which somebody else has changed since`,
      ]);
    });

    it("destroying links leaves the source of sessions the link that it needs", async () => {
      const sessions = "65f1c0a2b3d4e5f607182915";
      addSource(life.sandbox, { id: missing });
      addSource(life.sandbox, { id: sessions, ...sourcesByKind.session, traceSourceId: missing });
      const links = await linked({ sourceId: sessions });
      life.sandbox.store.sources.delete(missing);
      const { session, warnings } = life.opened();
      await links.delete(session);
      expect(linksOf(stored(sessions))).to.deep.equal({ traceSourceId: traces });
      expect(warnings).to.deep.equal([
        `SourceLinks: source ${sessions} keeps traceSourceId, without which the service takes no source of its kind`,
      ]);
    });

    it("destroying links with onDestroy keep sends nothing", async () => {
      const links = await linked({ onDestroy: "keep" });
      life.sandbox.requests.length = 0;
      await links.delete(life.opened().session);
      expect(life.sandbox.requests).to.deep.equal([]);
    });

    it("destroying links succeeds if their source is gone", async () => {
      const source = await life.applied("Source", { ...sourcesByKind.log });
      const links = await life.applied("SourceLinks", { sourceId: source.id, traceSourceId: traces });
      const { session } = life.opened();
      await source.delete(session);
      await links.delete(session);
      expect(life.sandbox.store.sources.has(source.id)).to.equal(false);
    });

    it("a link that moves into the Source with another value is no conflict of the links that remain", async () => {
      addSource(life.sandbox, { id: missing });
      const source = await life.applied("Source", { ...sourcesByKind.log });
      const both = { sourceId: source.id, traceSourceId: traces, metricSourceId: metrics };
      const links = await life.applied("SourceLinks", both);
      const { session, warnings } = life.opened();
      const program = { ...sourcesByKind.log, metricSourceId: missing };
      const { inputs } = await source.resource.check(source.inputs, program, session);
      await source.resource.diff(source.id, source.state, inputs, session);
      await source.resource.update(source.id, source.state, inputs, session);
      const rest = await resource.check(
        links.inputs,
        { sourceId: source.id, traceSourceId: traces },
        session,
      );
      await resource.update(links.id, links.state, rest.inputs, session);
      expect(linksOf(stored(source.id))).to.deep.equal({ traceSourceId: traces, metricSourceId: missing });
      expect(warnings.filter((text) => text.startsWith("links of source"))).to.deep.equal([]);
    });

    describe("when a link moves from the Source to links that are there", () => {
      const before = async () => {
        const source = await life.applied("Source", { ...sourcesByKind.log, metricSourceId: metrics });
        const links = await life.applied("SourceLinks", { sourceId: source.id, traceSourceId: traces });
        return { source, links };
      };
      const move = async ({ source, links }: Awaited<ReturnType<typeof before>>, metricSourceId: string) => {
        const { session, warnings } = life.opened();
        const run = async ({ resource, id, inputs: olds, state }: typeof links, program: object) => {
          const { inputs } = await resource.check(olds, { ...program }, session);
          await resource.diff(id, state, inputs, session);
          await resource.update(id, state, inputs, session);
        };
        await run(source, sourcesByKind.log);
        await run(links, { sourceId: source.id, traceSourceId: traces, metricSourceId });
        expect(linksOf(stored(source.id))).to.deep.equal({ traceSourceId: traces, metricSourceId });
        return warnings;
      };

      for (const [what, to] of [
        ["as it was", metrics],
        ["with another source", missing],
      ] as const)
        it(`no warning calls that the change of somebody else: ${what}`, async () => {
          addSource(life.sandbox, { id: missing });
          expect(await move(await before(), to)).to.deep.equal([]);
        });

      it("the update of the Source names that somebody else has changed the link", async () => {
        const made = await before();
        addSource(life.sandbox, { id: missing });
        stored(made.source.id).metricSourceId = missing;
        expect(await move(made, metrics)).to.deep.equal([
          `source ${made.source.id}: somebody else changed metricSourceId since the last deployment or refresh; the update overwrites this change`,
        ]);
      });
    });

    it("a preview refuses a link that the Source declares, too, whichever of the two comes first", async () => {
      const declared = { ...sourcesByKind.log, traceSourceId: traces };
      const source = await life.applied("Source", declared);
      const sourceFirst = life.opened();
      const { inputs } = await source.resource.check(source.inputs, declared, sourceFirst.session);
      await source.resource.diff(source.id, source.state, inputs, sourceFirst.session);
      const { failures } = await checked({ sourceId: source.id }, {}, sourceFirst);
      const twice = "is declared by the Source, too; declare it in one of the two";
      expect(failures).to.deep.equal([{ path: "traceSourceId", message: twice }]);
      const linksFirst = life.opened();
      await checked({ sourceId: source.id }, {}, linksFirst);
      await source.resource.check(source.inputs, declared, linksFirst.session);
      const failure = await failureOf(
        source.resource.diff(source.id, source.state, inputs, linksFirst.session),
      );
      expect(failure.message).to.equal(
        `traceSourceId is declared by the SourceLinks of source ${source.id}, too; declare it in one of the two`,
      );
    });

    it("a preview refuses a link that sources of this kind cannot have", async () => {
      const { failures } = await checked({ sourceId: metrics });
      expect(failures).to.deep.equal([
        {
          path: "traceSourceId",
          message: 'does not apply, since the source is of the kind "metric"',
        },
      ]);
      expect((await failureOf(linked({ sourceId: metrics }))).message).to.equal(
        `source ${metrics}: traceSourceId does not apply, since the source is of the kind "metric"`,
      );
      expect(life.bodiesOf("PUT")).to.deep.equal([]);
    });

    it("nothing is written to a source of a kind that only a newer version knows", async () => {
      Object.assign(stored(), { kind: "profile" });
      expect((await failureOf(linked())).message).to.match(
        /is of the kind "profile", which this version does not know: .* nothing was written$/,
      );
      expect(life.bodiesOf("PUT")).to.deep.equal([]);
    });

    it("links of a source that does not exist are refused before any write", async () => {
      const failure = await failureOf(linked({ sourceId: missing }));
      expect(failure.message).to.equal(`there is no source ${missing}, whose links the program declares`);
      expect(life.bodiesOf("PUT")).to.deep.equal([]);
    });

    it("links whose source has been deleted are gone", async () => {
      const source = await life.applied("Source", { ...sourcesByKind.log });
      const links = await life.applied("SourceLinks", { sourceId: source.id, traceSourceId: traces });
      life.sandbox.store.sources.delete(source.id);
      const state = await links.refresh(life.opened().session);
      expect(["gone", "unseen"]).to.include(state);
    });

    it("an import of links has exactly the links of its source", async () => {
      const { session } = life.opened();
      const place = title.startsWith("the product") ? life.sandbox.credentials : {};
      const { organizationId, serviceId } = place as Record<string, string>;
      const scope = JSON.parse(JSON.stringify({ organizationId, serviceId }));
      expect(await resource.read(logs, scope, session)).to.equal("gone");
      const live = await resource.read(traces, scope, session);
      expect(live).to.deep.include({ inputs: { ...scope, sourceId: traces, logSourceId: logs } });
    });
  });
