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
import { FolderBoard } from "../../../provider/hosts/board";

describe("The board of the provider processes of one update", () => {
  const [address, otherAddress] = ["127.0.0.1:41207", "127.0.0.1:41208"];
  let base: string;
  let folder: string;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "pipestack-board-"));
    folder = join(base, "notes");
  });
  afterEach(() => rmSync(base, { recursive: true }));

  const notesOf = (board: FolderBoard) => board.news().flatMap(([, notes]) => notes);

  it("shows each note once to every other process, and to the process itself never", () => {
    const [one, two] = [new FolderBoard(address, folder), new FolderBoard(address, folder)];
    one.publish("first");
    two.publish("of the other");
    expect(notesOf(two)).to.deep.equal(["first"]);
    one.publish("sécond");
    one.publish("third");
    expect(notesOf(two)).to.deep.equal(["sécond", "third"]);
    expect(notesOf(two)).to.deep.equal([]);
    expect(notesOf(one)).to.deep.equal(["of the other"]);
    expect(notesOf(new FolderBoard(address, folder))).to.have.members([
      "first",
      "sécond",
      "third",
      "of the other",
    ]);
  });

  it("shows nothing of another update at the same time", () => {
    new FolderBoard(otherAddress, folder).publish("of another update");
    expect(notesOf(new FolderBoard(address, folder))).to.deep.equal([]);
  });

  it("waits for the end of a note that is being written", () => {
    const [one, two] = [new FolderBoard(address, folder), new FolderBoard(address, folder)];
    one.publish("whole\nhalf of");
    const [file = ""] = readdirSync(folder).filter((name) => statSync(join(folder, name)).size > 0);
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), text.slice(0, -1));
    expect(notesOf(two)).to.deep.equal(["whole"]);
    writeFileSync(join(folder, file), text);
    expect(notesOf(two)).to.deep.equal(["half of"]);
  });

  it("can be read by its user alone", function () {
    if (process.platform === "win32") this.skip();
    new FolderBoard(address, folder).publish("note");
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).to.equal(0o600);
  });

  it("refuses a folder that others may write to", function () {
    if (process.platform === "win32") this.skip();
    new FolderBoard(address, folder);
    chmodSync(folder, 0o777);
    expect(() => new FolderBoard(address, folder).publish("note")).to.throw(/others may write to/);
  });

  it("says that a note cannot be stored", () => {
    writeFileSync(folder, "a file");
    expect(() => new FolderBoard(address, folder).publish("note")).to.throw(/EEXIST|ENOTDIR/);
  });

  describe("with the file of a process that has ended", () => {
    const { pid: ended } = spawnSync(process.execPath, ["--version"]);
    let file: string;

    /** Its one note. */
    beforeEach(() => {
      new FolderBoard(address, folder).publish("of the ended one");
      const [own = ""] = readdirSync(folder);
      const text = readFileSync(join(folder, own), "utf8");
      rmSync(join(folder, own));
      file = join(folder, own.replace(`-${process.pid}-`, `-${ended}-`));
      writeFileSync(file, text);
    });

    it("forgets it when another engine has the address", () => {
      expect(notesOf(new FolderBoard(address, folder))).to.deep.equal([]);
    });

    it("keeps it while another process of the update lives", () => {
      const text = readFileSync(file, "utf8");
      rmSync(file);
      new FolderBoard(address, folder);
      writeFileSync(file, text);
      expect(notesOf(new FolderBoard(address, folder))).to.deep.equal(["of the ended one"]);
    });

    it("removes it an hour later, whichever update comes then", () => {
      new FolderBoard(otherAddress, folder);
      expect(readdirSync(folder)).to.have.length(2);
      const before = Date.now() / 1000 - 3700;
      utimesSync(file, before, before);
      new FolderBoard(otherAddress, folder);
      expect(readdirSync(folder)).to.have.length(2).and.not.include(file);
    });
  });
});
