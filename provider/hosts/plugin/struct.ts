import type { BinaryReader, BinaryWriter } from "google-protobuf";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Reader, Writer } from "protobufjs/minimal";

export { Struct };

/** For each protocol message that holds properties (`Struct`): the properties as encoded bytes. */
const membersOf = new WeakMap<Struct, readonly Uint8Array[]>();

// Replaces how the protocol's messages encode and decode properties. The SDK's own code makes several objects of each value and
// reads texts letter by letter, which takes more time and memory than all other work on a large `AlertSet`.
Object.assign(Struct, {
  deserializeBinaryFromReader(struct: Struct, reader: BinaryReader): Struct {
    const members: Uint8Array[] = [];
    while (reader.nextField()) members.push(reader.readBytes() as Uint8Array);
    membersOf.set(struct, members);
    return struct;
  },
  serializeBinaryToWriter(struct: Struct, writer: BinaryWriter): void {
    for (const member of membersOf.get(struct) ?? []) writer.writeBytes(1, member);
  },
  fromJavaScript(data: object): Struct {
    const struct = new Struct();
    const members = Object.entries(data).map((member) => writeMember(Writer.create(), member).finish());
    membersOf.set(struct, members);
    return struct;
  },
});

Object.assign(Struct.prototype, {
  toJavaScript(this: Struct): object {
    const data = {};
    for (const { buffer, byteOffset, byteLength } of membersOf.get(this) ?? [])
      readMember(Reader.create(Buffer.from(buffer, byteOffset, byteLength)), byteLength, data);
    return data;
  },
});

function readMember(reader: Reader, end: number, data: Record<string, unknown>): void {
  let name = "";
  let value: unknown = null;
  readFields(reader, end, (field) => {
    if (field === 1) name = reader.string();
    else value = readValue(reader, endOf(reader));
  });
  // Assigning a property named `__proto__` would set the object's prototype, so this property is left out.
  if (name !== "__proto__") data[name] = value;
}

function readValue(reader: Reader, end: number): unknown {
  let value: unknown = null;
  readFields(reader, end, (field) => {
    if (field === 2) value = reader.double();
    else if (field === 3) value = reader.string();
    else if (field === 4) value = reader.bool();
    else if (field === 5) {
      const data = {};
      readFields(reader, endOf(reader), () => readMember(reader, endOf(reader), data));
      value = data;
    } else if (field === 6) {
      const list: unknown[] = [];
      readFields(reader, endOf(reader), () => list.push(readValue(reader, endOf(reader))));
      value = list;
    } else reader.uint32();
  });
  return value;
}

function readFields(reader: Reader, end: number, read: (field: number) => void): void {
  while (reader.pos < end) read(reader.uint32() >>> 3);
}

/** The position at which a protobuf message ends, whose length comes next in the bytes. */
function endOf(reader: Reader): number {
  const length = reader.uint32();
  return reader.pos + length;
}

function writeMember(writer: Writer, [name, value]: readonly [string, unknown]): Writer {
  writer.uint32(tag(1, 2)).string(name.toWellFormed()).uint32(tag(2, 2)).fork();
  return writeValue(writer, value).ldelim();
}

function writeValue(writer: Writer, value: unknown): Writer {
  if (value === null) return writer.uint32(tag(1, 0)).uint32(0);
  if (typeof value === "number") return writer.uint32(tag(2, 1)).double(value);
  // The engine refuses texts with halves of surrogate pairs, which the writer of protobuf messages would not notice.
  if (typeof value === "string") return writer.uint32(tag(3, 2)).string(value.toWellFormed());
  if (typeof value === "boolean") return writer.uint32(tag(4, 0)).bool(value);
  writer.uint32(tag(Array.isArray(value) ? 6 : 5, 2)).fork();
  if (Array.isArray(value))
    for (const entry of value) writeValue(writer.uint32(tag(1, 2)).fork(), entry).ldelim();
  else
    for (const member of Object.entries(value as object))
      writeMember(writer.uint32(tag(1, 2)).fork(), member).ldelim();
  return writer.ldelim();
}

/** Writes a protobuf tag. `form` is the wire type: 0 for a number, 1 for eight bytes, 2 for a length and its bytes. */
function tag(field: number, form: 0 | 1 | 2): number {
  return (field << 3) | form;
}
