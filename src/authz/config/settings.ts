/** Type of an authorizer (part 5.6 rules 5 and 8). */
export type AuthorizerType = 'ABAC' | 'AlwaysAllow' | 'AlwaysDeny' | 'Node' | 'RBAC' | 'Webhook';

export const authorizerTypes: readonly AuthorizerType[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];

export type AuthorizerSettings =
  | { readonly type: Exclude<AuthorizerType, 'ABAC' | 'Webhook'>; readonly name: string }
  | { readonly type: 'ABAC'; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: WebhookSettings };

export interface WebhookSettings {
  /** How long a response is cached; 0: not at all. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly timeoutMs: number;
  /** SubjectAccessReview version. */
  readonly version: 'v1' | 'v1beta1';
  /** The decision when the webhook fails. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** CEL expressions over `request`; the webhook is called only when all are true. */
  readonly matchConditions: readonly string[];
  /** Path of the kubeconfig with the webhook's address and credentials. */
  readonly kubeConfigFile: string;
}

/** An invalid configuration; the message is upstream's. */
export class AuthorizationConfigError extends Error {
  override readonly name = 'AuthorizationConfigError';
}

/** `--authorization-webhook-…`. */
export interface WebhookModeFlags {
  readonly kubeConfigFile: string;
  readonly version: string;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
}

/** Timeout of a webhook configured by flags. */
const flagTimeoutMs = 30_000;

/**
 * Authorizers of `--authorization-mode`, with upstream's names. Cf. upstream buildAuthorizationConfiguration.
 * @throws AuthorizationConfigError
 */
export function buildAuthorizerSettings(modes: readonly string[], webhook?: WebhookModeFlags): readonly AuthorizerSettings[] {
  return modes.map((mode) => {
    const type = authorizerTypes.find((one) => one === mode);
    if (type === undefined) throw new AuthorizationConfigError(`unknown authorization mode ${mode} specified`);
    if (type !== 'Webhook') return { type, name: type.toLowerCase() };
    if (!webhook) throw new AuthorizationConfigError('nothing is said of the webhook');
    return { type, name: 'default', webhook: webhookSettingsFromFlags(webhook) };
  });
}

function webhookSettingsFromFlags({ version, ...others }: WebhookModeFlags): WebhookSettings {
  if (version !== 'v1' && version !== 'v1beta1') {
    throw new AuthorizationConfigError(
      `unsupported webhook authorizer version ${JSON.stringify(version)}, supported versions are "v1", "v1beta1"`,
    );
  }
  return { ...others, version, timeoutMs: flagTimeoutMs, failurePolicy: 'NoOpinion', matchConditions: [] };
}
