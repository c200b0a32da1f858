import { type ApiObject, type JsonObject, type Product, recordAt } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import type { Decoded } from '../schema/index.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';
import { aggregateReasons, createForbiddenError } from './forbidden-error.ts';
import { claimViolations, podViolations } from './limit-violations.ts';
import { podSpecOf, withAnnotation, withSpec } from './object-accessors.ts';
import type { ObjectSource } from './object-source.ts';

/** Applies the defaults of LimitRanges to containers and rejects amounts out of range. Cf. upstream plugin/limitranger. */
export function limitRanger(ranges: ObjectSource, product: Product): AdmissionPlugin {
  const annotation = product.rename('kubernetes.io/limit-ranger');
  return {
    name: 'LimitRanger',
    handles: isLimited,
    async mutate(request, object) {
      if (request.resource !== 'pods') return object;
      const limits = await ranges.list(request.namespace);
      return limits.reduce((pod, range) => withDefaultAmounts(pod, range, annotation), object);
    },
    async validate(request, object) {
      for (const range of await ranges.list(request.namespace)) {
        const violations = (request.resource === 'pods' ? podViolations : claimViolations)(object, limitsOf(range));
        if (violations.length > 0) throw createForbiddenError(request, object, aggregateReasons(violations));
      }
    },
  };
}

/** Resources of containers change only by a resize, so other updates of pods are not checked. */
function isLimited({ group, resource, subresource, operation }: AdmissionAttributes): boolean {
  if (group !== '') return false;
  if (subresource === 'resize') return resource === 'pods' && operation === 'UPDATE';
  if (subresource !== '') return false;
  if (resource === 'pods') return operation === 'CREATE';
  return resource === 'persistentvolumeclaims' && operation !== 'DELETE';
}

function limitsOf({ spec }: Decoded<corev1.LimitRange>): readonly Decoded<corev1.LimitRangeItem>[] {
  return spec?.limits ?? [];
}

function withDefaultAmounts(pod: ApiObject, range: ApiObject, annotation: string): ApiObject {
  const limits = limitsOf(range).filter(({ type }) => type === 'Container');
  const defaults = {
    requests: Object.assign({}, ...limits.map(({ defaultRequest }) => defaultRequest)) as JsonObject,
    limits: Object.assign({}, ...limits.map((limit) => limit.default)) as JsonObject,
  };
  const notes: string[] = [];
  const fillResources = (list: readonly Decoded<corev1.Container>[], what: string): readonly JsonObject[] =>
    list.map((container) => {
      const { name = '', resources = {} } = container;
      const [requests, maximums] = [
        mergeDefaults(resources, 'requests', defaults.requests),
        mergeDefaults(resources, 'limits', defaults.limits),
      ];
      if (requests.set.length > 0) notes.push(`${requests.set.join(', ')} request for ${what} ${name}`);
      if (maximums.set.length > 0) notes.push(`${maximums.set.join(', ')} limit for ${what} ${name}`);
      if (requests.set.length + maximums.set.length === 0) return container;
      const amounts = {
        ...(maximums.size > 0 ? { limits: maximums.list } : {}),
        ...(requests.size > 0 ? { requests: requests.list } : {}),
      };
      return { ...container, resources: { ...amounts, ...withoutAmounts(resources) } };
    });
  const spec = podSpecOf(pod);
  const containers = fillResources(spec.containers ?? [], 'container');
  const initContainers = fillResources(spec.initContainers ?? [], 'init container');
  if (notes.length === 0) return pod;
  const next = withSpec(pod, { ...(initContainers.length > 0 ? { initContainers } : {}), containers });
  return withAnnotation(next, annotation, `LimitRanger plugin set: ${notes.join('; ')}`);
}

function withoutAmounts({ limits: _, requests: __, ...others }: JsonObject): JsonObject {
  return others;
}

interface MergedResources {
  readonly list: JsonObject;
  readonly size: number;
  /** Names of the added defaults, sorted. */
  readonly set: readonly string[];
}

function mergeDefaults(resources: JsonObject, part: 'limits' | 'requests', defaults: JsonObject): MergedResources {
  const own = recordAt(resources, part);
  const set = Object.keys(defaults)
    .filter((name) => !Object.hasOwn(own, name))
    .sort();
  const list = { ...own, ...Object.fromEntries(set.map((name) => [name, defaults[name] ?? '0'])) };
  return { list, size: Object.keys(list).length, set };
}
