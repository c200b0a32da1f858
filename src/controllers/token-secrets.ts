import { type ApiObject, isJsonObject, type Product, secretDataReader, withMetadata } from '../meta/index.ts';
import { getOrUndefined, tryWrite, writeRequest } from './api-call.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { startInformer } from './informer.ts';
import { createSingleWorkerQueue } from './single-worker-queue.ts';

/**
 * Fills secrets of type service-account-token with a token of their account, and deletes those without an account.
 * Cf. upstream serviceaccount TokensController.
 */
export const tokenSecrets: Controller = (parts, signal) => {
  const { product } = parts;
  const fill = createSingleWorkerQueue('token secrets', { ...parts, signal }, async () => {
    if (!accounts.hasSynced) return;
    for (const secret of secrets.objects.values()) await syncSecret(secret, await accountOf(secret), parts, signal);
  });
  const accountOf = async (secret: ApiObject): Promise<ApiObject | undefined> => {
    const { name, uid } = accountReferenceOf(secret, product);
    const { namespace = '' } = secret.metadata;
    const isMeant = (account: ApiObject | undefined): boolean => account !== undefined && (uid === '' || account.metadata.uid === uid);
    const known = accounts.objects.get(`${namespace}/${name}`);
    if (isMeant(known)) return known;
    // The cache may be stale: a secret is deleted only when a live read finds no such account.
    const stored = await getOrUndefined(parts.api, `/api/v1/namespaces/${namespace}/serviceaccounts/${encodeURIComponent(name)}`, signal);
    return isMeant(stored) ? stored : undefined;
  };
  const type = product.rename('kubernetes.io/service-account-token');
  const accounts = startInformer(parts, { path: '/api/v1/serviceaccounts', fieldSelector: '' }, () => fill(), signal);
  const secrets = startInformer(parts, { path: '/api/v1/secrets', fieldSelector: `type=${type}` }, () => fill(), signal);
};

async function syncSecret(secret: ApiObject, account: ApiObject | undefined, parts: ControllerContext, signal: AbortSignal): Promise<void> {
  const { name = '', namespace = '', uid } = secret.metadata;
  const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
  if (!account) {
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', ...(uid === undefined ? {} : { preconditions: { uid } }) };
    return tryWrite(parts.api, writeRequest('DELETE', path, options, signal));
  }
  const filled = await fillSecret(secret, account, parts);
  if (filled) await tryWrite(parts.api, writeRequest('PUT', path, filled, signal));
}

/** The secret with its missing data; undefined when nothing is missing. */
export async function fillSecret(
  secret: ApiObject,
  account: ApiObject,
  { product, rootAuthority: authority, signSecretToken }: Pick<ControllerContext, 'product' | 'rootAuthority' | 'signSecretToken'>,
): Promise<ApiObject | undefined> {
  const held = secretDataReader(secret);
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

function accountReferenceOf(
  { metadata: { annotations = {} } }: ApiObject,
  product: Product,
): { readonly name: string; readonly uid: string } {
  const annotation = (what: string): string => annotations[product.rename(`kubernetes.io/service-account.${what}`)] ?? '';
  return { name: annotation('name'), uid: annotation('uid') };
}
