// Runs the adapter with settings from environment variables, behind something that ends TLS.
import { adapterOf } from "./adapter";

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

adapterOf({
  url: setting("ADAPTER_URL"),
  organization: setting("PULUMI_ORGANIZATION"),
  environment: setting("PULUMI_ENVIRONMENT"),
  jwksUrl: "https://api.pulumi.com/oidc/.well-known/jwks",
  api: "https://api.clickhouse.cloud",
  organizationId: setting("PIPESTACK_ORGANIZATION_ID"),
  first: { keyId: setting("PIPESTACK_KEY_ID"), keySecret: setting("PIPESTACK_KEY_SECRET") },
  keyName: "pipelines",
}).listen(Number(process.env.PORT ?? 8080));
