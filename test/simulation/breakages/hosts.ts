import { type Breakage, breakage } from "./breakage";

export const breakagesOfHosts: readonly Breakage[] = [
  breakage(
    "knows nothing of what other processes of the update declare",
    "hosts/ownership/claims",
    "for (const [process, notes] of this.board?.news() ?? []) {",
    "for (const [process, notes] of [] as [string, string[]][]) {",
  ),
  breakage(
    "deletes what it has just taken for the outcome of a create",
    "hosts/ownership/claims",
    "created.has(key) ||",
    "",
  ),
  breakage(
    "takes a program that declares one thing twice",
    "hosts/ownership/claims",
    "if (!rival) return [];",
    "return [];",
  ),
  breakage(
    "shows a secret text of an alert in a message of the plugin",
    "hosts/plugin/resourceMethods",
    "return this.#secrecy.conceal(data, secrets);",
    "this.#secrecy.conceal(data, []); return secrets;",
  ),
  breakage(
    "shows a secret text of an alert in a message of the dynamic provider",
    "hosts/dynamic/host",
    "secrecy.conceal(properties as PropertyMap, markedIn(properties))",
    "secrecy.conceal(properties as Data, [])",
  ),
  {
    title: "deletes what the program imports under another name",
    patches: [
      {
        module: "hosts/plugin/resourceMethods",
        text: "this.claims.name(this.resource, live.id, declarationOf(request.getUrn()), this.session());",
        instead: ";",
      },
      {
        module: "hosts/plugin/resourceMethods",
        text: "this.claims.hold(this.resource, request.getId(), declarationOf(request.getUrn()), session);",
        instead: "",
      },
    ],
  },
  {
    title: "adopts what another resource of the program has",
    patches: [
      {
        module: "hosts/ownership/claims",
        text: /if \(notesOfAll\.some\(\(\{ [^\n]*/,
        instead: "if (false)",
      },
      {
        module: "hosts/ownership/claims",
        text: "if (rival)\n      throw",
        instead: "if (false)\n      throw",
      },
    ],
  },
];
