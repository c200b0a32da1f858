import type { Clock } from '../../env/index.ts';
import { type ApiObject, isJsonObject, type JsonObject, notFound, type Product, recordAt, textAt } from '../../meta/index.ts';
import type { AuthenticationResponse, TokenAuthenticator } from '../authenticator.ts';
import { serviceAccountUser } from './identity.ts';
import { type ObjectClaim, privateClaimName } from './issuer.ts';
import type { KeySource } from './keys.ts';
import { InvalidClaims, signedTokenAuthenticator } from './signed-tokens.ts';
import type { TokenObjects } from './token-objects.ts';

export interface BoundTokenOptions {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly keys: KeySource;
  readonly objects: TokenObjects;
  readonly clock: Clock;
  readonly product: Product;
}

/** Allowed clock skew. */
const leewayMs = 60_000;
const invalidatedMessage = 'service account token has been invalidated';

/** Tokens of TokenRequest: limited by time, audiences, and the lifetime of the bound object. */
export function boundTokenAuthenticator({ clock, objects, product, ...rules }: BoundTokenOptions): TokenAuthenticator {
  return signedTokenAuthenticator({
    ...rules,
    name: 'service account token',
    identify: (claims) => identify(claims, objects, clock.nowMs(), product),
  });
}

async function identify(
  claims: JsonObject,
  objects: TokenObjects,
  nowMs: number,
  product: Product,
): Promise<Omit<AuthenticationResponse, 'audiences'>> {
  checkTimes(claims, nowMs);
  const privateClaims = recordAt(claims, privateClaimName(product));
  const namespace = textAt(privateClaims, 'namespace');
  const account = readObjectClaim(privateClaims, 'serviceaccount') ?? { name: '', uid: '' };
  const [pod, secret, node] = ['pod', 'secret', 'node'].map((name) => readObjectClaim(privateClaims, name));
  await checkAccount(objects, namespace, account, nowMs);
  if (secret) checkBound('secret', await objects.secret(namespace, secret.name), secret, nowMs);
  if (pod) checkBound('pod', await objects.pod(namespace, pod.name), pod, nowMs);
  // The node of a pod is informational.
  if (node && !pod) checkBound('node', await objects.node(node.name), node, nowMs);
  return {
    user: serviceAccountUser({ namespace, account, pod, node, jti: textAt(claims, 'jti') }, product),
    annotations: staleAnnotation(claims, privateClaims, nowMs, product),
  };
}

/** The audit annotation of a token used after `warnafter`, its original expiry before extension. */
function staleAnnotation(claims: JsonObject, { warnafter }: JsonObject, nowMs: number, product: Product): Readonly<Record<string, string>> {
  const seconds = Math.floor(nowMs / 1000) - Number(warnafter ?? 0);
  if (typeof warnafter !== 'number' || warnafter === 0 || seconds <= 0) return {};
  const text = `subject: ${textAt(claims, 'sub')}, seconds after warning threshold: ${seconds}`;
  return { [product.rename('authentication.k8s.io/stale-token')]: text };
}

function checkTimes({ nbf, exp, iat }: JsonObject, nowMs: number): void {
  if (typeof nbf === 'number' && nowMs + leewayMs < nbf * 1000) throw new InvalidClaims('service account token is not valid yet');
  if (typeof exp === 'number' && nowMs - leewayMs > exp * 1000) throw new InvalidClaims('service account token has expired');
  if (typeof iat === 'number' && nowMs + leewayMs < iat * 1000) throw new InvalidClaims('service account token is issued in the future');
}

async function checkAccount(objects: TokenObjects, namespace: string, account: ObjectClaim, nowMs: number): Promise<void> {
  if (account.name === '') throw new InvalidClaims('resource name may not be empty');
  const found = await objects.serviceAccount(namespace, account.name);
  if (!found) throw new InvalidClaims(notFound({ group: '', name: 'serviceaccounts' }, account.name).message);
  const { uid = '' } = found.metadata;
  if (uid !== account.uid) throw new InvalidClaims(`service account UID (${uid}) does not match claim (${account.uid})`);
  if (isLongDeleted(found, nowMs)) throw new InvalidClaims(`service account ${namespace}/${account.name} has been deleted`);
}

function checkBound(kind: 'secret' | 'pod' | 'node', found: ApiObject | undefined, claim: ObjectClaim, nowMs: number): void {
  if (!found) throw new InvalidClaims(invalidatedMessage);
  const { uid = '' } = found.metadata;
  if (uid !== claim.uid) throw new InvalidClaims(`${kind} UID (${uid}) does not match service account ${kind} ref claim (${claim.uid})`);
  if (isLongDeleted(found, nowMs)) throw new InvalidClaims(invalidatedMessage);
}

/** Tokens of a terminating object stay valid for the allowed clock skew. */
function isLongDeleted({ metadata }: ApiObject, nowMs: number): boolean {
  return metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) < nowMs - leewayMs;
}

function readObjectClaim(privateClaims: JsonObject, name: string): ObjectClaim | undefined {
  const claim = privateClaims[name];
  if (!isJsonObject(claim)) return undefined;
  return { name: textAt(claim, 'name'), uid: textAt(claim, 'uid') };
}
