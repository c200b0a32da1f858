import type { ApiObject, Json } from '../meta/index.ts';
import type { schedulingv1 } from '../schema/api/index.ts';
import type { Decoded } from '../schema/index.ts';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { createForbiddenError, isPodWrite } from './forbidden-error.ts';
import { podSpecOf, withSpec } from './object-accessors.ts';
import type { ObjectSource } from './object-source.ts';

type PriorityClass = Decoded<schedulingv1.PriorityClass>;

/** Sets a pod's priority from its class, or from the default class. Cf. upstream plugin/priority. */
export function priority(classes: ObjectSource): AdmissionPlugin {
  return {
    name: 'Priority',
    handles: (write) => isPodWrite(write) || (isPriorityClassWrite(write) && write.operation !== 'DELETE'),
    async mutate(request, object, old) {
      if (!isPodWrite(request)) return object;
      if (request.operation === 'CREATE') return withPriority(request, object, classes);
      return old ? preservePriority(object, old) : object;
    },
    async validate(request, object) {
      const { globalDefault }: PriorityClass = object;
      if (!isPriorityClassWrite(request) || globalDefault !== true) return;
      const other = await defaultClass(classes);
      if (!other || other.metadata.name === object.metadata.name) return;
      const why = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
      throw createForbiddenError(request, object, why);
    },
  };
}

function isPriorityClassWrite({ group, resource }: AdmissionAttributes): boolean {
  return resource === 'priorityclasses' && group.startsWith('scheduling.');
}

/** Of several defaults the lowest wins. */
async function defaultClass(classes: ObjectSource): Promise<ApiObject | undefined> {
  const defaults = (await classes.list('')).filter(({ globalDefault }: PriorityClass) => globalDefault === true);
  return defaults.sort((a, b) => priorityOf(a) - priorityOf(b))[0];
}

const priorityOf = (priorityClass: PriorityClass | undefined): number => priorityClass?.value ?? 0;

async function withPriority(request: AdmissionRequest, pod: ApiObject, classes: ObjectSource): Promise<ApiObject> {
  const spec = podSpecOf(pod);
  const { priorityClassName: className = '' } = spec;
  const found: PriorityClass | undefined = className === '' ? await defaultClass(classes) : await classes.find('', className);
  if (!found && className !== '') throw createForbiddenError(request, pod, `no PriorityClass with name ${className} was found`);
  const value = priorityOf(found);
  const policy = found?.preemptionPolicy || 'PreemptLowerPriority';
  const requireComputed = (member: 'priority' | 'preemptionPolicy', computed: Json): void => {
    const specValue = spec[member];
    if (specValue === undefined || specValue === computed) return;
    const what = member === 'priority' ? `integer value of priority (${specValue})` : `string value of PreemptionPolicy (${specValue})`;
    const why = `the ${what} must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
    throw createForbiddenError(request, pod, why);
  };
  requireComputed('priority', value);
  requireComputed('preemptionPolicy', policy);
  const name = found?.metadata?.name;
  return withSpec(pod, { ...(name === undefined ? {} : { priorityClassName: name }), priority: value, preemptionPolicy: policy });
}

/** Restores the priority and preemption policy that an update omits. */
function preservePriority(pod: ApiObject, old: ApiObject): ApiObject {
  const [spec, before] = [podSpecOf(pod), podSpecOf(old)];
  const preserved: Record<string, Json> = {};
  for (const member of ['priority', 'preemptionPolicy'] as const) {
    const value = before[member];
    if (spec[member] === undefined && value !== undefined) preserved[member] = value;
  }
  return withSpec(pod, preserved);
}
