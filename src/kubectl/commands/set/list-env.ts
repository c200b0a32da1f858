import { parseQuantity, quantityInteger } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError, messageOf } from '../../program/errors.ts';
import { getObject } from '../../resources/changes.ts';
import { type Info, metadataOf, textsOf } from '../../resources/info.ts';

type Variable = Decoded<corev1.EnvVar>;
type Container = Decoded<corev1.Container>;

/** `--list`: the variables of each container, with `--resolve` their current values. */
export async function listVariables(call: Call, info: Info, containers: readonly Container[]): Promise<void> {
  for (const container of containers) {
    call.out(`# ${info.resource.kind} ${info.name}, container ${container.name}\n`);
    const failures = new Map<string, string[]>();
    for (const variable of container.env ?? []) {
      const { name = '' } = variable;
      try {
        call.out(await variableLine(call, info, container, variable));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        call.out(`# ${name} from ${formatReference(variable)}\n`);
        const why = messageOf(error);
        failures.set(why, [...(failures.get(why) ?? []), name]);
      }
    }
    const lines = [...failures].map(([why, names]) => `error retrieving reference for ${names.sort().join(', ')}: ${why}\n`);
    call.err(lines.sort().join(''));
  }
}

async function variableLine(call: Call, info: Info, container: Container, variable: Variable): Promise<string> {
  const { name, value = '', valueFrom } = variable;
  if (!valueFrom) return `${name}=${value}\n`;
  if (!call.flags.bool('resolve')) return `# ${name} from ${formatReference(variable)}\n`;
  const { resourceFieldRef } = valueFrom;
  return `${name}=${resourceFieldRef ? resourceValue(container, resourceFieldRef) : await resolveReference(call, info, valueFrom)}\n`;
}

function formatReference({ valueFrom = {} }: Variable): string {
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  if (configMapKeyRef) return `configmap ${configMapKeyRef.name}, key ${configMapKeyRef.key}`;
  if (secretKeyRef) return `secret ${secretKeyRef.name}, key ${secretKeyRef.key}`;
  if (fieldRef) return `field path ${fieldRef.fieldPath}`;
  if (!resourceFieldRef) return 'invalid valueFrom';
  const { containerName, resource } = resourceFieldRef;
  return `resource field ${containerName === undefined ? '' : `${containerName}/`}${resource}`;
}

/** @throws KubectlError or the server's error when there is no value */
async function resolveReference(call: Call, info: Info, valueFrom: Decoded<corev1.EnvVarSource>): Promise<string> {
  const { configMapKeyRef, secretKeyRef, fieldRef } = valueFrom;
  if (fieldRef) return fieldValue(info, fieldRef.fieldPath ?? '');
  const reference = configMapKeyRef ?? secretKeyRef;
  if (!reference) throw new KubectlError('invalid valueFrom');
  const resource = await (await call.cluster()).resourceFor(secretKeyRef ? 'secrets' : 'configmaps');
  const { name = '', key = '' } = reference;
  const { data }: Decoded<corev1.ConfigMap> = await getObject(call, { resource, namespace: info.namespace, name });
  const value = data?.[key];
  if (value === undefined) throw new KubectlError(`key ${key} not found in ${secretKeyRef ? 'secret' : 'config map'} ${name}`);
  return secretKeyRef ? atob(value) : value;
}

/** A resource of the container in units of the divisor, rounded up. Cf. kubectl set/env extractContainerResourceValue. @throws KubectlError */
function resourceValue({ resources }: Container, { resource = '', divisor = '0' }: Decoded<corev1.ResourceFieldSelector>): string {
  const [, list, name = ''] = /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.*)$/.exec(resource) ?? [];
  if (list === undefined) throw new KubectlError(`Unsupported container resource : ${resource}`);
  const amount = (quantity: string): number => Number(quantityInteger(parseQuantity(quantity), name === 'cpu' ? -3 : 0));
  const found = resources?.[list as 'limits' | 'requests']?.[name] ?? '0';
  return String(Math.ceil(amount(found) / (amount(divisor) || amount('1'))));
}

function fieldValue({ object }: Info, path: string): string {
  const metadata = metadataOf(object);
  const formatMap = (member: string): string =>
    Object.entries(textsOf(metadata[member]))
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join('\n');
  const [, member = '', key = ''] = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(path) ?? [];
  if (member !== '') return textsOf(metadata[member])[key] ?? '';
  switch (path) {
    case 'metadata.annotations':
    case 'metadata.labels':
      return formatMap(path.slice('metadata.'.length));
    case 'metadata.name':
    case 'metadata.namespace':
    case 'metadata.uid':
      return String(metadata[path.slice('metadata.'.length)] ?? '');
    default:
      throw new KubectlError(`unsupported fieldPath: ${path}`);
  }
}
