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
const componentPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const hostPattern =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::\d+)?$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^[a-zA-Z][a-zA-Z0-9]*(?:[-_+.][a-zA-Z][a-zA-Z0-9]*)*:[0-9a-fA-F]{32,}$/;
/** Hexadecimal digits of a digest by algorithm. */
const digestLengths: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);
const maxRepositoryLength = 255;

interface Parts {
  readonly host: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** The image of a container; undefined when its name is invalid. */
export function parseImageReference(text: string): ImageReference | undefined {
  if (imageReferenceError(text) !== undefined) return undefined;
  const { host, repository, digest = '', tag = digest === '' ? 'latest' : '' } = split(text);
  const full = `${host}/${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
  return { host, repository, tag, digest, full };
}

/** Why a container cannot have the image `text`, in the words of the kubelet; undefined: it can. */
export function imageReferenceError(text: string): string | undefined {
  if (identifierPattern.test(text)) return `invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`;
  const parts = split(text);
  const { repository, tag, digest } = parts;
  const [remote = ''] = (tag === undefined && digest !== undefined ? `${repository}@${digest}` : repository).split(':', 1);
  if (remote !== remote.toLowerCase()) return `invalid reference format: repository name (${remote}) must be lowercase`;
  if (!isWellFormed(parts)) return 'invalid reference format';
  if (repository.length > maxRepositoryLength) return `repository name must not be more than ${maxRepositoryLength} characters`;
  return digest === undefined ? undefined : digestError(digest);
}

const isWellFormed = ({ host, repository, tag, digest }: Parts): boolean =>
  hostPattern.test(host) &&
  repository.split('/').every((component) => componentPattern.test(component)) &&
  (tag === undefined || tagPattern.test(tag)) &&
  (digest === undefined || digestPattern.test(digest));

/** Cf. opencontainers/go-digest Digest.Validate. */
function digestError(digest: string): string | undefined {
  const [algorithm = '', encoded = ''] = digest.split(':');
  const length = digestLengths.get(algorithm);
  if (length === undefined)
    return algorithm === algorithm.toLowerCase() ? 'unsupported digest algorithm' : 'invalid checksum digest format';
  if (encoded.length !== length) return 'invalid checksum digest length';
  return encoded === encoded.toLowerCase() ? undefined : 'invalid checksum digest format';
}

function split(text: string): Parts {
  const at = text.indexOf('@');
  const name = at < 0 ? text : text.slice(0, at);
  const colon = name.lastIndexOf(':');
  const hasTag = colon > name.lastIndexOf('/');
  return {
    ...splitHost(hasTag ? name.slice(0, colon) : name),
    ...(hasTag && { tag: name.slice(colon + 1) }),
    ...(at >= 0 && { digest: text.slice(at + 1) }),
  };
}

function splitHost(path: string): Pick<Parts, 'host' | 'repository'> {
  const slash = path.indexOf('/');
  const first = path.slice(0, Math.max(0, slash));
  const isHost = first === 'localhost' || /[.:]/.test(first) || first !== first.toLowerCase();
  if (isHost && first !== 'docker.io' && first !== 'index.docker.io') return { host: first, repository: path.slice(slash + 1) };
  const repository = isHost ? path.slice(slash + 1) : path;
  return { host: 'docker.io', repository: repository.includes('/') ? repository : `library/${repository}` };
}
