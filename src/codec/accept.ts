/** A conversion of a response to another kind (Table, PartialObjectMetadata). */
export interface Conversion {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

export interface MediaTypeOptions {
  /** One of the offered media types. */
  readonly mediaType: string;
  readonly convert: Conversion | undefined;
  /** The `stream` parameter: `watch`. */
  readonly stream: string;
  /** The parameter `pretty=1`. */
  readonly pretty: boolean;
}

interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Whether a route can produce an accepted media type. Upstream's router checks this first: by names alone, without wildcards
 * except the one for everything, without parameters and q-values.
 */
export function routeProduces(accept: string | undefined, produced: readonly string[]): boolean {
  const header = accept === undefined || accept === '' ? '*/*' : accept;
  return header.split(',').some((clause) => {
    const mediaType = (clause.split(';')[0] ?? '').trim();
    return mediaType === '*/*' || produced.includes(mediaType);
  });
}

/**
 * Negotiates the media type of a response by the Accept header (part 4.9): the first matching clause by descending q-value.
 * Undefined when none matches. `allows` returns whether the endpoint offers a conversion in a media type, `plain` whether it offers a
 * media type without conversion.
 */
export function negotiate(
  accept: string | undefined,
  offered: readonly string[],
  allows: (conversion: Conversion, mediaType: string) => boolean,
  plain: (mediaType: string) => boolean = () => true,
): MediaTypeOptions | undefined {
  const [first] = offered;
  if (accept === undefined || accept === '') return first === undefined ? undefined : withoutOptions(first);
  // Fast path for the common case: one media type by its name.
  if (offered.includes(accept) && plain(accept)) return withoutOptions(accept);
  const isOffered = ({ convert, stream, mediaType }: MediaTypeOptions): boolean =>
    (stream === '' || stream === 'watch') && (convert ? allows(convert, mediaType) : plain(mediaType));
  for (const clause of parseAccept(accept)) {
    const fitting = offered.filter((mediaType) => fits(clause, mediaType)).map((mediaType) => optionsOf(clause, mediaType));
    const options = fitting.find(isOffered);
    if (options) return options;
  }
  return undefined;
}

function withoutOptions(mediaType: string): MediaTypeOptions {
  return { mediaType, convert: undefined, stream: '', pretty: false };
}

function fits({ type, subtype }: Clause, mediaType: string): boolean {
  if (type === '*' && subtype === '*') return true;
  const [offeredType, offeredSubtype] = mediaType.split('/');
  return type === offeredType && (subtype === offeredSubtype || subtype === '*');
}

function optionsOf({ parameters }: Clause, mediaType: string): MediaTypeOptions {
  const conversion = { kind: parameters.get('as') ?? '', group: parameters.get('g') ?? '', version: parameters.get('v') ?? '' };
  const convert = Object.values(conversion).some((part) => part !== '') ? conversion : undefined;
  return { mediaType, convert, stream: parameters.get('stream') ?? '', pretty: parameters.get('pretty') === '1' };
}

function parseAccept(header: string): Clause[] {
  // A repeated clause never matters.
  const clauses = [...new Set(header.split(','))].flatMap((text) => parseClause(text) ?? []);
  return clauses.sort((a, b) => b.quality - a.quality);
}

function parseClause(text: string): Clause | undefined {
  const [range = '', ...rest] = text.split(';').map((part) => part.trim());
  const [type = '', subtype = '', ...more] = range.split('/').map((part) => part.trim());
  if (more.length > 0 || type === '') return undefined;
  const pairs = rest.map((part) => part.split('=', 2)).filter((pair) => pair.length === 2);
  const parameters = new Map(pairs.map(([name = '', value = '']) => [name.trim(), value.trim()]));
  const quality = Number(parameters.get('q') ?? '1');
  // A single `*` means everything; q=0 does not exclude a type, as upstream.
  return { type, subtype: type === '*' && subtype === '' ? '*' : subtype, quality: Number.isNaN(quality) ? 1 : quality, parameters };
}

/** The media type of a Content-Type header without parameters; undefined when it is invalid. */
export function bodyMediaType(contentType: string): string | undefined {
  const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  return /^[\w!#$&^.+-]+(?:\/[\w!#$&^.+-]+)?$/.test(mediaType) ? mediaType : undefined;
}
