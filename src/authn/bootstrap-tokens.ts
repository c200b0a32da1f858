import type { Clock } from '../env/index.ts';
import { type ApiObject, type Product, parseTime, TimeError } from '../meta/index.ts';
import type { Outcome, TokenAuthenticator } from './authenticator.ts';
import { secretData } from './secret-data.ts';

/** The secrets of the system's namespace (part 2.12); supplied by `cluster`. */
export interface BootstrapSecrets {
  find(name: string): Promise<ApiObject | undefined>;
}

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const defaultGroup = 'system:bootstrappers';

/** Tokens with which new nodes come (part 5.2): `abcdef.0123456789abcdef`, each a secret named for its first half. */
export function bootstrapTokenAuthenticator(secrets: BootstrapSecrets, clock: Clock, product: Product): TokenAuthenticator {
  const type = product.rename('bootstrap.kubernetes.io/token');
  return {
    name: 'bootstrap token',
    authenticate(token) {
      const [, id, secret] = tokenPattern.exec(token) ?? [];
      return id === undefined || secret === undefined ? undefined : find(id, secret);
    },
  };

  async function find(id: string, secret: string): Promise<Outcome> {
    const object = await secrets.find(`bootstrap-token-${id}`);
    if (object?.['type'] !== type || object.metadata.deletionTimestamp !== undefined) return undefined;
    const data = secretData(object);
    const holds =
      data('token-secret') === secret &&
      data('token-id') === id &&
      !hasExpired(data('expiration'), clock.nowMs()) &&
      data('usage-bootstrap-authentication') === 'true';
    const groups = groupsOf(data('auth-extra-groups'));
    if (!holds || !groups) return undefined;
    return { user: { username: `system:bootstrap:${id}`, uid: '', groups, extra: {} }, audiences: [] };
  }
}

/** What is no time counts as past. */
function hasExpired(expiration: string, nowMs: number): boolean {
  if (expiration === '') return false;
  try {
    return parseTime(expiration) <= nowMs;
  } catch (error) {
    if (error instanceof TimeError) return true;
    throw error;
  }
}

/** Sorted, each once; undefined when one of them is not allowed. */
function groupsOf(extra: string): readonly string[] | undefined {
  const given = extra === '' ? [] : extra.split(',');
  if (!given.every((group) => groupPattern.test(group))) return undefined;
  return [...new Set([defaultGroup, ...given])].sort();
}
