import { type Certificate, isSignedByIssuer, pemCertificates, readCertificate, sameBytes, X509Error } from '../../x509/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { readCertificateFile } from './certificate-files.ts';
import { formatName } from './distinguished-names.ts';
import { readInput } from './files.ts';
import { type Arguments, readArguments } from './options.ts';
import { useCrypto } from './use-crypto.ts';

/** `openssl verify -CAfile ca.crt FILE…`. */
export async function verifyCertificates(call: Invocation): Promise<number> {
  const parsed = readArguments(call.name, call.args, {
    flags: 'verbose show_chain no-CAfile no-CApath no-CAstore x509_strict partial_chain',
    values: 'CAfile trusted untrusted purpose nameopt verify_depth',
    numbers: 'attime',
  });
  const trusted = await readAll(call, [...parsed.values('CAfile'), ...parsed.values('trusted')]);
  const untrusted = await readAll(call, parsed.values('untrusted'));
  const nowMs = (parsed.number('attime') ?? Number.NaN) * 1000 || call.shell.clock.nowMs();
  let code = 0;
  for (const name of parsed.words.length === 0 ? [undefined] : parsed.words) {
    const isValid = await verifyFile(call, name, { trusted, untrusted, nowMs, parsed });
    if (!isValid) code = 2;
  }
  return code;
}

async function readAll(call: Invocation, names: readonly string[]): Promise<readonly Certificate[]> {
  const certificates: Certificate[] = [];
  for (const name of names) {
    const content = await readInput(call, name);
    if (!content) throw new CommandError(`Error loading file ${name}`);
    try {
      certificates.push(...pemCertificates(new TextDecoder().decode(content)).map(readCertificate));
    } catch (error) {
      if (!(error instanceof X509Error)) throw error;
      throw new CommandError(`Error loading file ${name}`);
    }
  }
  return certificates;
}

interface Trust {
  readonly trusted: readonly Certificate[];
  readonly untrusted: readonly Certificate[];
  readonly nowMs: number;
  readonly parsed: Arguments;
}

async function verifyFile(call: Invocation, name: string | undefined, trust: Trust): Promise<boolean> {
  const { certificate } = await readCertificateFile(call, name, 'certificate file', 2);
  const { chain, problem } = await verifyChain(call, certificate, trust);
  const shown = name ?? 'stdin';
  if (problem) {
    const { code, depth, text } = problem;
    const subject = chain[depth]?.subject ?? certificate.subject;
    call.err(`${formatName(subject)}\nerror ${code} at ${depth} depth lookup: ${text}\nerror ${shown}: verification failed\n`);
    return false;
  }
  call.out(`${shown}: OK\n`);
  if (trust.parsed.has('show_chain')) {
    const lines = chain.map(
      (one, depth) => `depth=${depth}: ${formatName(one.subject)}${trust.trusted.includes(one) ? '' : ' (untrusted)'}\n`,
    );
    call.out(`Chain:\n${lines.join('')}`);
  }
  return true;
}

interface Problem {
  /** Of X509_V_ERR_…. */
  readonly code: number;
  readonly depth: number;
  readonly text: string;
}

interface VerifiedChain {
  /** From the certificate to the root. */
  readonly chain: readonly Certificate[];
  readonly problem: Problem | undefined;
}

const maxDepth = 100;

/** Cf. crypto/x509/x509_vfy.c verify_chain. */
async function verifyChain(call: Invocation, leaf: Certificate, { trusted, untrusted, nowMs }: Trust): Promise<VerifiedChain> {
  const known = trusted.find((one) => sameBytes(one.signed, leaf.signed)) ?? leaf;
  const chain = [known];
  for (let current = known; !trusted.includes(current) || !isSelfIssued(current); ) {
    const issuer = findIssuer(current, trusted) ?? findIssuer(current, untrusted);
    if (!issuer || chain.includes(issuer) || chain.length > maxDepth) return { chain, problem: incompleteChain(chain, current) };
    chain.push(issuer);
    current = issuer;
  }
  return { chain, problem: authorityProblem(chain) ?? (await signatureProblem(call, chain)) ?? timeProblem(chain, nowMs) };
}

const isSelfIssued = ({ subject, issuer }: Certificate): boolean => sameBytes(subject, issuer);

const findIssuer = ({ issuer }: Certificate, candidates: readonly Certificate[]): Certificate | undefined =>
  candidates.find(({ subject }) => sameBytes(subject, issuer));

function incompleteChain(chain: readonly Certificate[], last: Certificate): Problem {
  const depth = chain.length - 1;
  if (!isSelfIssued(last)) return { code: 20, depth, text: 'unable to get local issuer certificate' };
  return depth === 0
    ? { code: 18, depth, text: 'self-signed certificate' }
    : { code: 19, depth, text: 'self-signed certificate in certificate chain' };
}

/** A certificate of version 1 may be a root. */
function authorityProblem(chain: readonly Certificate[]): Problem | undefined {
  const depth = chain.findIndex(({ basicConstraints, version, maySignCertificates }, index) => {
    const isAuthority = basicConstraints ? basicConstraints.isAuthority : version === 1 && index === chain.length - 1;
    return index > 0 && (!isAuthority || !maySignCertificates);
  });
  return depth < 0 ? undefined : { code: 79, depth, text: 'invalid CA certificate' };
}

async function signatureProblem(call: Invocation, chain: readonly Certificate[]): Promise<Problem | undefined> {
  for (let depth = chain.length - 2; depth >= 0; depth--) {
    const [certificate, issuer] = [chain[depth], chain[depth + 1]];
    if (!certificate || !issuer) continue;
    if (!(await useCrypto(call, () => isSignedByIssuer(certificate, issuer))))
      return { code: 7, depth, text: 'certificate signature failure' };
  }
  return undefined;
}

/** From the root to the certificate. */
function timeProblem(chain: readonly Certificate[], nowMs: number): Problem | undefined {
  const depth = chain.findLastIndex(({ notBeforeMs, notAfterMs }) => notBeforeMs > nowMs || notAfterMs < nowMs);
  const outdated = chain[depth];
  if (!outdated) return undefined;
  return outdated.notBeforeMs > nowMs
    ? { code: 9, depth, text: 'certificate is not yet valid' }
    : { code: 10, depth, text: 'certificate has expired' };
}
