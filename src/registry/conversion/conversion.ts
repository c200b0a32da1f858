import type { ApiObject, Product } from '../../meta/index.ts';
import { createAutoscalerConversion } from './autoscaler.ts';
import { toCoreV1, toEventsV1 } from './events.ts';
import { withExactly, withoutExactly } from './resource-claims.ts';
import { withBasicDevices, withoutBasicDevices } from './resource-slices.ts';

export type ConvertObject = (object: ApiObject, groupVersion: string) => ApiObject;

/** Converts between the versions of a kind. Most versions differ only in `apiVersion`. */
export function createConversion(product: Product): ConvertObject {
  const autoscaler = createAutoscalerConversion(product);
  const [events, resources] = [product.rename('events.k8s.io/v1'), product.rename('resource.k8s.io')];
  return (object, groupVersion) => {
    const from = object.apiVersion;
    if (from === groupVersion) return object;
    const named = { ...object, apiVersion: groupVersion };
    switch (object.kind) {
      case 'Event':
        if (from === 'v1' && groupVersion === events) return toEventsV1(named);
        return from === events && groupVersion === 'v1' ? toCoreV1(named) : named;
      case 'HorizontalPodAutoscaler':
        if (from === 'autoscaling/v2' && groupVersion === 'autoscaling/v1') return autoscaler.toV1(named);
        return from === 'autoscaling/v1' && groupVersion === 'autoscaling/v2' ? autoscaler.toV2(named) : named;
      case 'ResourceClaim':
      case 'ResourceClaimTemplate':
        if (groupVersion === `${resources}/v1beta1`) return withoutExactly(named);
        return from === `${resources}/v1beta1` ? withExactly(named) : named;
      case 'ResourceSlice':
        if (groupVersion === `${resources}/v1beta1`) return withBasicDevices(named);
        return from === `${resources}/v1beta1` ? withoutBasicDevices(named) : named;
      default:
        return named;
    }
  };
}
