import { hexDigest } from '../hash.ts';
import type { ImageRecord } from './image-record.ts';
import type { ImageReference } from './image-reference.ts';

/** Download rate of the simulated registries. */
const bytesPerMs = 60_000;
const requestMs = 400;

/** How long a pull takes. */
export const pullMs = ({ sizeBytes }: ImageRecord): number => requestMs + Math.round(sizeBytes / bytesPerMs);

/** Tags and names of images that no registry has. */
const missingPattern =
  /(^|[^a-z0-9])(does-?not-?exist|doesnotexist|non-?existent|not-?found|no-?such-[a-z-]+|missing|invalid|bad-?tag|broken)([^a-z0-9]|$)/;

/** The error of containerd for an image that cannot be pulled; undefined when it can. `isMissing`: the registry does not have it. */
export function pullError({ host, repository, tag, digest, full }: ImageReference, isMissing: boolean): string | undefined {
  const prefix = `failed to pull and unpack image ${JSON.stringify(full)}: failed to resolve reference ${JSON.stringify(full)}`;
  const hostName = host.split(':')[0] ?? '';
  if (/(^|\.)(invalid|example|test)$|^invalid\./.test(hostName)) {
    const url = `https://${host}/v2/${repository}/manifests/${tag || digest}`;
    return `${prefix}: failed to do request: Head ${JSON.stringify(url)}: dial tcp: lookup ${hostName}: no such host`;
  }
  if (!isMissing && !missingPattern.test(tag) && !missingPattern.test(repository)) return undefined;
  if (missingPattern.test(tag)) return `rpc error: code = NotFound desc = ${prefix}: ${full}: not found`;
  return `${prefix}: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`;
}

/** A digest for an image: the same for the same name. */
export function imageDigest({ full, digest }: ImageReference): string {
  if (digest !== '') return digest;
  return `sha256:${hexDigest(full, 64)}`;
}
