import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "pipestack";

const config = new pulumi.Config();

// A policy is about services or about the organization, and not about both.
const readers = new pipestack.Role("readers", {
  policies: [
    {
      allowDeny: "ALLOW",
      permissions: ["control-plane:service:view", "control-plane:service:view-backups"],
      resources: ["instance/*"],
    },
  ],
});

// A key without roles of its own, to which the program gives one. Others may give it more.
const key = new pipestack.ApiKey("reporting", {});

new pipestack.RoleAssignment("reporting-reads", { roleId: readers.id, apiKeyId: key.id });

// Invited if the organization does not have the person, and taken over if it does.
const ann = new pipestack.Member("ann", {
  email: config.get("email") ?? "ann@example.com",
  assignedRoleIds: [readers.id],
});

export const status = ann.status;
