import { isPathSegmentName, ownMember, type Product, requiredValue, StatusError, trimEnd } from '../meta/index.ts';
import { readListParameters } from './parameters/list-options.ts';
import { isTrue } from './parameters/query-values.ts';
import { UnclearRequest } from './response/internal-failure.ts';

/** Attributes of a request, parsed from its method and URL alone (part 5.6 rule 2). */
export interface RequestInfo {
  /** Below `/api/v1/…` or `/apis/<group>/<version>/…`. */
  readonly isResourceRequest: boolean;
  /** Path without query, decoded. */
  readonly path: string;
  /** `get`, `list`, …; for other requests the HTTP method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path segments from the resource on. */
  readonly parts: readonly string[];
  /** Below `/watch/` or `/proxy/`, the deprecated forms. */
  readonly legacyPrefix: '' | 'watch' | 'proxy';
  readonly query: URLSearchParams;
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Cf. upstream RequestInfoFactory.NewRequestInfo. @throws UnclearRequest for a path that ends after `watch` or `proxy` */
export function readRequestInfo(method: string, target: string, product: Product): RequestInfo {
  const cut = target.indexOf('?');
  const path = decodePath(cut < 0 ? target : target.slice(0, cut));
  const query = new URLSearchParams(cut < 0 ? '' : readablePairs(target.slice(cut + 1)));
  const plain = {
    isResourceRequest: false,
    path,
    verb: method.toLowerCase(),
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    parts: [],
    legacyPrefix: '',
    query,
  } as const;
  const location = splitGroupVersion(splitPath(path));
  if (!location) return plain;
  const { group, version } = location;
  const [prefix = ''] = location.rest;
  const legacyPrefix = prefix === 'watch' || prefix === 'proxy' ? prefix : '';
  if (legacyPrefix !== '' && location.rest.length < 2)
    throw new UnclearRequest(`failed to create RequestInfo: unable to determine kind and namespace from url, ${target}`);
  const { namespace, parts } = splitNamespace(legacyPrefix === '' ? location.rest : location.rest.slice(1));
  const [resource = '', pathName = '', subresource = ''] = parts;
  const requested = { verb: legacyPrefix === '' ? (ownMember(verbs, method) ?? '') : legacyPrefix, name: pathName };
  const { verb, name } = effectiveVerb(requested, subresource, query, product);
  return { isResourceRequest: true, path, verb, group, version, namespace, resource, subresource, name, parts, legacyPrefix, query };
}

/** `/api/<version>/…` or `/apis/<group>/<version>/…`; undefined for shorter and for other paths. */
function splitGroupVersion(
  segments: readonly string[],
): { readonly group: string; readonly version: string; readonly rest: readonly string[] } | undefined {
  const [root, first = '', second = ''] = segments;
  if (root === 'api' && segments.length >= 3) return { group: '', version: first, rest: segments.slice(2) };
  if (root === 'apis' && segments.length >= 4) return { group: first, version: second, rest: segments.slice(3) };
  return undefined;
}

/** `namespaces/x/pods/…` is about pods in x; `namespaces/x` and `namespaces/x/status` are about the namespace. */
function splitNamespace(rest: readonly string[]): { readonly namespace: string; readonly parts: readonly string[] } {
  const [root, namespace, next] = rest;
  if (root !== 'namespaces' || namespace === undefined) return { namespace: '', parts: rest };
  return { namespace, parts: next === undefined || namespaceSubresources.has(next) ? rest : rest.slice(2) };
}

interface VerbAndName {
  readonly verb: string;
  readonly name: string;
}

/** Requests of a collection have verbs of their own; the name of a list or a watch is the one that its field selector requires. */
function effectiveVerb({ verb, name }: VerbAndName, subresource: string, query: URLSearchParams, product: Product): VerbAndName {
  if (name === '' && verb === 'get') {
    const reads = readsOf(query);
    return { verb: reads.watch ? 'watch' : 'list', name: reads.name };
  }
  if (name === '' && verb === 'delete') return { verb: 'deletecollection', name };
  const isItemWatch = verb === 'get' && product.switches.watchOnItem && subresource === '' && isTrue(query, 'watch');
  return { verb: isItemWatch ? 'watch' : verb, name };
}

/** Whether a target is no valid URL; Go's HTTP server rejects it before any handler runs. */
export function isMalformed(target: string): boolean {
  return /%(?![0-9A-Fa-f]{2})/.test(target.replace(/\?.*/s, ''));
}

/** Drops the pairs that Go's url.ParseQuery skips: those with a semicolon or a broken escape. */
function readablePairs(query: string): string {
  if (!/[;%]/.test(query)) return query;
  return query
    .split('&')
    .filter((pair) => !/;|%(?![0-9A-Fa-f]{2})/.test(pair))
    .join('&');
}

/** Decodes the path before it is split, as Go does: an escaped slash separates segments too. Invalid UTF-8 becomes U+FFFD. */
function decodePath(path: string): string {
  return path.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16));
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  });
}

function splitPath(path: string): string[] {
  return trimEnd(path.replace(/^\/+/, ''), '/')
    .split('/')
    .filter((segment, _, all) => segment !== '' || all.length > 1);
}

/** Whether a GET of a collection is a watch, and the name that its field selector requires, which authorization uses too. */
function readsOf(query: URLSearchParams): { readonly watch: boolean; readonly name: string } {
  try {
    const { watch, fields } = readListParameters(query);
    const name = requiredValue(fields, 'metadata.name') ?? '';
    return { watch, name: isPathSegmentName(name).length === 0 ? name : '' };
  } catch (error) {
    // The verb returns the error later; authorization still needs the verb.
    if (error instanceof StatusError) return { watch: isTrue(query, 'watch'), name: '' };
    throw error;
  }
}
