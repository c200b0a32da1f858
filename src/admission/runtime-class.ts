import { type ApiObject, isSameAmount, type Json, StatusError, setMember } from '../meta/index.ts';
import type { nodev1 } from '../schema/api/index.ts';
import type { Decoded } from '../schema/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { createForbiddenError, isPodWrite } from './forbidden-error.ts';
import { podSpecOf, sameToleration, withSpec } from './object-accessors.ts';
import { invalidNameReason, type ObjectSource } from './object-source.ts';

type RuntimeClass = Decoded<nodev1.RuntimeClass>;
type Amounts = Decoded<Readonly<Record<string, string>>>;

/** Sets overhead and scheduling of a pod from its RuntimeClass. Cf. upstream plugin/runtimeclass. */
export function runtimeClass(classes: ObjectSource): AdmissionPlugin {
  const classOf = async (request: AdmissionRequest, pod: ApiObject): Promise<RuntimeClass | undefined> => {
    const { runtimeClassName: name } = podSpecOf(pod);
    if (name === undefined) return undefined;
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
      if (podSpecOf(pod).overhead === undefined) return;
      const found = await classOf(request, pod);
      if (found?.overhead !== undefined) return;
      throw createForbiddenError(request, pod, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    },
  };
}

function withOverhead(request: AdmissionRequest, pod: ApiObject, { overhead }: RuntimeClass): ApiObject {
  if (overhead === undefined) return pod;
  const { podFixed: fixed = {} } = overhead;
  const { overhead: podOverhead = {} } = podSpecOf(pod);
  if (Object.keys(podOverhead).length > 0 && !sameAmounts(podOverhead, fixed))
    throw createForbiddenError(request, pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  return withSpec(pod, { overhead: fixed });
}

function sameAmounts(a: Amounts, b: Amounts): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && sameAmount(a[name], b[name]));
}

function sameAmount(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && isSameAmount(a, b);
}

function withScheduling(request: AdmissionRequest, pod: ApiObject, { scheduling = {} }: RuntimeClass): ApiObject {
  const { nodeSelector, tolerations = [] } = podSpecOf(pod);
  const selector: Record<string, Json> = { ...(nodeSelector as Readonly<Record<string, string>> | undefined) };
  for (const [name, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    const own = Object.hasOwn(selector, name) ? selector[name] : undefined;
    if (own !== undefined && own !== value) {
      const why = `conflict: runtimeClass.scheduling.nodeSelector[${name}] = ${value}; pod.spec.nodeSelector[${name}] = ${own}`;
      throw createForbiddenError(request, pod, why);
    }
    if (value !== undefined) setMember(selector, name, value);
  }
  const added = (scheduling.tolerations ?? []).filter((one) => !tolerations.some((own) => sameToleration(own, one)));
  return withSpec(pod, {
    ...(Object.keys(selector).length > 0 ? { nodeSelector: selector } : {}),
    ...(added.length > 0 ? { tolerations: [...tolerations, ...added] } : {}),
  });
}
