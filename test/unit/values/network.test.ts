import { expect } from "chai";
import { isEverywhere, networkOf } from "../../../provider/values/network";

describe("The network of an address or range", () => {
  const same: readonly (readonly string[])[] = [
    ["10.0.0.1", "10.0.0.1/32"],
    ["203.0.113.7/24", "203.0.113.0/24"],
    ["2001:DB8::1", "2001:db8:0:0:0:0:0:1", "2001:db8::1/128"],
    ["2001:db8::5/64", "2001:db8::/64"],
    ["::ffff:192.0.2.1", "::ffff:c000:201"],
    ["::", "0:0:0:0:0:0:0:0/128"],
  ];
  for (const forms of same)
    it(`${forms.join(", ")} are one network`, () => {
      expect(new Set(forms.map(networkOf)).size).to.equal(1);
    });

  it("other addresses, other lengths and other versions are other networks", () => {
    const texts = [
      "10.0.0.1",
      "10.0.0.2",
      "10.0.0.0/24",
      "10.0.0.0/16",
      "::a00:1",
      "::a00:1/64",
      "1::",
      "::1",
    ];
    expect(new Set(texts.map(networkOf)).size).to.equal(texts.length);
  });

  it("a text that is no network stays as it is", () => {
    for (const text of [
      "",
      "office",
      "10.0.0.1/33",
      "10.0.0.1/x",
      "10.0.0.1/",
      "1/2/3",
      "fe80::1%eth0",
      "10.0.0.0/8/8",
    ])
      expect(networkOf(text)).to.equal(text);
  });

  it("a range of no bits is everywhere, in both versions", () => {
    expect(["0.0.0.0/0", "::/0", "10.1.2.3/0", "0.0.0.0", "::/1", "x/0"].map(isEverywhere)).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
