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

const componentPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const hostPattern = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\d+)?$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^[a-zA-Z][\w+.-]*:[0-9a-f]{32,}$/;

/** The image of a container; undefined when its name is invalid. */
export function parseImageReference(text: string): ImageReference | undefined {
  const [name = '', digest = '', ...rest] = text.split('@');
  if (rest.length > 0 || (text.includes('@') && !digestPattern.test(digest))) return undefined;
  const colon = name.lastIndexOf(':');
  const hasTag = colon > name.lastIndexOf('/');
  const path = hasTag ? name.slice(0, colon) : name;
  const tag = hasTag ? name.slice(colon + 1) : digest === '' ? 'latest' : '';
  if (hasTag && !tagPattern.test(tag)) return undefined;
  const { host, repository } = splitHost(path);
  if (!hostPattern.test(host) || !repository.split('/').every((component) => componentPattern.test(component))) return undefined;
  const full = `${host}/${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
  return { host, repository, tag, digest, full };
}

function splitHost(path: string): Pick<ImageReference, 'host' | 'repository'> {
  const slash = path.indexOf('/');
  const first = path.slice(0, Math.max(0, slash));
  const isHost = first === 'localhost' || /[.:]/.test(first) || first !== first.toLowerCase();
  if (isHost && first !== 'docker.io' && first !== 'index.docker.io') return { host: first, repository: path.slice(slash + 1) };
  const repository = isHost ? path.slice(slash + 1) : path;
  return { host: 'docker.io', repository: repository.includes('/') ? repository : `library/${repository}` };
}
