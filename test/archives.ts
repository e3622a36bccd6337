/** Makes a ZIP archive of texts, without compression and checksums: enough for what only reads the names of its files. */
export function zipOf(files: { readonly [name: string]: string }): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)];
    const entry = Buffer.alloc(46);
    entry.write("PK\x01\x02", "latin1");
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(path.length, 28);
    entry.writeUInt32LE(Buffer.concat(parts).length, 42);
    directory.push(entry, path);
    const header = Buffer.alloc(30);
    header.write("PK\x03\x04", "latin1");
    header.writeUInt32LE(content.length, 18);
    header.writeUInt32LE(content.length, 22);
    header.writeUInt16LE(path.length, 26);
    parts.push(header, path, content);
  }
  const [body, list] = [Buffer.concat(parts), Buffer.concat(directory)];
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, list, end]);
}
