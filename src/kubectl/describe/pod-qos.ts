import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

/** The quality-of-service class of a pod's requests and limits. */
export function qosClassOf({ containers, initContainers = [] }: Decoded<corev1.PodSpec>): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const all = [...initContainers, ...(containers ?? [])].map(({ resources = {} }) => resources);
  const counted = ['cpu', 'memory'];
  const any = all.some(({ requests, limits }) => counted.some((name) => (requests?.[name] ?? limits?.[name]) !== undefined));
  if (!any) return 'BestEffort';
  const full = all.every(({ requests, limits }) =>
    counted.every((name) => limits?.[name] !== undefined && (requests?.[name] ?? limits[name]) === limits[name]),
  );
  return full ? 'Guaranteed' : 'Burstable';
}
