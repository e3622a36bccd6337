import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { declarable } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { acceptInvitation } from "../../../sandbox/core/resources/invitations";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { reset } from "../api/server";
import { threeMinutesLater } from "../drift/fixture";
import { useService } from "../lifecycle/scriptedService";
import { itKeeps } from "./rules";

const { Member: resource, RoleAssignment: assignments } = declarable;
const { organizationId } = seededCredentials;
const developer = "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a02";
const reports = "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11";
const userId = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb1";
const ann = { organizationId, email: "ann@example.com", assignedRoleIds: [reports] };

describe("Members of an organization", () => {
  const service = useService({ dialect: "clickhouse" });
  const { model } = service;
  const { store } = model;
  const open = () => service.open({ dialect: "clickhouse" });
  const invited = () => [...store.invitations.values()].map(({ email, roleIds }) => [email, ...roleIds]);
  const joined = () => [...store.members.values()].map(({ email, roleIds }) => [email, ...roleIds]);
  const accept = () => acceptInvitation(store, ann.email, model.ids, Date.now());
  const add = (roleIds: string[], id = userId) =>
    store.members.set(id, {
      ...{ id, email: ann.email, name: "Ann", roleIds },
      joinedAt: "2026-01-01T00:00:00Z",
    });
  const create = async (changed: PropertyMap = {}, by = open()) => ({
    ...(await resource.create(JSON.parse(JSON.stringify({ ...ann, ...changed })), by.session)),
    ...by,
  });
  const update = (id: string, state: PropertyMap, changed: PropertyMap) =>
    resource.update(id, state, { ...ann, ...changed }, open().session);
  const read = (id: string, state: PropertyMap) => resource.read(id, state, open().session);
  const writes = () => service.requests.filter((name) => !/^(list|get)/.test(name));

  it("one invitation makes a person a member without drift", async () => {
    const { id, state, warnings } = await create();
    expect(id).to.equal(ann.email);
    expect(state).to.include({ status: "invited" }).and.not.have.property("userId");
    expect(invited()).to.deep.equal([[ann.email, reports]]);
    expect(warnings).to.deep.equal([]);
    expect(await read(id, state)).to.deep.include({ inputs: ann });
    const { id: user } = accept();
    const live = await read(id, state);
    expect(live).to.deep.include({ inputs: ann });
    const { state: after } = live as Exclude<typeof live, string>;
    expect(after).to.include({ status: "member", userId: user, name: "ann" });
    expect(after).to.not.have.property("expireAt");
    expect(await resource.diff(id, after, ann, open().session)).to.deep.equal([]);
    expect(writes()).to.deep.equal(["createInvitation"]);
  });

  it("a role id in capital letters names the role of a member", async () => {
    add([reports]);
    await create({ assignedRoleIds: [reports.toUpperCase()] });
    expect(writes()).to.deep.equal([]);
  });

  it("roles that the service ignores in several updates are drift", async () => {
    add([reports]);
    let { id, state } = await create({ assignedRoleIds: [reports.toUpperCase()] });
    service.fault({ kind: "ignored", operation: "updateMember" });
    for (const _ of [1, 2]) state = await update(id, state, { assignedRoleIds: [developer] });
    const { session, warnings } = open();
    state = await resource.update(id, state, { ...ann, assignedRoleIds: [developer] }, session);
    expect(warnings.join()).to.match(
      new RegExp(
        `lacks ${developer}, and still has the removed ${reports}; the next update after a refresh mends it`,
      ),
    );
    expect(await read(id, state)).to.have.deep.nested.property("inputs.assignedRoleIds", [reports]);
  });

  it("the create of a Member for a person who is a member already warns of the roles that the person loses", async () => {
    add([developer, reports]);
    const { state, warnings } = await create();
    expect(writes()).to.deep.equal(["updateMember"]);
    expect(joined()).to.deep.equal([[ann.email, reports]]);
    expect(state).to.include({ status: "member", userId });
    expect(warnings).to.deep.equal([
      `member ${ann.email} is there already, and taking it over replaces assignedRoleIds (${developer})`,
    ]);
  });

  it("an update of a member without declared roles keeps the roles that others assign", async () => {
    add([developer]);
    const { id, state } = await create({ assignedRoleIds: undefined });
    Object.assign(store.members.get(userId) ?? {}, { roleIds: [reports, developer] });
    expect(await read(id, state)).to.deep.include({ inputs: { organizationId, email: ann.email } });
    expect(writes()).to.deep.equal([]);
  });

  it("a create of a member whose answer is lost invites once", async () => {
    service.courses.push({ answer: reset });
    await create();
    expect(invited()).to.have.length(1);
  });

  it("the next create invites a member whose invitation was not made", async () => {
    service.courses.push({ carriedOut: false });
    await failureOf(create());
    expect(invited()).to.have.length(0);
    await create();
    expect(invited()).to.have.length(1);
  });

  it("a create of a member adopts an invitation that somebody else sends at the same moment", async () => {
    service.gateway = async (operation, carryOut) => {
      if (operation === "createInvitation" && store.invitations.size === 0) {
        service.gateway = undefined;
        await create();
      }
      return carryOut();
    };
    await create();
    expect(invited()).to.deep.equal([[ann.email, reports]]);
  });

  it("an update replaces the open invitation of a member with a warning", async () => {
    const { id, state } = await create();
    const { session, warnings } = open();
    await resource.update(id, state, { ...ann, assignedRoleIds: [developer] }, session);
    expect(warnings).to.deep.equal([
      `Member: another invitation takes the place of the open one of ${ann.email}: the service sends another e-mail, and the link in the former one no longer works`,
    ]);
    expect(invited()).to.deep.equal([[ann.email, developer]]);
    expect(writes()).to.deep.equal(["createInvitation", "deleteInvitation", "createInvitation"]);
  });

  it("an update changes the roles of a person who has accepted in place", async () => {
    const { id, state } = await create();
    accept();
    const member = await update(id, state, { assignedRoleIds: [] });
    expect(joined()).to.deep.equal([[ann.email]]);
    expect(member).to.include({ status: "member" }).and.not.have.property("expireAt");
    expect(writes()).to.deep.equal(["createInvitation", "updateMember"]);
  });

  it("an update sets a member's roles even if the person accepts while the invitation is replaced", async () => {
    const { id, state } = await create();
    service.gateway = async (operation, carryOut) => {
      if (operation === "deleteInvitation" && store.invitations.size > 0) accept();
      return carryOut();
    };
    await update(id, state, { assignedRoleIds: [developer] });
    expect([joined(), invited()]).to.deep.equal([[[ann.email, developer]], []]);
  });

  it("after an invitation has expired, a refresh lets the next update invite the member again", async () => {
    const { id, state } = await create();
    for (const invitation of store.invitations.values()) invitation.expireAt = "2026-01-01T00:00:00Z";
    expect(await read(id, state)).to.equal("unseen");
    expect((await failureOf(update(id, state, { assignedRoleIds: [] }))).message).to.match(
      /is neither a member nor invited; "pulumi up --refresh" invites again/,
    );
    await threeMinutesLater(async () => {
      expect(await read(id, state)).to.equal("gone");
    });
    await create();
    expect(invited()).to.have.length(1);
  });

  it("destroying a member keeps the person in the organization, unless removeOnDelete is true", async () => {
    const { id, state } = await create();
    const { session, warnings } = open();
    await resource.delete(id, state, session);
    expect(invited()).to.have.length(1);
    expect(warnings).to.deep.equal([
      `Member: the invitation of ${ann.email} stays open; removeOnDelete: true would withdraw it`,
    ]);
    const removing = { ...state, removeOnDelete: true };
    await resource.delete(id, removing, open().session);
    expect(invited()).to.deep.equal([]);
    add([]);
    await resource.delete(id, { ...state, status: "member" }, open().session);
    expect(joined()).to.have.length(1);
    await resource.delete(id, removing, open().session);
    expect(joined()).to.deep.equal([]);
    expect((await failureOf(resource.delete(id, removing, open().session))).message).to.match(
      /reads may lag behind, or somebody has deleted it; try again in 3 minutes/,
    );
    await threeMinutesLater(() => resource.delete(id, removing, open().session));
  });

  it("destroying a member fails if the service refuses the person's id and still has the member", async () => {
    add([], "google-oauth2|12");
    const { id, state } = await create({ removeOnDelete: true, assignedRoleIds: [] });
    expect((await failureOf(resource.delete(id, state, open().session))).message).to.match(
      /^BAD_REQUEST: Invalid member id \(deleteMember: DELETE .* answered 400/,
    );
    expect(joined()).to.have.length(1);
  });

  it("destroying a member removes a person who accepts the invitation meanwhile", async () => {
    const { id, state } = await create({ removeOnDelete: true });
    service.gateway = async (operation, carryOut) => {
      if (operation === "deleteInvitation") accept();
      return carryOut();
    };
    await resource.delete(id, state, open().session);
    expect([joined(), invited()]).to.deep.equal([[], []]);
  });

  it("a new member is not taken for removed while the lists do not show the person yet", async () => {
    const { id, state } = await create({ removeOnDelete: true });
    const hidden = [...store.invitations.values()];
    store.invitations.clear();
    await failureOf(resource.delete(id, state, open().session));
    for (const invitation of hidden) store.invitations.set(invitation.id, invitation);
    await resource.delete(id, state, open().session);
    expect(invited()).to.deep.equal([]);
  });

  it("creating a member warns that destroying it will remove a person who was there before", async () => {
    add([reports]);
    const { warnings } = await create({ removeOnDelete: true });
    expect(warnings).to.deep.equal([
      `Member: ${ann.email} was there before; destroying the resource removes the member, or withdraws the invitation`,
    ]);
  });

  it("the preview of a member warns that the update replaces an open invitation", async () => {
    await create();
    const preview = async (assignedRoleIds: unknown) => {
      const { session, warnings } = open();
      await resource.check({}, { ...ann, assignedRoleIds }, session);
      return warnings.join();
    };
    expect(await preview([reports, developer])).to.match(/^Member: another invitation takes the place/);
    for (const same of [[reports], undefined, [unknown]])
      expect(await preview(same)).to.not.match(/another invitation/);
  });

  it("an update whose new invitation is refused invites a member with the former roles again", async () => {
    const { id, state } = await create();
    const unknownRole = "dddddddd-dddd-4ddd-8ddd-dddddddddddd";
    const failure = await failureOf(update(id, state, { assignedRoleIds: [unknownRole] }));
    expect(failure.message)
      .to.match(/the invitation of ann@example.com was withdrawn, and another one failed: .*dddd/)
      .and.match(/ann@example.com is invited with the former roles now$/);
    expect(invited()).to.deep.equal([[ann.email, reports]]);
  });

  it("an update that cannot even invite a member with the former roles again says so", async () => {
    const { id, state } = await create();
    service.gateway = async (operation, carryOut) =>
      operation === "createInvitation" ? { status: 400, body: { status: 400, error: "no" } } : carryOut();
    expect((await failureOf(update(id, state, { assignedRoleIds: [] }))).message).to.match(
      /ann@example.com may not be invited now, since inviting with the former roles failed, too: no/,
    );
  });

  it("a create of a member with onConflict fail keeps an open invitation that no state has", async () => {
    await create();
    const failing = service.open({ dialect: "clickhouse", onConflict: "fail" });
    const more = { assignedRoleIds: [reports, developer] };
    expect((await failureOf(create(more, failing))).message).to.match(
      /^member ann@example.com is there already, and the update would delete what the next line names; onConflict is fail, so declare it as the service has it.*\n.*invitation/,
    );
    expect(writes()).to.deep.equal(["createInvitation"]);
    await create({}, failing);
  });

  it("a create of a member fails only if the answer and the next read both show other roles", async () => {
    add([]);
    service.rewrite(/^updateMember$/, new RegExp(reports, "g"), developer);
    await create();
    Object.assign(store.members.get(userId) ?? {}, { roleIds: [] });
    service.rewrite(/^(updateMember|listMembers)$/, new RegExp(reports, "g"), developer);
    expect((await failureOf(create())).message).to.match(
      /the service does not show the declared roles after the request; run the update again/,
    );
  });

  it("an update of a member warns if a colleague has changed the roles since the update began", async () => {
    add([reports]);
    const { id, state } = await create();
    const { session, warnings } = open();
    await resource.read(id, state, session);
    Object.assign(store.members.get(userId) ?? {}, { roleIds: [] });
    await resource.update(id, state, { ...ann, assignedRoleIds: [reports, developer] }, session);
    expect(warnings.join()).to.match(/somebody else changed assignedRoleIds/);
  });

  it("an invitation counts as open until 5 minutes after its end, which the service gives in UTC", async () => {
    const { id, state } = await create();
    const expiresIn = (minutes: number) => {
      const moment = new Date(Date.now() + minutes * 60_000).toISOString().replace("Z", "");
      for (const invitation of store.invitations.values()) invitation.expireAt = moment;
      return read(id, state);
    };
    const { TZ } = process.env;
    process.env.TZ = "Asia/Tokyo";
    try {
      expect(await expiresIn(-4)).to.be.an("object");
      expect(await expiresIn(-6)).to.equal("unseen");
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it("renaming the resource of a member does not remove the person", async () => {
    const { session } = open();
    await resource.check({}, { ...ann, email: "Ann@Example.com" }, session);
    const { id, state } = await create({ removeOnDelete: true });
    await deleteUnlessDeclared(resource, id, state, session, true);
    expect(invited()).to.have.length(1);
  });

  it("the previews of twenty new members share two list requests", async () => {
    const { session } = open();
    for (let count = 0; count < 20; count++)
      await resource.check({}, { ...ann, email: `ann${count}@example.com` }, session);
    expect(service.requests).to.deep.equal(["listMembers", "listInvitations"]);
  });

  it("pulumi import finds a member by the e-mail address", async () => {
    add([reports]);
    expect(await read("Ann@Example.com", { organizationId })).to.deep.include({ inputs: ann });
  });

  itKeeps({ type: "Member", valid: ann }, [
    [{ email: "ann" }, "email must be an e-mail address, such as ann@example.com"],
  ]);

  it("the refusal of assignedRoleIds beside a RoleAssignment of the person shows no e-mail address", async () => {
    add([]);
    const { session } = open();
    await resource.check({}, ann, session);
    await create({}, { session, warnings: [], notices: [] });
    const given = { organizationId, roleId: developer, userId };
    const { failures } = await assignments.check({}, given, session);
    const text = failures.map(({ message }) => message).join();
    expect(text).to.match(/^the member of user \S+ declares assignedRoleIds/);
    expect(text).to.not.include("ann");
  });
});
