import { type ApiObject, isJsonObject, type Product, secretData, withMetadata } from '../meta/index.ts';
import { attempted, found, requestOf } from './api-call.ts';
import type { Controller, ControllerParts } from './controller.ts';
import { follow } from './followed.ts';
import { oneAtATime } from './one-at-a-time.ts';

/**
 * Fills secrets of type service-account-token with a token of their account, and deletes those without an account.
 * Cf. upstream serviceaccount TokensController.
 */
export const tokenSecrets: Controller = (parts, signal) => {
  const { product } = parts;
  const fill = oneAtATime('token secrets', { ...parts, signal }, async () => {
    if (!accounts.isListed) return;
    for (const secret of secrets.objects.values()) await settle(secret, await accountOf(secret), parts, signal);
  });
  const accountOf = async (secret: ApiObject): Promise<ApiObject | undefined> => {
    const { name, uid } = accountNamed(secret, product);
    const { namespace = '' } = secret.metadata;
    const isMeant = (account: ApiObject | undefined): boolean => account !== undefined && (uid === '' || account.metadata.uid === uid);
    const known = accounts.objects.get(`${namespace}/${name}`);
    if (isMeant(known)) return known;
    // The cache may be stale: a secret is deleted only when a live read finds no such account.
    const stored = await found(parts.api, `/api/v1/namespaces/${namespace}/serviceaccounts/${encodeURIComponent(name)}`, signal);
    return isMeant(stored) ? stored : undefined;
  };
  const type = product.rename('kubernetes.io/service-account-token');
  const accounts = follow(parts, { path: '/api/v1/serviceaccounts', fieldSelector: '' }, () => fill(), signal);
  const secrets = follow(parts, { path: '/api/v1/secrets', fieldSelector: `type=${type}` }, () => fill(), signal);
};

async function settle(secret: ApiObject, account: ApiObject | undefined, parts: ControllerParts, signal: AbortSignal): Promise<void> {
  const { name = '', namespace = '', uid } = secret.metadata;
  const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
  if (!account) {
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', ...(uid === undefined ? {} : { preconditions: { uid } }) };
    return attempted(parts.api, requestOf('DELETE', path, options, signal));
  }
  const filled = await withToken(secret, account, parts);
  if (filled) await attempted(parts.api, requestOf('PUT', path, filled, signal));
}

/** The secret with its missing data; undefined when nothing is missing. */
export async function withToken(
  secret: ApiObject,
  account: ApiObject,
  { product, rootAuthority: authority, signSecretToken }: Pick<ControllerParts, 'product' | 'rootAuthority' | 'signSecretToken'>,
): Promise<ApiObject | undefined> {
  const held = secretData(secret);
  const { name = '', namespace = '' } = secret.metadata;
  const { name: accountName = '', uid = '' } = account.metadata;
  const lacking: Record<string, string> = {};
  if (authority !== undefined && held('ca.crt') !== authority) lacking['ca.crt'] = authority;
  if (held('namespace') === '') lacking['namespace'] = namespace;
  if (held('token') === '') lacking['token'] = await signSecretToken({ namespace, secret: name, account: { name: accountName, uid } });
  if (Object.keys(lacking).length === 0) return undefined;
  const { data } = secret as { readonly data?: unknown };
  const encoded = Object.entries(lacking).map(([key, text]) => [key, btoa(text)] as const);
  const annotations = {
    ...secret.metadata.annotations,
    [product.rename('kubernetes.io/service-account.name')]: accountName,
    [product.rename('kubernetes.io/service-account.uid')]: uid,
  };
  return {
    ...withMetadata(secret, { annotations }),
    data: { ...(isJsonObject(data) ? data : {}), ...Object.fromEntries(encoded) },
  } as ApiObject;
}

function accountNamed({ metadata: { annotations = {} } }: ApiObject, product: Product): { readonly name: string; readonly uid: string } {
  const said = (what: string): string => annotations[product.rename(`kubernetes.io/service-account.${what}`)] ?? '';
  return { name: said('name'), uid: said('uid') };
}
