import { formatIp, formatTime, parseIp } from '../meta/index.ts';
import {
  type Certificate,
  extensionIds,
  isSignedByIssuer,
  pemCertificates,
  readAlternativeNames,
  readCertificate,
  sameBytes,
} from '../x509/index.ts';
import { type ClientTls, NetworkError, type ServerTls } from './network-namespace.ts';

/** Verifies the certificate of a listener as a client in Go does. @throws NetworkError EPROTO with Go's message */
export async function checkTls(server: ServerTls | undefined, { serverName, authorities }: ClientTls, nowMs: number): Promise<void> {
  if (!server) throw new NetworkError('EPROTO', 'tls: first record does not look like a TLS handshake');
  if (authorities === undefined) return;
  const [leaf, ...intermediates] = pemCertificates(server.certificate).map(readCertificate);
  if (!leaf) throw new NetworkError('EPROTO', 'remote error: tls: internal error');
  const problem =
    (await chainProblem(leaf, intermediates, pemCertificates(authorities).map(readCertificate), nowMs)) ?? nameProblem(leaf, serverName);
  if (problem !== undefined) throw new NetworkError('EPROTO', `tls: failed to verify certificate: x509: ${problem}`);
}

const maxChain = 8;

async function chainProblem(
  leaf: Certificate,
  intermediates: readonly Certificate[],
  roots: readonly Certificate[],
  nowMs: number,
): Promise<string | undefined> {
  let current = leaf;
  for (let depth = 0; depth < maxChain; depth++) {
    const expired = timeProblem(current, nowMs);
    if (expired !== undefined) return expired;
    if (roots.some(({ signed }) => sameBytes(signed, current.signed)) || (await issuerOf(current, roots))) return undefined;
    const next = await issuerOf(current, intermediates);
    if (!next) break;
    current = next;
  }
  return 'certificate signed by unknown authority';
}

async function issuerOf(certificate: Certificate, candidates: readonly Certificate[]): Promise<Certificate | undefined> {
  for (const candidate of candidates)
    if (
      sameBytes(candidate.subject, certificate.issuer) &&
      candidate.maySignCertificates &&
      (await isSignedByIssuer(certificate, candidate))
    )
      return candidate;
  return undefined;
}

function timeProblem({ notBeforeMs, notAfterMs }: Certificate, nowMs: number): string | undefined {
  const expired = 'certificate has expired or is not yet valid: current time';
  if (nowMs < notBeforeMs) return `${expired} ${formatTime(nowMs)} is before ${formatTime(notBeforeMs)}`;
  return nowMs > notAfterMs ? `${expired} ${formatTime(nowMs)} is after ${formatTime(notAfterMs)}` : undefined;
}

function nameProblem(certificate: Certificate, name: string): string | undefined {
  const { dnsNames: names, ipAddresses } = readAlternativeNames(certificate.extensions.get(extensionIds.subjectAlternativeName)?.value);
  const addresses = ipAddresses.map(formatAddress);
  const ip = parseIp(name);
  if (ip) {
    const address = formatIp(ip);
    if (addresses.includes(address)) return undefined;
    if (addresses.length === 0) return `cannot validate certificate for ${address} because it doesn't contain any IP SANs`;
    return `certificate is valid for ${addresses.join(', ')}, not ${address}`;
  }
  if (names.some((one) => matchesName(one, name))) return undefined;
  if (names.length === 0) return `certificate is not valid for any names, but wanted to match ${name}`;
  return `certificate is valid for ${names.join(', ')}, not ${name}`;
}

/** A wildcard stands for one label. */
function matchesName(pattern: string, name: string): boolean {
  const [wanted, given] = [pattern.toLowerCase().split('.'), name.toLowerCase().replace(/\.$/, '').split('.')];
  return wanted.length === given.length && wanted.every((label, at) => label === given[at] || (at === 0 && label === '*'));
}

const formatAddress = (bytes: Uint8Array): string => formatIp({ bytes: [...bytes] });
