import { isJsonObject, type JsonObject, objectsAt } from '../../../meta/index.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError, messageOf } from '../../program/errors.ts';
import { getObject } from '../../resources/changes.ts';
import { type Info, metadataOf, textsOf } from '../../resources/info.ts';

/** `--list`: the variables of each container, with `--resolve` their current values. */
export async function listVariables(call: Call, info: Info, containers: readonly JsonObject[]): Promise<void> {
  for (const container of containers) {
    call.out(`# ${info.resource.kind} ${info.name}, container ${String(container['name'])}\n`);
    const failures = new Map<string, string[]>();
    for (const variable of objectsAt(container, 'env')) {
      const name = String(variable['name']);
      try {
        call.out(await variableLine(call, info, variable));
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

async function variableLine(call: Call, info: Info, variable: JsonObject): Promise<string> {
  const { name, value, valueFrom } = variable;
  if (!isJsonObject(valueFrom)) return `${String(name)}=${String(value ?? '')}\n`;
  if (!call.flags.bool('resolve')) return `# ${String(name)} from ${formatReference(variable)}\n`;
  return `${String(name)}=${await resolveReference(call, info, valueFrom)}\n`;
}

function formatReference({ valueFrom }: JsonObject): string {
  const [[kind, from] = ['', {}]] = Object.entries(isJsonObject(valueFrom) ? valueFrom : {});
  const reference = isJsonObject(from) ? from : {};
  switch (kind) {
    case 'configMapKeyRef':
      return `configmap ${String(reference['name'])}, key ${String(reference['key'])}`;
    case 'secretKeyRef':
      return `secret ${String(reference['name'])}, key ${String(reference['key'])}`;
    case 'fieldRef':
      return `field path ${String(reference['fieldPath'])}`;
    case 'resourceFieldRef': {
      const container = reference['containerName'];
      return `resource field ${container === undefined ? '' : `${String(container)}/`}${String(reference['resource'])}`;
    }
    default:
      return 'invalid valueFrom';
  }
}

/** @throws KubectlError or the server's error when there is no value */
async function resolveReference(call: Call, info: Info, valueFrom: JsonObject): Promise<string> {
  const [[kind, from] = ['', {}]] = Object.entries(valueFrom);
  const reference = isJsonObject(from) ? from : {};
  if (kind === 'fieldRef') return fieldValue(info, String(reference['fieldPath']));
  if (kind !== 'configMapKeyRef' && kind !== 'secretKeyRef') throw new KubectlError('invalid valueFrom');
  const secret = kind === 'secretKeyRef';
  const resource = await (await call.cluster()).resourceFor(secret ? 'secrets' : 'configmaps');
  const [name, key] = [String(reference['name']), String(reference['key'])];
  const object = await getObject(call, { resource, namespace: info.namespace, name });
  const value = textsOf(object['data'])[key];
  if (value === undefined) throw new KubectlError(`key ${key} not found in ${secret ? 'secret' : 'config map'} ${name}`);
  return secret ? atob(value) : value;
}

function fieldValue({ object }: Info, path: string): string {
  const metadata = metadataOf(object);
  const formatMap = (member: string): string =>
    Object.entries(textsOf(metadata[member]))
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join('\n');
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
