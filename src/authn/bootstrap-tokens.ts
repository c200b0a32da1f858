import type { Clock } from '../env/index.ts';
import { type ApiObject, isBootstrapSecret, type Product, readBootstrapSecret } from '../meta/index.ts';
import type { AuthenticationResult, TokenAuthenticator } from './authenticator.ts';
import { constantTimeEqual } from './constant-time-equal.ts';

/** Secrets of the system namespace (part 2.12); supplied by `cluster`. */
export interface BootstrapSecrets {
  find(name: string): Promise<ApiObject | undefined>;
}

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const defaultGroup = 'system:bootstrappers';

/** Bootstrap tokens of joining nodes (part 5.2): `abcdef.0123456789abcdef`, each in a secret named for its first half. */
export function bootstrapTokenAuthenticator(secrets: BootstrapSecrets, clock: Clock, product: Product): TokenAuthenticator {
  return {
    name: 'bootstrap token',
    authenticate(token) {
      const [, id, secret] = tokenPattern.exec(token) ?? [];
      return id === undefined || secret === undefined ? undefined : find(id, secret);
    },
  };

  async function find(id: string, secret: string): Promise<AuthenticationResult> {
    const object = await secrets.find(`bootstrap-token-${id}`);
    if (!object || !isBootstrapSecret(object, product) || object.metadata.deletionTimestamp !== undefined) return undefined;
    const known = readBootstrapSecret(object);
    const hasExpired = known.expiresMs !== undefined && known.expiresMs <= clock.nowMs();
    const groups = groupsOf(known.extraGroups);
    if (known.id !== id || !constantTimeEqual(known.secret, secret) || hasExpired || !known.authenticates || !groups) return undefined;
    return { user: { username: `system:bootstrap:${id}`, uid: '', groups, extra: {} }, audiences: [] };
  }
}

/** Sorted and unique; undefined when one of them is invalid. */
function groupsOf(extra: string): readonly string[] | undefined {
  const given = extra === '' ? [] : extra.split(',');
  if (!given.every((group) => groupPattern.test(group))) return undefined;
  return [...new Set([defaultGroup, ...given])].sort();
}
