import type { corev1 } from '../../schema/api/index.ts';

/** The most addresses of one Endpoints object (upstream maxCapacity). */
const maxAddresses = 1000;

/** Removes addresses over the capacity, those of not ready pods first. Undefined when all fit. Cf. upstream truncateEndpoints. */
export function truncateSubsets(subsets: readonly corev1.EndpointSubset[]): readonly corev1.EndpointSubset[] | undefined {
  const ready = sum(subsets.map(({ addresses = [] }) => addresses.length));
  const notReady = sum(subsets.map(({ notReadyAddresses = [] }) => notReadyAddresses.length));
  if (ready + notReady <= maxAddresses) return undefined;
  const isReadyTruncated = ready > maxAddresses;
  // The remaining capacity is shared in proportion to the addresses of each subset.
  const share = isReadyTruncated ? maxAddresses / ready : (maxAddresses - ready) / notReady;
  let capacity = isReadyTruncated ? maxAddresses : maxAddresses - ready;
  const truncated = subsets.map(({ addresses = [], notReadyAddresses = [], ...subset }) => {
    const candidates = isReadyTruncated ? addresses : notReadyAddresses;
    const count = Math.min(Math.ceil(candidates.length * share), capacity);
    capacity -= count;
    const retained = candidates.slice(0, count);
    return withAddresses(subset, isReadyTruncated ? retained : addresses, isReadyTruncated ? [] : retained);
  });
  return truncated.filter(({ addresses, notReadyAddresses }) => addresses !== undefined || notReadyAddresses !== undefined);
}

function withAddresses(
  subset: corev1.EndpointSubset,
  addresses: readonly corev1.EndpointAddress[],
  notReadyAddresses: readonly corev1.EndpointAddress[],
): corev1.EndpointSubset {
  return {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
    ...subset,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
