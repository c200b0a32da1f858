import { goQuote, type JsonObject, objectsAt, recordAt, textAt, trimEnd } from '../../../meta/index.ts';
import { maxPodWarnings, PairBudget } from './pair-budget.ts';

/** A path in a volume, and its source. */
interface PlacedPath {
  readonly path: string;
  readonly source: string;
}

/** Warnings of overlapping paths in one volume. Cf. upstream warningsForOverlappingVirtualPaths. */
export function overlappingPaths(spec: JsonObject): readonly string[] {
  const [pairs, warnings] = [new PairBudget(), new Set<string>()];
  for (const volume of objectsAt(spec, 'volumes')) {
    const name = goQuote(textAt(volume, 'name'));
    for (const { what, paths } of sourcesOf(volume)) {
      for (const text of overlapMessages(paths, pairs)) {
        warnings.add(`volume ${name} (${what})${text}`);
        if (warnings.size === maxPodWarnings) return [...warnings];
      }
    }
  }
  return [...warnings];
}

function sourcesOf(volume: JsonObject): readonly { readonly what: string; readonly paths: readonly (PlacedPath | undefined)[] }[] {
  const of = (field: string, what: string): { readonly what: string; readonly paths: readonly PlacedPath[] } => ({
    what,
    paths: itemPaths(recordAt(volume, field), ''),
  });
  return [
    of('configMap', `ConfigMap ${goQuote(textAt(recordAt(volume, 'configMap'), 'name'))}`),
    of('secret', `Secret ${goQuote(textAt(recordAt(volume, 'secret'), 'secretName'))}`),
    of('downwardAPI', 'DownwardAPI'),
    { what: 'Projected', paths: objectsAt(recordAt(volume, 'projected'), 'sources').flatMap(projectedPaths) },
  ];
}

function itemPaths(source: JsonObject, from: string): readonly PlacedPath[] {
  return objectsAt(source, 'items').map((item) => ({ path: textAt(item, 'path'), source: from }));
}

/** Undefined stands for an empty source. */
function projectedPaths(source: JsonObject): readonly (PlacedPath | undefined)[] {
  if (Object.keys(source).length === 0) return [undefined];
  const [config, secret, bundle] = ['configMap', 'secret', 'clusterTrustBundle'].map((field) => recordAt(source, field));
  if (objectsAt(config, 'items').length > 0) return itemPaths(config ?? {}, `ConfigMap ${goQuote(textAt(config, 'name'))}`);
  if (objectsAt(secret, 'items').length > 0) return itemPaths(secret ?? {}, `Secret ${goQuote(textAt(secret, 'name'))}`);
  const downward = itemPaths(recordAt(source, 'downwardAPI'), 'DownwardAPI');
  if (downward.length > 0) return downward;
  if (source['serviceAccountToken'] !== undefined) {
    return [{ path: textAt(recordAt(source, 'serviceAccountToken'), 'path'), source: 'ServiceAccountToken' }];
  }
  if (source['clusterTrustBundle'] !== undefined) {
    const name = bundle?.['name'] === undefined ? textAt(bundle, 'signerName') : textAt(bundle, 'name');
    return [{ path: textAt(bundle, 'path'), source: `ClusterTrustBundle ${goQuote(name)}` }];
  }
  const certificate = recordAt(source, 'podCertificate');
  return [
    { path: textAt(certificate, 'certificateChainPath'), source: 'PodCertificate chain' },
    { path: textAt(certificate, 'keyPath'), source: 'PodCertificate key' },
    { path: textAt(certificate, 'credentialBundlePath'), source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '');
}

/** The distinct messages. */
function* overlapMessages(paths: readonly (PlacedPath | undefined)[], pairs: PairBudget): Generator<string> {
  const before: PlacedPath[] = [];
  /** By text: how many elements of `before` an equal path was compared with. */
  const compared = new Map<string, number>();
  let hasEmptySource = false;
  for (const given of paths) {
    if (!given) {
      if (!hasEmptySource) yield ' has no sources provided';
      hasEmptySource = true;
      continue;
    }
    const placed = { ...given, path: trimEnd(given.path, '/') };
    const text = formatPlacedPath(placed);
    const done = compared.get(text);
    const others = done === undefined ? before : [placed, ...before.slice(done)];
    for (const other of pairs.take(others)) {
      if (isWithin(other.path, placed.path) || isWithin(placed.path, other.path))
        yield `: overlapping paths: ${text} with ${formatPlacedPath(other)}`;
    }
    if (done === undefined) before.push(placed);
    compared.set(text, before.length);
  }
}

function isWithin(inner: string, outer: string): boolean {
  return inner !== '' && outer !== '' && inner.startsWith(outer) && (inner.length === outer.length || inner[outer.length] === '/');
}

function formatPlacedPath({ path, source }: PlacedPath): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
