import type { CertificateVerifier, VerifiedCertificate } from '../cluster/index.ts';
import { type Clock, errorMessage } from '../env/index.ts';
import { ChainCertificate } from './chain-certificate.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyUse = '2.5.29.37.0';
/** Limit of signature checks per chain, since clients choose the certificates. Cf. Go's crypto/x509 maxChainSignatureChecks. */
const signaturesMax = 100;

const unknownAuthority = 'x509: certificate signed by unknown authority';

/** Verifies client certificates as Go does: validity period, client usage, and a chain to one of these CAs (DER). */
export function createChainVerifier(authorities: readonly Uint8Array[], clock: Clock): CertificateVerifier {
  const known = Promise.all(authorities.map((der) => ChainCertificate.read(der)));
  // Prevents an unhandled rejection; `verify` reports the error.
  known.catch(() => undefined);
  // All requests of a connection have the same chain, so its parsed certificates and checked signatures are cached.
  const read = new WeakMap<object, Promise<readonly ChainCertificate[]>>();
  return {
    async verify(chain) {
      const links = read.get(chain) ?? Promise.all(chain.map((der) => ChainCertificate.read(der)));
      read.set(chain, links);
      try {
        return await verifyChain(await links, await known, clock.nowMs());
      } catch (error) {
        return `x509: malformed certificate: ${errorMessage(error)}`;
      }
    },
  };
}

/** Returns the reason as text when the chain is not valid. */
async function verifyChain(
  [own, ...intermediates]: readonly ChainCertificate[],
  authorities: readonly ChainCertificate[],
  nowMs: number,
): Promise<VerifiedCertificate | string> {
  if (!own) return 'no certificate';
  const problem = checkCertificate(own, nowMs);
  if (problem !== undefined) return problem;
  const search = new ChainSearch(authorities, intermediates, nowMs);
  await search.search([own]);
  if (search.chains.length === 0) return search.problem ?? unknownAuthority;
  if (!search.chains.some((chain) => chain.every(isForClients))) return 'x509: certificate specifies an incompatible key usage';
  return {
    // Of several common names, the last is used, as in Go.
    commonName: own.subject('CN').at(-1) ?? '',
    organizations: own.subject('O'),
    uids: own.subject('uid'),
    fingerprint: own.fingerprint,
  };
}

/** Searches all chains from a client certificate to a CA. */
class ChainSearch {
  readonly chains: (readonly ChainCertificate[])[] = [];
  /** Reason why the last correctly signed candidate was rejected. */
  problem: string | undefined;
  readonly #authorities: readonly ChainCertificate[];
  readonly #intermediates: readonly ChainCertificate[];
  readonly #nowMs: number;
  #signatures = 0;

  constructor(authorities: readonly ChainCertificate[], intermediates: readonly ChainCertificate[], nowMs: number) {
    this.#authorities = authorities;
    this.#intermediates = intermediates;
    this.#nowMs = nowMs;
  }

  async search(chain: readonly ChainCertificate[]): Promise<void> {
    const last = chain.at(-1);
    if (last === undefined) return;
    if (chain.length === 1 && this.#authorities.some(({ fingerprint }) => fingerprint === last.fingerprint)) {
      this.chains.push(chain);
      return;
    }
    for (const root of this.#authorities) if (await this.#isValidIssuer(root, chain, last)) this.chains.push([...chain, root]);
    for (const issuer of this.#intermediates) if (await this.#isValidIssuer(issuer, chain, last)) await this.search([...chain, issuer]);
  }

  async #isValidIssuer(issuer: ChainCertificate, chain: readonly ChainCertificate[], last: ChainCertificate): Promise<boolean> {
    if (chain.some(({ fingerprint }) => fingerprint === issuer.fingerprint) || !last.isIssuedBy(issuer) || !issuer.isAuthority)
      return false;
    if (++this.#signatures > signaturesMax) {
      this.problem = 'x509: signature check attempts limit reached while verifying certificate chain';
      return false;
    }
    if (!(await last.isSignedBy(issuer))) return false;
    const problem = checkCertificate(issuer, this.#nowMs) ?? checkConstraints(issuer, chain);
    this.problem = problem ?? this.problem;
    return problem === undefined;
  }
}

function checkCertificate(link: ChainCertificate, nowMs: number): string | undefined {
  if (!link.hasOnlyHandledExtensions) return 'x509: unhandled critical extension';
  return link.isValidAt(nowMs) ? undefined : 'x509: certificate has expired or is not yet valid';
}

/** Checks the constraints of an issuer on the `chain` below it. */
function checkConstraints(issuer: ChainCertificate, chain: readonly ChainCertificate[]): string | undefined {
  if (issuer.pathLength !== undefined && chain.length - 1 > issuer.pathLength)
    return 'x509: too many intermediates for path length constraint';
  // The permitted names are not evaluated: client certificates rarely have names other than their subject.
  const isNamed = issuer.constrainsNames && chain[0]?.hasAlternativeNames === true;
  return isNamed ? 'x509: a root or intermediate certificate is not authorized to sign for this name' : undefined;
}

function isForClients({ uses }: ChainCertificate): boolean {
  return !uses || uses.includes(clientAuth) || uses.includes(anyUse);
}
