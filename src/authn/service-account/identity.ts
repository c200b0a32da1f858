import type { Product } from '../../meta/index.ts';
import type { User } from '../user.ts';
import type { ObjectClaim } from './issuer.ts';

/** The identity in a service account token. */
export interface ServiceAccountIdentity {
  readonly namespace: string;
  readonly account: ObjectClaim;
  readonly pod?: ObjectClaim | undefined;
  readonly node?: ObjectClaim | undefined;
  /** The token's ID. */
  readonly jti?: string | undefined;
}

/** The user of a service account (part 5.2). */
export function serviceAccountUser({ namespace, account, pod, node, jti }: ServiceAccountIdentity, product: Product): User {
  const extra: Record<string, readonly string[]> = {};
  const setExtra = (key: string, value: string | undefined): void => {
    if (value) extra[product.rename(`authentication.kubernetes.io/${key}`)] = [value];
  };
  setExtra('credential-id', jti && `JTI=${jti}`);
  setExtra('node-name', node?.name);
  if (node?.name) setExtra('node-uid', node.uid);
  if (pod?.name && pod.uid) {
    setExtra('pod-name', pod.name);
    setExtra('pod-uid', pod.uid);
  }
  return {
    username: `system:serviceaccount:${namespace}:${account.name}`,
    uid: account.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra,
  };
}
