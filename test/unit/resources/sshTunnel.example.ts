import type { Sandbox, SshTunnel } from "../../../sandbox/index";
import { type Example, placed, serviceId } from "./example";

const bastion = { name: "bastion", host: "bastion.example.com", username: "clickpipes" };
const whole = { ...bastion, description: "of the shop", port: 2222 };

const home = "6d1c7b52-8f3a-4e60-9a2b-0c4d5e6f7a84";

export const sshTunnelExample: Example = {
  valid: placed("5b0e9d8c-7f6a-4b5c-8d9e-0f1a2b3c4d61", { ...whole, awaitActive: true, waitMinutes: 5 }),
  wholes: { "with all members": whole },
  programs: () => [bastion, { ...bastion, awaitActive: true }],
  isUpdatedInParts: true,
  find: ({ store }, id) => store.sshTunnels.get(id),
  made: ["publicKey", "admittedAt", "lastValidatedAt"],
  home,
  creatable: {
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbb13",
    hasUniqueName: true,
    add: ({ sandbox }, id) => addTunnel(sandbox, { id }),
  },
};

/** Adds an SSH tunnel whose host lets the service in. */
function addTunnel({ store }: Sandbox, changed: Partial<SshTunnel>): void {
  const createdAt = "2026-10-01T08:00:00.000Z";
  const record = {
    ...{ id: "", serviceId, ...bastion, description: "", port: 22, admittedAt: 0 },
    ...{ publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI clickpipes", status: "active" },
    ...{ statusMessage: null, lastValidatedAt: createdAt, createdAt, updatedAt: createdAt },
    ...changed,
  };
  store.sshTunnels.set(record.id, record);
}
