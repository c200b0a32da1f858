/** How requests are authorized: by whom, in order (part 5.6 rules 5 and 8). */
export type AuthorizerType = 'ABAC' | 'AlwaysAllow' | 'AlwaysDeny' | 'Node' | 'RBAC' | 'Webhook';

export const authorizerTypes: readonly AuthorizerType[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];

export type AuthorizerSettings =
  | { readonly type: Exclude<AuthorizerType, 'Webhook'>; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: WebhookSettings };

export interface WebhookSettings {
  /** How long an answer is kept; 0: it is not. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly timeoutMs: number;
  /** In which version it is asked. */
  readonly version: 'v1' | 'v1beta1';
  /** What an unanswered question comes to. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Expressions over `request`; all must be true for the webhook to be asked. */
  readonly matchConditions: readonly string[];
  /** The client configuration with its address and credentials. */
  readonly kubeConfigFile: string;
}

/** Settings that a server must not start with; the message is the real server's. */
export class AuthorizationConfigError extends Error {
  override readonly name = 'AuthorizationConfigError';
}

/** What `--authorization-webhook-…` say of mode Webhook. */
export interface WebhookModeFlags {
  readonly kubeConfigFile: string;
  readonly version: string;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
}

/** Flags leave a webhook this much time. */
const flagTimeoutMs = 30_000;

/**
 * Of `--authorization-mode`, each under the name that the real server gives it. Cf. upstream buildAuthorizationConfiguration.
 * @throws AuthorizationConfigError
 */
export function settingsOfModes(modes: readonly string[], webhook?: WebhookModeFlags): readonly AuthorizerSettings[] {
  return modes.map((mode) => {
    const type = authorizerTypes.find((one) => one === mode);
    if (type === undefined) throw new AuthorizationConfigError(`unknown authorization mode ${mode} specified`);
    if (type !== 'Webhook') return { type, name: type.toLowerCase() };
    if (!webhook) throw new AuthorizationConfigError('nothing is said of the webhook');
    return { type, name: 'default', webhook: webhookOfFlags(webhook) };
  });
}

function webhookOfFlags({ version, ...others }: WebhookModeFlags): WebhookSettings {
  if (version !== 'v1' && version !== 'v1beta1') {
    throw new AuthorizationConfigError(
      `unsupported webhook authorizer version ${JSON.stringify(version)}, supported versions are "v1", "v1beta1"`,
    );
  }
  return { ...others, version, timeoutMs: flagTimeoutMs, failurePolicy: 'NoOpinion', matchConditions: [] };
}
