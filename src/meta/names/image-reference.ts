/** The parts of a reference to an image: `name[:tag][@digest]`. */
export interface ImageReferenceParts {
  /** `[host[:port]/]path` */
  readonly name: string;
  readonly tag?: string;
  readonly digest?: string;
}

export function splitImageReference(text: string): ImageReferenceParts {
  const at = text.indexOf('@');
  const named = at < 0 ? text : text.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  return {
    name: hasTag ? named.slice(0, colon) : named,
    ...(hasTag && { tag: named.slice(colon + 1) }),
    ...(at >= 0 && { digest: text.slice(at + 1) }),
  };
}

const hostPattern =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::\d+)?$/;
const componentPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^[a-zA-Z][a-zA-Z0-9]*(?:[-_+.][a-zA-Z][a-zA-Z0-9]*)*:[0-9a-fA-F]{32,}$/;

/** Whether a text is a well-formed reference to an image. Cf. distribution/reference ReferenceRegexp. */
export function isImageReference(text: string): boolean {
  const { name, tag, digest } = splitImageReference(text);
  const [first = '', ...others] = name.split('/');
  const isPath = (components: readonly string[]): boolean => components.every((component) => componentPattern.test(component));
  return (
    (isPath([first, ...others]) || (others.length > 0 && hostPattern.test(first) && isPath(others))) &&
    (tag === undefined || tagPattern.test(tag)) &&
    (digest === undefined || digestPattern.test(digest))
  );
}
