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
  const tell = (key: string, value: string | undefined): void => {
    if (value) extra[product.rename(`authentication.kubernetes.io/${key}`)] = [value];
  };
  tell('credential-id', jti && `JTI=${jti}`);
  tell('node-name', node?.name);
  if (node?.name) tell('node-uid', node.uid);
  if (pod?.name && pod.uid) {
    tell('pod-name', pod.name);
    tell('pod-uid', pod.uid);
  }
  return {
    username: `system:serviceaccount:${namespace}:${account.name}`,
    uid: account.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra,
  };
}
