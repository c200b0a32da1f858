import { goQuote, trimEnd } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { maxPodWarnings, PairBudget } from './pair-budget.ts';

/** A path in a volume, and its source. */
interface PlacedPath {
  readonly path: string;
  readonly source: string;
}

/** Warnings of overlapping paths in one volume. Cf. upstream warningsForOverlappingVirtualPaths. */
export function overlappingPaths(spec: Decoded<corev1.PodSpec>): readonly string[] {
  const [pairs, warnings] = [new PairBudget(), new Set<string>()];
  for (const volume of spec.volumes ?? []) {
    const name = goQuote(volume.name ?? '');
    for (const { what, paths } of sourcesOf(volume)) {
      for (const text of overlapMessages(paths, pairs)) {
        warnings.add(`volume ${name} (${what})${text}`);
        if (warnings.size === maxPodWarnings) return [...warnings];
      }
    }
  }
  return [...warnings];
}

function sourcesOf(
  volume: Decoded<corev1.Volume>,
): readonly { readonly what: string; readonly paths: readonly (PlacedPath | undefined)[] }[] {
  const { configMap, secret, downwardAPI, projected } = volume;
  return [
    { what: `ConfigMap ${goQuote(configMap?.name ?? '')}`, paths: itemPaths(configMap?.items, '') },
    { what: `Secret ${goQuote(secret?.secretName ?? '')}`, paths: itemPaths(secret?.items, '') },
    { what: 'DownwardAPI', paths: itemPaths(downwardAPI?.items, '') },
    { what: 'Projected', paths: projectedPaths(projected?.sources ?? []) },
  ];
}

function itemPaths(items: readonly { readonly path?: string | undefined }[] | undefined, source: string): readonly PlacedPath[] {
  return (items ?? []).map(({ path = '' }) => ({ path, source }));
}

/** Undefined stands for the first empty source. */
function projectedPaths(sources: readonly Decoded<corev1.VolumeProjection>[]): readonly (PlacedPath | undefined)[] {
  const firstEmpty = sources.findIndex(isEmptySource);
  return sources.flatMap((source, index): readonly (PlacedPath | undefined)[] => {
    if (index === firstEmpty) return [undefined];
    return isEmptySource(source) ? [] : pathsOfSource(source);
  });
}

function isEmptySource(source: Decoded<corev1.VolumeProjection>): boolean {
  return Object.keys(source).length === 0;
}

function pathsOfSource(source: Decoded<corev1.VolumeProjection>): readonly PlacedPath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken: token, clusterTrustBundle: bundle, podCertificate: certificate } = source;
  const config = itemPaths(configMap?.items, `ConfigMap ${goQuote(configMap?.name ?? '')}`);
  if (config.length > 0) return config;
  const secretItems = itemPaths(secret?.items, `Secret ${goQuote(secret?.name ?? '')}`);
  if (secretItems.length > 0) return secretItems;
  const downward = itemPaths(downwardAPI?.items, 'DownwardAPI');
  if (downward.length > 0) return downward;
  if (token) return [{ path: token.path ?? '', source: 'ServiceAccountToken' }];
  if (bundle) return [{ path: bundle.path ?? '', source: `ClusterTrustBundle ${goQuote(bundle.name ?? bundle.signerName ?? '')}` }];
  return [
    { path: certificate?.certificateChainPath ?? '', source: 'PodCertificate chain' },
    { path: certificate?.keyPath ?? '', source: 'PodCertificate key' },
    { path: certificate?.credentialBundlePath ?? '', source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '');
}

/** The distinct messages. */
function* overlapMessages(paths: readonly (PlacedPath | undefined)[], pairs: PairBudget): Generator<string> {
  const before: PlacedPath[] = [];
  /** By text: how many elements of `before` an equal path was compared with. */
  const compared = new Map<string, number>();
  for (const given of paths) {
    if (!given) {
      yield ' has no sources provided';
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
