import { expect } from "chai";
import { enveloped, place, refused, ScriptedServer } from "../unit/api/server";
import { createWorkspace, type Workspace } from "./workspace";

const program = `
const { Dashboard } = require("pipestack");
new Dashboard("board", {
  name: "Board",
  tiles: [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] }],
});
`;

const board = {
  id: "board1",
  name: "Board",
  tiles: [{ id: "tile1", name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] }],
};

describe("a dashboard that was created and cannot be read then", () => {
  let server: ScriptedServer;
  let workspace: Workspace;
  let isReadable = false;
  before(async () => {
    server = await new ScriptedServer().start();
    server.alwaysAnswer(({ method, url = "" }, response) => {
      const isBoard = url.endsWith(`/${board.id}`);
      const answer = () => {
        if (method === "POST") return enveloped({ id: board.id });
        if (method === "GET" && !isReadable) return isBoard ? refused(403, "FORBIDDEN: no") : enveloped([]);
        return enveloped(isBoard ? board : [board]);
      };
      const { status = 200, body } = answer() as { status?: number; body: unknown };
      response.writeHead(status).end(JSON.stringify(body));
    });
    const settings = { baseUrl: server.url, keyId: "keyId", keySecret: "s3cret", ...place };
    workspace = await createWorkspace({ settings, program });
  });
  after(async () => {
    await workspace?.close();
    await server?.close();
  });

  it("is in the state, and the error says what could not be read", async () => {
    const { output } = await workspace.up({ expect: "failure" });
    expect(output)
      .to.match(/board1 was created, but could not be read back: .*\(getDashboard: GET /)
      .and.not.match(/^\s+at /m);
    const { resources = [] } = (await workspace.exportState()).deployment;
    const saved = resources.filter(({ type }) => type.endsWith("Dashboard"));
    expect(saved.map(({ id }) => id)).to.deep.equal(["board1"]);
  });

  it("is completed by the next update, and not created again", async () => {
    isReadable = true;
    const { summary } = await workspace.up();
    expect(summary).to.deep.equal({ update: 1 });
    const { resources = [] } = (await workspace.exportState()).deployment;
    expect(resources.at(-1)?.outputs?.tileIds).to.deep.equal({ Errors: "tile1" });
    expect((await workspace.up()).summary).to.deep.equal({ same: 1 });
    expect(server.lines.filter((line) => line.startsWith("POST"))).to.have.length(1);
  });
});
