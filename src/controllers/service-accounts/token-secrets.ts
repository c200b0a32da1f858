import { cacheKeyOf, splitCacheKey } from '../../client/index.ts';
import { type Product, secretDataReader } from '../../meta/index.ts';
import { type corev1, corev1Secrets, corev1ServiceAccounts } from '../../schema/api/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';

/** Index of the secrets: by `namespace/name` of their account. */
const byAccount = 'account';

/**
 * Fills secrets of type service-account-token with a token of their account, deletes those without an account, and removes deleted ones from
 * the lists of their accounts.
 * Cf. upstream serviceaccount TokensController.
 */
export const tokenSecrets: Controller = (context) => {
  const { client, informers, product } = context;
  const type = product.rename('kubernetes.io/service-account-token');
  const accounts = informers.informer(corev1ServiceAccounts);
  const secrets = informers.informer(corev1Secrets, { fieldSelector: `type=${type}` });
  const accountKeyOf = (secret: corev1.Secret): string => `${secret.metadata.namespace}/${accountReferenceOf(secret, product).name}`;
  secrets.store.addIndex(byAccount, (secret) => [accountKeyOf(secret)]);
  const accountOf = async (secret: corev1.Secret): Promise<corev1.ServiceAccount | undefined> => {
    const key = accountKeyOf(secret);
    const { uid } = accountReferenceOf(secret, product);
    const isOwner = (account: corev1.ServiceAccount | undefined): boolean =>
      account !== undefined && (uid === '' || account.metadata.uid === uid);
    const known = accounts.store.get(key);
    if (isOwner(known)) return known;
    // The cache may be stale: a secret is deleted only when a live read finds no such account.
    const stored = await client.resource(corev1ServiceAccounts).getIfExists(splitCacheKey(key));
    return isOwner(stored) ? stored : undefined;
  };
  const deleted = new Map<string, corev1.Secret>();
  /** An account does not list deleted secrets. Cf. removeSecretReference. */
  const removeReference = async (secret: corev1.Secret): Promise<void> => {
    const account = accounts.store.has(accountKeyOf(secret)) ? await accountOf(secret) : undefined;
    const { secrets: listed = [] } = account ?? {};
    const others = listed.filter(({ name }) => name !== secret.metadata.name);
    if (account && others.length < listed.length) await client.resource(corev1ServiceAccounts).update({ ...account, secrets: others });
  };
  const reconcile = async (key: string): Promise<void> => {
    const secret = secrets.store.get(key);
    const former = deleted.get(key);
    if (secret) await syncSecret(secret, await accountOf(secret), context);
    else if (former) await removeReference(former);
    deleted.delete(key);
  };
  const queue = startWorkers({ name: 'serviceaccount-token-controller', informers: [accounts, secrets], reconcile }, context);
  const enqueue = (secret: corev1.Secret): void => queue.add(cacheKeyOf(secret));
  const enqueueSecretsOf = (account: corev1.ServiceAccount): void => secrets.store.byIndex(byAccount, cacheKeyOf(account)).forEach(enqueue);
  const onDelete = (secret: corev1.Secret): void => {
    deleted.set(cacheKeyOf(secret), secret);
    enqueue(secret);
  };
  secrets.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete });
  accounts.addHandler({ onAdd: enqueueSecretsOf, onUpdate: enqueueSecretsOf, onDelete: enqueueSecretsOf });
};

async function syncSecret(secret: corev1.Secret, account: corev1.ServiceAccount | undefined, context: ControllerContext): Promise<void> {
  const secrets = context.client.resource(corev1Secrets);
  const { name = '', namespace = '', uid } = secret.metadata;
  if (!account) return ignoreStaleWrite(secrets.delete({ namespace, name }, uid === undefined ? {} : { preconditions: { uid } }));
  const filled = await fillSecret(secret, account, context);
  if (filled) await ignoreStaleWrite(secrets.update(filled));
}

/** The secret with its missing data; undefined when nothing is missing. */
async function fillSecret(
  secret: corev1.Secret,
  account: corev1.ServiceAccount,
  { product, rootAuthority: authority, signSecretToken }: Pick<ControllerContext, 'product' | 'rootAuthority' | 'signSecretToken'>,
): Promise<corev1.Secret | undefined> {
  const current = secretDataReader(secret);
  const { name = '', namespace = '' } = secret.metadata;
  const { name: accountName = '', uid = '' } = account.metadata;
  const missing: Record<string, string> = {};
  if (authority !== undefined && current('ca.crt') !== authority) missing['ca.crt'] = authority;
  if (current('namespace') === '') missing['namespace'] = namespace;
  if (current('token') === '') missing['token'] = await signSecretToken({ namespace, secret: name, account: { name: accountName, uid } });
  if (Object.keys(missing).length === 0) return undefined;
  const encoded = Object.fromEntries(Object.entries(missing).map(([key, text]) => [key, btoa(text)]));
  const annotations = {
    ...secret.metadata.annotations,
    [product.rename('kubernetes.io/service-account.name')]: accountName,
    [product.rename('kubernetes.io/service-account.uid')]: uid,
  };
  return { ...secret, metadata: { ...secret.metadata, annotations }, data: { ...secret.data, ...encoded } };
}

function accountReferenceOf(
  { metadata: { annotations = {} } }: corev1.Secret,
  product: Product,
): { readonly name: string; readonly uid: string } {
  const annotation = (what: string): string => annotations[product.rename(`kubernetes.io/service-account.${what}`)] ?? '';
  return { name: annotation('name'), uid: annotation('uid') };
}
