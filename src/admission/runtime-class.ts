import { type ApiObject, isSameAmount, type Json, type JsonObject, objectsAt, recordAt, StatusError, setMember } from '../meta/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { createForbiddenError, isPodWrite } from './forbidden-error.ts';
import { sameToleration, specOf, withSpec } from './object-accessors.ts';
import { invalidNameReason, type ObjectSource } from './object-source.ts';

/** Sets overhead and scheduling of a pod from its RuntimeClass. Cf. upstream plugin/runtimeclass. */
export function runtimeClass(classes: ObjectSource): AdmissionPlugin {
  const classOf = async (request: AdmissionRequest, pod: ApiObject): Promise<ApiObject | undefined> => {
    const name = specOf(pod)['runtimeClassName'];
    if (typeof name !== 'string') return undefined;
    const found = name === '' ? undefined : await classes.find('', name);
    const why = found ? undefined : invalidNameReason(name);
    if (why !== undefined) throw new StatusError(500, '', why);
    if (!found) throw createForbiddenError(request, pod, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
    return found;
  };
  return {
    name: 'RuntimeClass',
    handles: (write) => isPodWrite(write) && write.operation === 'CREATE',
    async mutate(request, pod) {
      const found = await classOf(request, pod);
      return found ? withScheduling(request, withOverhead(request, pod, found), found) : pod;
    },
    async validate(request, pod) {
      if (specOf(pod)['overhead'] === undefined) return;
      const found = await classOf(request, pod);
      if (found?.['overhead'] !== undefined) return;
      throw createForbiddenError(request, pod, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    },
  };
}

function withOverhead(request: AdmissionRequest, pod: ApiObject, runtime: ApiObject): ApiObject {
  const fixed = recordAt(recordAt(runtime, 'overhead'), 'podFixed');
  if (runtime['overhead'] === undefined) return pod;
  const podOverhead = recordAt(specOf(pod), 'overhead');
  if (Object.keys(podOverhead).length > 0 && !sameAmounts(podOverhead, fixed))
    throw createForbiddenError(request, pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  return withSpec(pod, { overhead: fixed });
}

function sameAmounts(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && sameAmount(a[name], b[name]));
}

function sameAmount(a: Json | undefined, b: Json | undefined): boolean {
  return typeof a === 'string' && typeof b === 'string' && isSameAmount(a, b);
}

function withScheduling(request: AdmissionRequest, pod: ApiObject, runtime: ApiObject): ApiObject {
  const scheduling = recordAt(runtime, 'scheduling');
  const selector = { ...recordAt(specOf(pod), 'nodeSelector') };
  for (const [name, value] of Object.entries(recordAt(scheduling, 'nodeSelector'))) {
    const own = Object.hasOwn(selector, name) ? selector[name] : undefined;
    if (own !== undefined && own !== value) {
      const why = `conflict: runtimeClass.scheduling.nodeSelector[${name}] = ${value}; pod.spec.nodeSelector[${name}] = ${own}`;
      throw createForbiddenError(request, pod, why);
    }
    if (value !== undefined) setMember(selector, name, value);
  }
  const tolerations = objectsAt(specOf(pod), 'tolerations');
  const added = objectsAt(scheduling, 'tolerations').filter((one) => !tolerations.some((own) => sameToleration(own, one)));
  return withSpec(pod, {
    ...(Object.keys(selector).length > 0 ? { nodeSelector: selector } : {}),
    ...(added.length > 0 ? { tolerations: [...tolerations, ...added] } : {}),
  });
}
