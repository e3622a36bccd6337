import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { asCorrections } from "./findings";
import type { Totals } from "./gate";
import type { Result } from "./tests";

/** An acceptance run: the server, the day (ISO 8601) and the time that it took. */
export interface Occasion {
  readonly server: string;
  readonly day: string;
  readonly minutes: number;
}

/** What an acceptance run found, as Markdown: a row for each type, what differs from the documents, and what is left. */
export function reportOf(
  results: readonly Result[],
  totals: Totals,
  leftOut: { readonly [type in TypeName]?: string },
  { server, day, minutes }: Occasion,
): string {
  const rows = typeNames.flatMap((type) => {
    const reason = leftOut[type];
    if (reason) return [`| ${type} | | | left out: ${reason} |`];
    const own = results.filter(({ title }) => typeIn(title) === type);
    if (own.length === 0) return [];
    const failed = own.filter(({ failure }) => failure);
    return [`| ${type} | ${own.length - failed.length} | ${failed.length} | |`];
  });
  const failures = results.flatMap(({ title, failure }) =>
    failure ? [`- ${title}: ${oneLine(failure)}`] : [],
  );
  const { requests, services, judged, proposals, refused, left } = totals;
  const billed = services > 0 ? ` ${services} services were created.` : "";
  const seen = `npm run acceptance on ${server}, ${day}`;
  return [
    `${server}, ${day}: ${minutes.toFixed(1)} minutes, ${requests} requests, ${judged} answers compared with the documents.${billed}`,
    ["| type | passed | failed | |", "|---|---|---|---|", ...rows].join("\n"),
    ...section("Failed", failures),
    ...section(
      "Kept from the server",
      refused.map((text) => `- ${text}`),
    ),
    ...section(
      "Still there",
      left.map((path) => `- ${path}`),
    ),
    ...(proposals.length > 0
      ? [
          `Proposals for the corrections in product/ (${proposals.length}):`,
          `\`\`\`ts\n${asCorrections(proposals, seen)}\n\`\`\``,
        ]
      : ["No answer differs from the documents."]),
  ].join("\n\n");
}

const section = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? [`${title}:`, lines.join("\n")] : [];

/** Returns the type that the title of a test names; the longest noun counts, since `scaling` is in `scaling schedule`. */
function typeIn(title: string): TypeName | undefined {
  const named = typeNames.filter((type) => new RegExp(`\\ban? ${resources[type].noun}\\b`).test(title));
  return named.sort((one, other) => resources[other].noun.length - resources[one].noun.length)[0];
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").slice(0, 400);

/**
 * Returns the page of the supported versions with the row of a run in its table of the servers that were tried: in place of the
 * last run on the same server, or as a further one.
 */
export function recorded(
  page: string,
  results: readonly Result[],
  totals: Totals,
  occasion: Occasion,
): string {
  const { server, day, minutes } = occasion;
  const failed = results.filter(({ failure }) => failure).length;
  const types = new Set(results.map(({ title }) => typeIn(title))).size;
  const counts = [
    types,
    results.length - failed,
    failed,
    totals.requests,
    totals.judged,
    totals.proposals.length,
  ];
  const row = `| ${[server, day, ...counts, `${minutes.toFixed(1)} min`].join(" | ")} |`;
  const lines = page.split("\n");
  const head = lines.findIndex((line) => line.startsWith("| tried on |"));
  if (head < 0) throw new Error("the page has no table of the servers that were tried");
  const present = lines.findIndex((line, at) => at > head && line.startsWith(`| ${server} |`));
  lines.splice(present < 0 ? head + 2 : present, present < 0 ? 0 : 1, row);
  return lines.join("\n");
}
