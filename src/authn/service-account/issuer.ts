import { CompactSign } from 'jose/jws/compact/sign';
import type { Product } from '../../meta/index.ts';
import type { KeySource } from './keys.ts';
import { legacyIssuer } from './legacy-tokens.ts';

/** Name and UID of an object in the claims. */
export interface ObjectClaim {
  readonly name: string;
  /** Empty: unknown. */
  readonly uid: string;
}

/** The claims of a new token. */
export interface TokenClaims {
  /** The token's ID. */
  readonly id: string;
  readonly namespace: string;
  readonly account: ObjectClaim;
  /** The bound object, and for a pod also its node. */
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: ObjectClaim;
  readonly audiences: readonly string[];
  readonly nowMs: number;
  readonly expirationSeconds: number;
  /** After this time, each use adds a stale-token audit annotation. */
  readonly warnAfterSeconds?: number;
}

/** The claims of a token stored in a secret. */
export interface SecretClaims {
  readonly namespace: string;
  readonly secret: string;
  readonly account: ObjectClaim;
}

export interface IssuerSettings {
  /** `--service-account-issuer`: the first signs, all are accepted. */
  readonly issuers: readonly string[];
  /** `--api-audiences`. */
  readonly audiences: readonly string[];
  /** `--service-account-max-token-expiration`; 0: no limit. */
  readonly maxExpirationSeconds: number;
  /** `--service-account-extend-token-expiration`. */
  readonly extendsExpiration: boolean;
  /** `--service-account-jwks-uri`. */
  readonly keysUri: string;
}

/** Issues service account tokens and publishes the keys that verify them. */
export interface ServiceAccountIssuer extends Pick<IssuerSettings, 'audiences' | 'maxExpirationSeconds' | 'extendsExpiration'> {
  sign(claims: TokenClaims): Promise<string>;
  /** Signs a token that is valid as long as its secret exists. */
  signForSecret(claims: SecretClaims): Promise<string>;
  /** The document at /.well-known/openid-configuration; undefined when the issuer is not an https URL. */
  configuration(): Promise<string | undefined>;
  /** The document at /openid/v1/jwks. */
  keySet(): Promise<string | undefined>;
}

export function createServiceAccountIssuer(settings: IssuerSettings, keys: KeySource, product: Product): ServiceAccountIssuer {
  const [issuer = ''] = settings.issuers;
  return {
    audiences: settings.audiences,
    maxExpirationSeconds: settings.maxExpirationSeconds,
    extendsExpiration: settings.extendsExpiration,
    sign: (claims) => signPayload(payloadOf(claims, issuer, product), keys),
    signForSecret: (claims) => signPayload(secretPayloadOf(claims, product), keys),
    async configuration() {
      if (!isDiscoverable(issuer)) return undefined;
      const { verifying } = await keys();
      return JSON.stringify({
        issuer,
        jwks_uri: settings.keysUri,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [...new Set(verifying.map(({ algorithm }) => algorithm))].sort(),
      });
    },
    async keySet() {
      if (!isDiscoverable(issuer)) return undefined;
      return JSON.stringify({ keys: (await keys()).verifying.map(({ jwk }) => jwk) });
    },
  };
}

async function signPayload(payload: object, keys: KeySource): Promise<string> {
  const { signing } = await keys();
  const header = { alg: signing.algorithm, kid: signing.id };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload))).setProtectedHeader(header).sign(signing.key);
}

/** The name of the claim that contains the token's objects. */
export function privateClaimName(product: Product): string {
  return product.rename('"kubernetes.io"').slice(1, -1);
}

function secretPayloadOf({ namespace, secret, account }: SecretClaims, product: Product): object {
  const own = (name: string): string => product.rename(`kubernetes.io/serviceaccount/${name}`);
  return {
    iss: legacyIssuer,
    [own('namespace')]: namespace,
    [own('secret.name')]: secret,
    [own('service-account.name')]: account.name,
    [own('service-account.uid')]: account.uid,
    sub: `system:serviceaccount:${namespace}:${account.name}`,
  };
}

function payloadOf(claims: TokenClaims, iss: string, product: Product): object {
  const iat = Math.floor(claims.nowMs / 1000);
  const { namespace, account, pod, secret, node, warnAfterSeconds } = claims;
  return {
    aud: claims.audiences,
    exp: iat + claims.expirationSeconds,
    iat,
    iss,
    jti: claims.id,
    [privateClaimName(product)]: {
      namespace,
      ...(node && { node: toClaim(node) }),
      ...(pod && { pod: toClaim(pod) }),
      ...(secret && { secret: toClaim(secret) }),
      serviceaccount: toClaim(account),
      ...(warnAfterSeconds === undefined ? {} : { warnafter: iat + warnAfterSeconds }),
    },
    nbf: iat,
    sub: `system:serviceaccount:${namespace}:${account.name}`,
  };
}

function toClaim({ name, uid }: ObjectClaim): object {
  return uid === '' ? { name } : { name, uid };
}

/** OpenID Connect Discovery: an https URL without a query or a fragment. */
function isDiscoverable(issuer: string): boolean {
  return /^https:\/\/[^?#]*$/i.test(issuer);
}
