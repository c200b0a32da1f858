import { type AbacPolicy, AuthorizationConfigError, abacAuthorizer, type WebhookConnection, webhookAuthorizer } from '../../authz/index.ts';
import type { Outbound } from '../../env/index.ts';
import type { CreateFileAuthorizer } from './authorization.ts';

export interface AuthorizerFiles {
  /** ABAC policies of `--authorization-policy-file`. */
  readonly policies: readonly AbacPolicy[];
  /** Webhook connections by kubeconfig path. */
  readonly connections: ReadonlyMap<string, WebhookConnection>;
  readonly outbound: Outbound;
}

/** Creates ABAC authorizers and webhooks, for hosts with files. @throws AuthorizationConfigError, MatchConditionError */
export function createFileAuthorizers({ policies, connections, outbound }: AuthorizerFiles): CreateFileAuthorizer {
  return (settings, { product, env: { clock, random, log } }) => {
    if (settings.type === 'ABAC') return abacAuthorizer(policies);
    const connection = connections.get(settings.webhook.kubeConfigFile);
    if (!connection) throw new AuthorizationConfigError(`the webhook ${settings.name} has no connection`);
    return webhookAuthorizer(settings.name, settings.webhook, { outbound, connection, product, clock, random, log });
  };
}
