import type { ApiObject, Product } from '../../meta/index.ts';
import { createAutoscalerConversion } from './autoscaler.ts';
import { toCoreV1, toEventsV1 } from './events.ts';
import { withExactly, withoutExactly } from './resource-claims.ts';
import { withBasicDevices, withoutBasicDevices } from './resource-slices.ts';

export type ConvertObject = (object: ApiObject, groupVersion: string) => ApiObject;

/** A difference between two versions of a kind; an undefined version is any other. */
interface VersionDifference {
  readonly from?: string;
  readonly to?: string;
  readonly convert: (object: ApiObject) => ApiObject;
}

/** Converts between the versions of a kind. Most versions differ only in `apiVersion`. */
export function createConversion(product: Product): ConvertObject {
  const byKind = differencesByKind(product);
  return (object, groupVersion) => {
    const from = object.apiVersion;
    if (from === groupVersion) return object;
    const named = { ...object, apiVersion: groupVersion };
    const differences = byKind.get(object.kind);
    const difference = differences?.find((one) => (one.from ?? from) === from && (one.to ?? groupVersion) === groupVersion);
    return difference ? difference.convert(named) : named;
  };
}

function differencesByKind(product: Product): ReadonlyMap<string, readonly VersionDifference[]> {
  const autoscaler = createAutoscalerConversion(product);
  const events = product.rename('events.k8s.io/v1');
  const firstResources = `${product.rename('resource.k8s.io')}/v1beta1`;
  const claims = [
    { to: firstResources, convert: withoutExactly },
    { from: firstResources, convert: withExactly },
  ];
  return new Map<string, readonly VersionDifference[]>([
    [
      'Event',
      [
        { from: 'v1', to: events, convert: toEventsV1 },
        { from: events, to: 'v1', convert: toCoreV1 },
      ],
    ],
    [
      'HorizontalPodAutoscaler',
      [
        { from: 'autoscaling/v2', to: 'autoscaling/v1', convert: autoscaler.toV1 },
        { from: 'autoscaling/v1', to: 'autoscaling/v2', convert: autoscaler.toV2 },
      ],
    ],
    ['ResourceClaim', claims],
    ['ResourceClaimTemplate', claims],
    [
      'ResourceSlice',
      [
        { to: firstResources, convert: withBasicDevices },
        { from: firstResources, convert: withoutBasicDevices },
      ],
    ],
  ]);
}
