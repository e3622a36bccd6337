import pulumi
import pulumi_pipestack as pipestack

# A policy is about services or about the organization, and not about both.
readers = pipestack.Role(
    "readers",
    name="Readers",
    policies=[
        {
            "allow_deny": pipestack.RolePolicyAllowDeny.ALLOW,
            "permissions": ["control-plane:service:view", "control-plane:service:view-backups"],
            "resources": ["instance/*"],
        }
    ],
)

# A key without roles of its own, to which the program gives one. Others may give it more.
key = pipestack.ApiKey("reporting", name="Reporting")

pipestack.RoleAssignment("reporting-reads", role_id=readers.id, api_key_id=key.id)

# Invited if the organization does not have the person, and taken over if it does.
ann = pipestack.Member("ann", email="ann@example.com", assigned_role_ids=[readers.id])

pulumi.export("status", ann.status)
