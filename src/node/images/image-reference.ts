import { isImageReference, splitImageReference } from '../../meta/index.ts';

/** A reference to an image, as container runtimes complete it. Cf. distribution/reference ParseNormalizedNamed. */
export interface ImageReference {
  /** `docker.io`. */
  readonly host: string;
  /** `library/nginx`. */
  readonly repository: string;
  /** Empty with a digest only. */
  readonly tag: string;
  /** `sha256:…`; empty when absent. */
  readonly digest: string;
  /** `docker.io/library/nginx:latest`. */
  readonly full: string;
}

const identifierPattern = /^[a-f0-9]{64}$/;
/** Hexadecimal digits of a digest by algorithm. */
const digestLengths: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);
const maxRepositoryLength = 255;

/** The image of a container; undefined when its name is invalid. */
export function parseImageReference(text: string): ImageReference | undefined {
  if (imageReferenceError(text) !== undefined) return undefined;
  const { name, digest = '', tag = digest === '' ? 'latest' : '' } = splitImageReference(text);
  const { host, repository } = splitHost(name);
  const full = `${host}/${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
  return { host, repository, tag, digest, full };
}

/** Why a container cannot have the image `text`, in the words of the kubelet; undefined: it can. */
export function imageReferenceError(text: string): string | undefined {
  if (identifierPattern.test(text)) return `invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`;
  const { name, digest } = splitImageReference(text);
  const { host, repository } = splitHost(name);
  const remainder = `${repository}${text.slice(name.length)}`;
  const [remote = ''] = remainder.split(':', 1);
  if (remote !== remote.toLowerCase()) return `invalid reference format: repository name (${remote}) must be lowercase`;
  if (!isImageReference(`${host}/${remainder}`)) return 'invalid reference format';
  if (repository.length > maxRepositoryLength) return `repository name must not be more than ${maxRepositoryLength} characters`;
  return digest === undefined ? undefined : digestError(digest);
}

/** Cf. opencontainers/go-digest Digest.Validate. */
function digestError(digest: string): string | undefined {
  const [algorithm = '', encoded = ''] = digest.split(':');
  const length = digestLengths.get(algorithm);
  if (length === undefined)
    return algorithm === algorithm.toLowerCase() ? 'unsupported digest algorithm' : 'invalid checksum digest format';
  if (encoded.length !== length) return 'invalid checksum digest length';
  return encoded === encoded.toLowerCase() ? undefined : 'invalid checksum digest format';
}

function splitHost(path: string): Pick<ImageReference, 'host' | 'repository'> {
  const slash = path.indexOf('/');
  const first = path.slice(0, Math.max(0, slash));
  const isHost = first === 'localhost' || /[.:]/.test(first) || first !== first.toLowerCase();
  if (isHost && first !== 'docker.io' && first !== 'index.docker.io') return { host: first, repository: path.slice(slash + 1) };
  const repository = isHost ? path.slice(slash + 1) : path;
  return { host: 'docker.io', repository: repository.includes('/') ? repository : `library/${repository}` };
}
