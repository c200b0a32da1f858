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

/** Of `--authorization-mode`, each under the name that the real server gives it; webhooks need more than their mode. */
export function settingsOfModes(modes: readonly string[]): readonly AuthorizerSettings[] {
  return modes.map((mode) => {
    const type = authorizerTypes.find((one) => one === mode);
    if (type === undefined || type === 'Webhook')
      throw new AuthorizationConfigError(`authorization-mode ${JSON.stringify(mode)} is not a valid mode`);
    return { type, name: type.toLowerCase() };
  });
}
