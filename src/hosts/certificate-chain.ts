import type { VerifiedCertificate } from '../cluster/index.ts';

/** A certificate as verifying sees it, whichever library read it. */
export interface ChainLink<Self> {
  /** SHA-256 in lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Extended key usages; undefined: for all of them. */
  readonly uses: readonly string[] | undefined;
  /** May sign others. */
  readonly isAuthority: boolean;
  /** So many others may stand between it and a client's; undefined: any number, or unknown to the library. */
  readonly pathLength?: number | undefined;
  /** Whether the issuer's name and key are those of this certificate's signature. */
  isSignedBy(issuer: Self): Promise<boolean> | boolean;
  /** Values of an attribute of the subject. */
  subject(attribute: 'CN' | 'O' | 'uid'): readonly string[];
}

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyUse = '2.5.29.37.0';
/** The attribute of subjects that holds a user's id. */
export const uidAttribute = '1.3.6.1.4.1.57683.2';
/** Longer chains are no chains of a cluster. */
const maxDepth = 8;

/** Verifies a client's chain as Go does: to one of the authorities, in its time, for clients. A text: why it does not hold. */
export async function verifyChain<Link extends ChainLink<Link>>(
  [own, ...intermediates]: readonly Link[],
  authorities: readonly Link[],
  nowMs: number,
): Promise<VerifiedCertificate | string> {
  if (!own) return 'no certificate';
  if (!isInTime(own, nowMs)) return 'x509: certificate has expired or is not yet valid';
  if (!(await leadsToAuthority(own, { authorities, intermediates, nowMs }, 0))) return 'x509: certificate signed by unknown authority';
  if (!isForClients(own)) return 'x509: certificate specifies an incompatible key usage';
  return {
    // Of several the last counts, as in Go.
    commonName: own.subject('CN').at(-1) ?? '',
    organizations: own.subject('O'),
    uids: own.subject('uid'),
    fingerprint: own.fingerprint,
  };
}

interface Pool<Link> {
  readonly authorities: readonly Link[];
  readonly intermediates: readonly Link[];
  readonly nowMs: number;
}

async function leadsToAuthority<Link extends ChainLink<Link>>(link: Link, pool: Pool<Link>, depth: number): Promise<boolean> {
  if (pool.authorities.some(({ fingerprint }) => fingerprint === link.fingerprint)) return true;
  if (depth > maxDepth) return false;
  const signs = async (issuer: Link): Promise<boolean> =>
    issuer.isAuthority &&
    depth <= (issuer.pathLength ?? maxDepth) &&
    isInTime(issuer, pool.nowMs) &&
    isForClients(issuer) &&
    (await link.isSignedBy(issuer));
  for (const authority of pool.authorities) if (await signs(authority)) return true;
  for (const issuer of pool.intermediates) if ((await signs(issuer)) && (await leadsToAuthority(issuer, pool, depth + 1))) return true;
  return false;
}

function isInTime({ notBeforeMs, notAfterMs }: ChainLink<never>, nowMs: number): boolean {
  return notBeforeMs <= nowMs && nowMs <= notAfterMs;
}

function isForClients({ uses }: ChainLink<never>): boolean {
  return !uses || uses.includes(clientAuth) || uses.includes(anyUse);
}
