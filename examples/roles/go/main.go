package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// A policy is about services or about the organization, and not about both.
		readers, err := pipestack.NewRole(ctx, "readers", &pipestack.RoleArgs{
			Name: pulumi.String("Readers"),
			Policies: pipestack.RolePolicyArray{
				pipestack.RolePolicyArgs{
					AllowDeny: pipestack.RolePolicyAllowDenyAllow,
					Permissions: pulumi.StringArray{
						pulumi.String("control-plane:service:view"),
						pulumi.String("control-plane:service:view-backups"),
					},
					Resources: pulumi.StringArray{pulumi.String("instance/*")},
				},
			},
		})
		if err != nil {
			return err
		}
		// A key without roles of its own, to which the program gives one. Others may give it more.
		key, err := pipestack.NewApiKey(ctx, "reporting", &pipestack.ApiKeyArgs{Name: pulumi.String("Reporting")})
		if err != nil {
			return err
		}
		_, err = pipestack.NewRoleAssignment(ctx, "reporting-reads", &pipestack.RoleAssignmentArgs{
			RoleId:   readers.ID(),
			ApiKeyId: key.ID(),
		})
		if err != nil {
			return err
		}
		// Invited if the organization does not have the person, and taken over if it does.
		ann, err := pipestack.NewMember(ctx, "ann", &pipestack.MemberArgs{
			Email:           pulumi.String("ann@example.com"),
			AssignedRoleIds: pulumi.StringArray{readers.ID()},
		})
		if err != nil {
			return err
		}
		ctx.Export("status", ann.Status)
		return nil
	})
}
