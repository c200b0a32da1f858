/** What an answer may be turned into besides itself. */
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
  /** `pretty=1` among the parameters. */
  readonly pretty: boolean;
}

interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Whether a route can answer at all, as the real server's router decides before anything else: by names alone, without
 * wildcards but everything, without parameters and q-values.
 */
export function routeProduces(accept: string | undefined, produced: readonly string[]): boolean {
  const header = accept === undefined || accept === '' ? '*/*' : accept;
  return header.split(',').some((clause) => {
    const mediaType = (clause.split(';')[0] ?? '').trim();
    return mediaType === '*/*' || produced.includes(mediaType);
  });
}

/**
 * Picks the media type of an answer from an Accept header (part 4.9): clauses by falling q-value, the first that fits.
 * Undefined when none does. `allows` says which conversions the endpoint offers in which media type, `plain` which media types it has
 * for what is not converted.
 */
export function negotiate(
  accept: string | undefined,
  offered: readonly string[],
  allows: (conversion: Conversion, mediaType: string) => boolean,
  plain: (mediaType: string) => boolean = () => true,
): MediaTypeOptions | undefined {
  const [first] = offered;
  if (accept === undefined || accept === '') return first === undefined ? undefined : plainly(first);
  // What nearly everybody says: one type by its name, and nothing else.
  if (offered.includes(accept) && plain(accept)) return plainly(accept);
  for (const clause of parseAccept(accept)) {
    for (const mediaType of offered) {
      if (!fits(clause, mediaType)) continue;
      const options = optionsOf(clause, mediaType);
      if (options.stream !== '' && options.stream !== 'watch') continue;
      if (options.convert ? !allows(options.convert, mediaType) : !plain(mediaType)) continue;
      return options;
    }
  }
  return undefined;
}

function plainly(mediaType: string): MediaTypeOptions {
  return { mediaType, convert: undefined, stream: '', pretty: false };
}

function fits({ type, subtype }: Clause, mediaType: string): boolean {
  if (type === '*' && subtype === '*') return true;
  const [offeredType, offeredSubtype] = mediaType.split('/');
  return type === offeredType && (subtype === offeredSubtype || subtype === '*');
}

function optionsOf({ parameters }: Clause, mediaType: string): MediaTypeOptions {
  const asked = { kind: parameters.get('as') ?? '', group: parameters.get('g') ?? '', version: parameters.get('v') ?? '' };
  const convert = Object.values(asked).some((part) => part !== '') ? asked : undefined;
  return { mediaType, convert, stream: parameters.get('stream') ?? '', pretty: parameters.get('pretty') === '1' };
}

function parseAccept(header: string): Clause[] {
  // A clause that comes again never decides anything.
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
  // A lone `*` means everything; q=0 is not taken as a refusal, as in the real server.
  return { type, subtype: type === '*' && subtype === '' ? '*' : subtype, quality: Number.isNaN(quality) ? 1 : quality, parameters };
}

/** The media type of a body by its Content-Type; undefined when it cannot be read. Parameters do not count. */
export function bodyMediaType(contentType: string): string | undefined {
  const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  return /^[\w!#$&^.+-]+(?:\/[\w!#$&^.+-]+)?$/.test(mediaType) ? mediaType : undefined;
}
