/** Recorded responses that another module produces. */
export const knownDifferences: ReadonlySet<string> = new Set([
  // Reported by the IP allocator.
  'core.v1.Service: IPv6 not configured',
  'core.v1.Service: RequireDualStack on single stack',
  'core.v1.Service: clusterIP out of range',
  // Reported or corrected by admission.
  'core.v1.Namespace: pod-security label bad',
  'core.v1.Pod: update: remove toleration',
  'core.v1.Pod: projected token 60s',
]);
