import type { UrlParts } from '../../meta/index.ts';
import { ListValue } from '../values/list.ts';
import { EntriesMap } from '../values/map.ts';
import { Failure, OpaqueValue, type Result } from '../values/value.ts';
import type { Functions } from './functions.ts';
import { escapePath, requestUrl } from './url-parts.ts';

class Url extends OpaqueValue {
  readonly typeName = 'kubernetes.URL';
  readonly text: string;
  readonly parts: UrlParts;

  constructor(text: string, parts: UrlParts) {
    super();
    this.text = text;
    this.parts = parts;
  }

  override get textLength(): number {
    return this.text.length;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof Url && other.text === this.text;
  }
}

export const urls: Functions = {
  url: (text: string): Result => {
    const parts = requestUrl(text);
    return typeof parts === 'string' ? new Failure(`URL parse error during conversion from string: ${parts}`) : new Url(text, parts);
  },
  isURL: (text: string): Result => typeof requestUrl(text) !== 'string',
  getScheme: ({ parts }: Url): Result => parts.scheme,
  getHost: ({ parts }: Url): Result => parts.host,
  getHostname: ({ parts: { host } }: Url): Result => /^\[(.*)\](?::\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, ''),
  getPort: ({ parts: { host } }: Url): Result => /:(\d*)$/.exec(host)?.[1] ?? '',
  getEscapedPath: ({ parts }: Url): Result => escapePath(parts.path),
  getQuery: ({ parts }: Url): Result => queryOf(parts.query),
};

function queryOf(query: string): Result {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const cut = pair.indexOf('=');
    const [name, value] = [cut < 0 ? pair : pair.slice(0, cut), cut < 0 ? '' : pair.slice(cut + 1)].map(decodeQueryPart);
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return EntriesMap.of(Array.from(values, ([name, all]) => [name, ListValue.of(all)] as const));
}

function decodeQueryPart(text: string): string | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
