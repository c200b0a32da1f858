import { goQuote, type JsonObject, objectsAt, recordAt, textAt, trimEnd } from '../../../meta/index.ts';
import { PairBudget } from './pair-budget.ts';

/** A path in a volume, and its source. */
interface PlacedPath {
  readonly path: string;
  readonly source: string;
}

/** Warnings of overlapping paths in one volume. Cf. upstream warningsForOverlappingVirtualPaths. */
export function overlappingPaths(spec: JsonObject): readonly string[] {
  const pairs = new PairBudget();
  return objectsAt(spec, 'volumes').flatMap((volume) => {
    const name = textAt(volume, 'name');
    return sourcesOf(volume).flatMap(({ what, paths }) =>
      overlapMessages(paths, pairs).map((text) => `volume ${goQuote(name)} (${what})${text}`),
    );
  });
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

function overlapMessages(paths: readonly (PlacedPath | undefined)[], pairs: PairBudget): readonly string[] {
  const before: PlacedPath[] = [];
  return paths.flatMap((given) => {
    if (!given) return [' has no sources provided'];
    const placed = { ...given, path: trimEnd(given.path, '/') };
    const hit = pairs.take(before).filter((other) => isWithin(other.path, placed.path) || isWithin(placed.path, other.path));
    before.push(placed);
    return hit.map((other) => `: overlapping paths: ${formatPlacedPath(placed)} with ${formatPlacedPath(other)}`);
  });
}

function isWithin(inner: string, outer: string): boolean {
  return inner !== '' && outer !== '' && inner.startsWith(outer) && (inner.length === outer.length || inner[outer.length] === '/');
}

function formatPlacedPath({ path, source }: PlacedPath): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
