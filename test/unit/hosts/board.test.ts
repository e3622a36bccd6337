import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { FolderBoard } from "../../../provider/hosts/ownership/board";

describe("The board, through which the provider processes of one update exchange notes", () => {
  let base: string;
  let folder: string;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "pipestack-board-"));
    folder = join(base, "notes");
  });
  afterEach(() => rmSync(base, { recursive: true }));

  const boardOf = (port = 41207) => new FolderBoard(`127.0.0.1:${port}`, folder);
  const notesOf = (board: FolderBoard) => board.news().flatMap(([, notes]) => notes);
  /** Returns the path of the only file in the folder by which the provider processes of an update exchange notes. */
  const noteFile = () => {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    return paths.find((path) => statSync(path).size > 0) ?? "";
  };

  it("a provider process reads each note of the other processes once", () => {
    const [one, two] = [boardOf(), boardOf()];
    one.publish("first");
    two.publish("of the other");
    expect(notesOf(two)).to.deep.equal(["first"]);
    one.publish("sécond");
    one.publish("third");
    expect(notesOf(two)).to.deep.equal(["sécond", "third"]);
    expect(notesOf(two)).to.deep.equal([]);
    expect(notesOf(one)).to.deep.equal(["of the other"]);
    expect(notesOf(boardOf())).to.have.members(["first", "sécond", "third", "of the other"]);
  });

  it("a provider process reads a note of another process only once it is completely written", () => {
    const [one, two] = [boardOf(), boardOf()];
    one.publish("whole\nhalf of");
    const text = readFileSync(noteFile(), "utf8");
    writeFileSync(noteFile(), text.slice(0, -1));
    expect(notesOf(two)).to.deep.equal(["whole"]);
    writeFileSync(noteFile(), text);
    expect(notesOf(two)).to.deep.equal(["half of"]);
  });

  it("only the user can read the notes of provider processes", function () {
    if (process.platform === "win32") this.skip();
    boardOf().publish("note");
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).to.equal(0o600);
  });

  it("a provider process writes no notes to a folder that other users can write to", function () {
    if (process.platform === "win32") this.skip();
    boardOf().publish("note");
    chmodSync(folder, 0o777);
    expect(() => boardOf().publish("note")).to.throw(/other users may write to the folder/);
  });

  it("a provider process reports that it cannot store a note for the other processes", () => {
    writeFileSync(folder, "a file");
    expect(() => boardOf().publish("note")).to.throw(/EEXIST|ENOTDIR/);
  });

  describe("The file with a provider process's notes about claimed objects, after the process has ended", () => {
    const { pid: ended } = spawnSync(process.execPath, ["--version"]);
    let file: string;
    let text: string;

    beforeEach(() => {
      boardOf().publish("of the ended one");
      const own = noteFile();
      text = readFileSync(own, "utf8");
      rmSync(own);
      file = own.replace(`-${process.pid}-`, `-${ended}-`);
    });

    it("a provider process ignores the notes of an ended process of another engine at its address", () => {
      writeFileSync(file, text);
      expect(notesOf(boardOf())).to.deep.equal([]);
    });

    it("a provider process reads the notes of an ended process while another one of its update lives", () => {
      boardOf();
      writeFileSync(file, text);
      expect(notesOf(boardOf())).to.deep.equal(["of the ended one"]);
    });

    it("a new provider process removes the notes of another update's ended process once they are an hour old", () => {
      writeFileSync(file, text);
      boardOf(41208);
      expect(readdirSync(folder)).to.have.length(2);
      const before = Date.now() / 1000 - 3700;
      utimesSync(file, before, before);
      boardOf(41208);
      expect(readdirSync(folder).map((name) => join(folder, name)))
        .to.have.length(2)
        .and.not.include(file);
    });
  });
});
