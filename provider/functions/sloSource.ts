import type { Settings } from "../api/settingsSchema";
import { inService, scopeOf } from "../lifecycle/scope";
import type { SloInputs } from "../resources/slo/slo";
import type { EventTable } from "../resources/slo/sloObjects";
import { Type } from "../values/schemaBuilders";
import { InvalidInputs } from "../values/validate";
import type { FunctionDefinition } from "./definition";
import { type DataSource, getSources } from "./sources";

const sourceArguments = inService({ sourceId: Type.Optional(Type.String({ minLength: 1 })) });

/**
 * The HyperDX sources of a service. If the list that was read before lacks the wanted source, the list is read again, since the
 * same update may have created the source.
 */
export const sourcesOfSlo: FunctionDefinition<typeof sourceArguments, typeof getSources.result> = {
  name: getSources.name,
  arguments: sourceArguments,
  result: getSources.result,
  async run(args, session) {
    const { settings } = session;
    checkSettings(settings);
    if (args.sourceId === undefined) return [];
    const scope = scopeOf("observability", args, session);
    const shared = (await session.lists.read("listSources", scope)) as DataSource[];
    if (shared.some(({ id }) => id === args.sourceId)) return shared;
    return (await session.lists.read("listSources", scope, { asOf: "now" })) as DataSource[];
  },
};

/** The table that has the events of a service-level objective: the declared table, or that of the source. */
export function eventTable(
  { sourceId, sql }: Pick<SloInputs, "sourceId" | "sql">,
  sources: readonly DataSource[],
): EventTable {
  if (sql) return sql;
  const source = sources.find(({ id }) => id === sourceId);
  if (!source) throw unfit(`names no source (${sourceId}); getSources lists them`);
  const { from, connection, timestampValueExpression } = source;
  if (!from?.databaseName || !from.tableName || !connection || !timestampValueExpression)
    throw unfit(`names a source without a table of events (${source.kind}); declare sql in its place`);
  return {
    connectionId: connection,
    from: `${quoted(from.databaseName)}.${quoted(from.tableName)}`,
    timestamp: firstOf(timestampValueExpression),
  };
}

function unfit(message: string): InvalidInputs {
  return new InvalidInputs([{ path: "sourceId", message }]);
}

function checkSettings(settings: Settings): void {
  if (settings.dialect !== "clickhouse") throw new Error("an Slo needs the setting dialect to be clickhouse");
}

function quoted(name: string): string {
  return `\`${name.replace(/[\\`]/g, "\\$&")}\``;
}

/** The first of a source's time expressions, which are separated by commas. Charts use the first one, too. */
function firstOf(expressions: string): string {
  let depth = 0;
  const end = [...expressions].findIndex((character) => {
    if (character === "(") depth++;
    if (character === ")") depth--;
    return character === "," && depth === 0;
  });
  return (end < 0 ? expressions : [...expressions].slice(0, end).join("")).trim();
}
