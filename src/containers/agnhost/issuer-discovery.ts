import { errorMessage } from '../../env/index.ts';
import { readText } from '../network/host-names.ts';
import type { Applet } from '../process/applet.ts';
import type { Process } from '../process/process.ts';
import { parseFlags } from './flags.ts';
import { logLine } from './go-log.ts';
import { requestApi } from './in-cluster-client.ts';

interface Claims {
  readonly iss: string;
  readonly aud: string | readonly string[];
  readonly exp: number;
}

interface SigningKey extends JsonWebKey {
  readonly kid?: string;
}

/** Web Crypto's names of the signature algorithms that are accepted. */
const algorithms = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const;

const decodePart = (part: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const readPart = (part: string): unknown => JSON.parse(new TextDecoder().decode(decodePart(part)));

/**
 * Verifies a token of a service account by the discovery documents of its issuer, as any OIDC client would.
 * Cf. test/images/agnhost/openidmetadata.
 */
export const issuerDiscovery: Applet = async (invocation, process) => {
  const flags = parseFlags(invocation.args);
  const log = (line: string): void => logLine(line, invocation, process);
  const token = readText(flags.get('token-path') ?? '', process);
  log('OK: Got token');
  log('validating with in-cluster discovery');
  try {
    await verifyToken(token, flags.get('audience') ?? '', log, process);
    return 0;
  } catch (error) {
    log(`failed to validate with in-cluster discovery: ${errorMessage(error)}`);
    return 1;
  }
};

/** @throws Error */
async function verifyToken(token: string, audience: string, log: (line: string) => void, process: Process): Promise<void> {
  const [head = '', body = '', signature = ''] = token.split('.');
  const { iss, aud, exp } = readPart(body) as Claims;
  log(`OK: got issuer ${iss}`);
  const discovery = (await requestApi({ url: `${iss}/.well-known/openid-configuration`, method: 'GET' }, process)) as {
    readonly issuer: string;
    readonly jwks_uri: string;
  };
  if (discovery.issuer !== iss)
    throw new Error(`oidc: issuer did not match the issuer returned by provider, expected "${iss}" got "${discovery.issuer}"`);
  log(`OK: Constructed OIDC provider for issuer ${iss}`);
  const { keys } = (await requestApi({ url: discovery.jwks_uri, method: 'GET' }, process)) as { readonly keys: readonly SigningKey[] };
  const { alg, kid } = readPart(head) as { readonly alg: string; readonly kid?: string };
  if (alg !== 'RS256' && alg !== 'ES256')
    throw new Error(`oidc: id token signed with unsupported algorithm, expected ["RS256" "ES256"] got "${alg}"`);
  const jwk = keys.find((one) => one.kid === kid);
  if (!jwk) throw new Error('failed to verify signature: failed to verify id token signature');
  const algorithm = algorithms[alg];
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  const isValid = await crypto.subtle.verify(algorithm, key, decodePart(signature), new TextEncoder().encode(`${head}.${body}`));
  if (!isValid) throw new Error('failed to verify signature: failed to verify id token signature');
  if (![aud].flat().includes(audience)) throw new Error(`oidc: expected audience "${audience}" got ${JSON.stringify([aud].flat())}`);
  if (exp * 1_000 < process.container.env.clock.nowMs()) throw new Error('oidc: token is expired');
  log('OK: Validated signature on JWT');
  log('OK: Got valid claims from token!');
}
