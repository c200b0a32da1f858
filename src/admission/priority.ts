import { type ApiObject, type Json, textAt } from '../meta/index.ts';
import type { AdmissionPlugin, AdmissionRequest, KindOfWrite } from './admission.ts';
import type { ObjectSource } from './object-source.ts';
import { specOf, withSpec } from './reading.ts';
import { isOfPods, refusal } from './refusal.ts';

/** Sets a pod's priority from its class, or from the default class. Cf. upstream plugin/priority. */
export function priority(classes: ObjectSource): AdmissionPlugin {
  return {
    name: 'Priority',
    concerns: (write) => isOfPods(write) || (isOfClasses(write) && write.operation !== 'DELETE'),
    async mutate(request, object, old) {
      if (!isOfPods(request)) return object;
      if (request.operation === 'CREATE') return withPriority(request, object, classes);
      return old ? withKept(object, old) : object;
    },
    async validate(request, object) {
      if (!isOfClasses(request) || object['globalDefault'] !== true) return;
      const other = await defaultClass(classes);
      if (!other || other.metadata.name === object.metadata.name) return;
      const why = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
      throw refusal(request, object, why);
    },
  };
}

function isOfClasses({ group, resource }: KindOfWrite): boolean {
  return resource === 'priorityclasses' && group.startsWith('scheduling.');
}

/** Of several defaults the lowest wins. */
async function defaultClass(classes: ObjectSource): Promise<ApiObject | undefined> {
  const defaults = (await classes.list('')).filter((one) => one['globalDefault'] === true);
  return defaults.sort((a, b) => priorityOf(a) - priorityOf(b))[0];
}

function priorityOf(priorityClass: ApiObject | undefined): number {
  const value = priorityClass?.['value'];
  return typeof value === 'number' ? value : 0;
}

async function withPriority(request: AdmissionRequest, pod: ApiObject, classes: ObjectSource): Promise<ApiObject> {
  const spec = specOf(pod);
  const asked = textAt(spec, 'priorityClassName');
  const found = asked === '' ? await defaultClass(classes) : await classes.find('', asked);
  if (!found && asked !== '') throw refusal(request, pod, `no PriorityClass with name ${asked} was found`);
  const value = priorityOf(found);
  const policy = found ? textAt(found, 'preemptionPolicy') || 'PreemptLowerPriority' : 'PreemptLowerPriority';
  const given = (member: string, computed: Json): void => {
    const said = spec[member];
    if (said === undefined || said === computed) return;
    const what = member === 'priority' ? `integer value of priority (${said})` : `string value of PreemptionPolicy (${said})`;
    const why = `the ${what} must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
    throw refusal(request, pod, why);
  };
  given('priority', value);
  given('preemptionPolicy', policy);
  const name = found?.metadata.name;
  return withSpec(pod, { ...(name === undefined ? {} : { priorityClassName: name }), priority: value, preemptionPolicy: policy });
}

/** Restores the priority and preemption policy that an update omits. */
function withKept(pod: ApiObject, old: ApiObject): ApiObject {
  const [spec, before] = [specOf(pod), specOf(old)];
  const kept: Record<string, Json> = {};
  for (const member of ['priority', 'preemptionPolicy']) {
    const value = before[member];
    if (spec[member] === undefined && value !== undefined) kept[member] = value;
  }
  return withSpec(pod, kept);
}
