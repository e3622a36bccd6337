import { expect } from "chai";
import fc from "fast-check";
import { common, Root } from "protobufjs";
import { secret, secretMark, signature, unknownText } from "../../../../provider/engine/engineValues";
import { Struct } from "../../../../provider/hosts/plugin/struct";
import { received, toStruct } from "../../../../provider/hosts/plugin/wireValues";
import { unknown } from "../../../../provider/values/unknown";
import { plain, struct } from "./engine";

describe("Property values in the plugin protocol", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(unknownText),
  );
  const name = fc.stringMatching(/^[a-z]{1,5}$/);
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(name, tie("value"), { maxKeys: 3 }),
      tie("value")
        .filter((inner) => !JSON.stringify(inner).includes(signature))
        .map(secret),
    ),
  }));

  it("values that are converted to protobuf and back are equal, with all their secrets and unknown values", () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (properties) => {
        const { data, secrets } = received(struct(properties));
        expect(JSON.stringify(data)).to.not.include(secretMark);
        // JSON cannot represent -0, so the expected value is converted to JSON, too.
        expect(toStruct(data, secrets).toJavaScript()).to.deep.equal(JSON.parse(JSON.stringify(properties)));
      }),
    );
  });

  const defined = (value: unknown): object => {
    if (value === null) return { nullValue: 0 };
    if (typeof value === "number") return { numberValue: value };
    if (typeof value === "string") return { stringValue: value };
    if (typeof value === "boolean") return { boolValue: value };
    return Array.isArray(value)
      ? { listValue: { values: value.map(defined) } }
      : { structValue: fields(value as object) };
  };
  const fields = (members: object) => ({
    fields: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, defined(member)])),
  });

  it("the plugin encodes the properties of resources as google.protobuf.Struct", () => {
    const type = Root.fromJSON(common.get("google/protobuf/struct.proto") ?? {}).lookupType(
      "google.protobuf.Struct",
    );
    const anyName = fc.string({ unit: "grapheme" }).filter((text) => text !== "__proto__");
    const any = fc.oneof(value, fc.constant(null), fc.double(), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(fc.dictionary(anyName, any), (properties) => {
        const encoded = type.encode(type.fromObject(fields(properties))).finish();
        expect(Struct.deserializeBinary(encoded).toJavaScript()).to.deep.equal(properties);
        const read = type.toObject(type.decode(struct(properties).serializeBinary()), {
          arrays: true,
          objects: true,
        });
        expect(read).to.deep.equal(fields(properties));
      }),
    );
    expect(plain(Struct.deserializeBinary(struct({ half: "a\ud800" }).serializeBinary()))).to.deep.equal({
      half: "a\ufffd",
    });
  });

  it("in the plugin's answer, a list stays secret even if the secret inside has moved to another entry", () => {
    const { secrets } = received(struct({ tiles: [{ where: "a" }, { where: secret("b") }] }));
    expect(toStruct({ tiles: [{ where: "b" }], name: "n" }, secrets).toJavaScript()).to.deep.equal({
      tiles: secret([{ where: "b" }]),
      name: "n",
    });
  });

  it("values converted for the engine omit the code that a state of the dynamic provider contains", () => {
    expect(received(struct({ __provider: "exports.handler=…", name: "n" })).data).to.deep.equal({
      name: "n",
    });
  });

  it("the engine's markers of secrets and unknown values have no meaning in an answer of the service", () => {
    const answered = { title: unknownText, inner: { [signature]: secretMark, value: 1 } };
    expect(toStruct({ ...answered, planned: unknown }).toJavaScript()).to.deep.equal({
      title: null,
      inner: { value: 1 },
      planned: unknownText,
    });
  });

  it("the plugin refuses properties from the engine that are nested more than 100 levels deep", () => {
    const nested = Array.from({ length: 120 }).reduce<object>((inner) => ({ inner }), {});
    expect(() => received(struct(nested))).to.throw("nested more than 100 levels");
  });
});
