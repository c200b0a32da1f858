import { parseQuantity, quantityInteger } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** What fields of a pod are resolved with. */
export interface FieldContext {
  readonly pod: corev1.Pod;
  readonly podIP: string;
  readonly hostIP: string;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** The text of a field of a pod; undefined: it has no such field. Cf. pkg/fieldpath, pkg/kubelet podFieldSelectorRuntimeValue. */
export function fieldValue(path: string, { pod, podIP, hostIP }: FieldContext): string | undefined {
  const { metadata, spec } = pod;
  const entry = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(path);
  if (entry) return metadata[entry[1] as 'labels' | 'annotations']?.[entry[2] ?? ''] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.hostIP':
    case 'status.hostIPs':
      return hostIP;
    case 'status.podIP':
    case 'status.podIPs':
      return podIP;
    default:
      return undefined;
  }
}

/** One line per entry, with the value in quotes. */
function formatMap(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .sort()
    .map((key) => `${key}=${JSON.stringify(map[key])}`)
    .join('\n');
}

/** A resource of a container in units of the divisor, rounded up. Limits default to those of the pod or node. Cf. pkg/api/v1/resource. */
export function resourceValue(
  { resource, divisor }: corev1.ResourceFieldSelector,
  { resources = {} }: Pick<corev1.Container, 'resources'>,
  { pod, allocatable }: FieldContext,
): string {
  const [kind = '', name = ''] = resource.split(/\.(.*)/, 2);
  const own = kind === 'limits' ? resources.limits?.[name] : resources.requests?.[name];
  const text = own ?? (kind === 'limits' ? (pod.spec.resources?.limits?.[name] ?? allocatable[name]) : undefined) ?? '0';
  // CPU is counted in thousandths.
  const exponent = name === 'cpu' ? -3 : 0;
  const divisorText = divisor === undefined || divisor === '' || divisor === '0' ? '1' : divisor;
  const amount = quantityInteger(parseQuantity(text), exponent);
  const unit = quantityInteger(parseQuantity(divisorText), exponent);
  return String((amount + unit - 1n) / unit);
}
