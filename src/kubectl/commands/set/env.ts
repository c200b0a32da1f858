import { isJsonObject, type JsonObject, objectsAt } from '../../../meta/index.ts';
import { globToRegExp, readText } from '../../../shell/index.ts';
import { array, bool, list, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { managerFlag } from '../../program/global-flags.ts';
import { getObject } from '../../resources/changes.ts';
import type { Info } from '../../resources/info.ts';
import { textsOf } from '../../resources/info.ts';
import { changePodSpec, containersOf, forEachTarget, podSpecOf, selectTargets, sendChange, setFlags } from './pod-specs.ts';

export const setEnv: Command = {
  flags: {
    ...setFlags,
    ...managerFlag('kubectl-set'),
    containers: text('*', 'c'),
    env: array('e', 'NAME=value'),
    from: text('', undefined, 'configmap/NAME or secret/NAME'),
    keys: list(),
    list: bool(),
    overwrite: bool(true),
    prefix: text(),
    resolve: bool(),
  },
  run: runEnv,
};

interface EnvChanges {
  readonly variables: readonly JsonObject[];
  readonly removed: readonly string[];
}

async function runEnv(call: Call): Promise<number> {
  const { flags, words } = call;
  const isChange = (word: string): boolean => word.includes('=') || (word.endsWith('-') && !word.includes('/'));
  const resources = words.filter((word) => !isChange(word));
  if (resources.length === 0 && flags.list('filename').length === 0)
    throw new KubectlError('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  const wanted = await parseChanges(call, [...words.filter(isChange), ...flags.list('env')]);
  const targets = await selectTargets(call, resources);
  const matcher = globToRegExp(flags.text('containers'));
  await forEachTarget(targets, async (info) => {
    if (flags.bool('list')) return listVariables(call, info, matcher);
    const chosen = containersOf(podSpecOf(info)).filter(({ name }) => matcher.test(String(name)));
    if (chosen.length === 0) {
      call.err(
        `Warning: ${info.resource.kind}/${info.name} does not have any containers matching ${JSON.stringify(flags.text('containers'))}\n`,
      );
      return;
    }
    const after = changePodSpec(info, (spec) => ({
      ...spec,
      containers: containersOf(spec).map((container) =>
        matcher.test(String(container['name'])) ? { ...container, ...mergeEnv(call, info, container, wanted) } : container,
      ),
    }));
    await sendChange(call, info, after, { operation: 'env updated', manager: flags.text('field-manager') });
  });
  return 0;
}

async function parseChanges(call: Call, changes: readonly string[]): Promise<EnvChanges> {
  const variables: JsonObject[] = [];
  const removed: string[] = [];
  for (const change of changes) {
    if (change === '-') {
      for (const line of (await readText(call.input)).split('\n').filter((one) => one.includes('='))) variables.push(parsePair(line));
    } else if (change.includes('=')) variables.push(parsePair(change));
    else removed.push(change.slice(0, -1));
  }
  if (call.flags.text('from') !== '') variables.push(...(await readSourceVariables(call)));
  const both = variables.map(({ name }) => String(name)).filter((name) => removed.includes(name));
  if (both.length > 0) throw new KubectlError(`environment variable ${both[0]} cannot be both set and removed`);
  return { variables, removed };
}

function parsePair(text: string): JsonObject {
  const cut = text.indexOf('=');
  return { name: text.slice(0, cut), value: text.slice(cut + 1) };
}

/** Each key of a ConfigMap or Secret as its own variable. */
async function readSourceVariables(call: Call): Promise<JsonObject[]> {
  const { flags } = call;
  const [type = '', name = ''] = flags.text('from').split('/');
  const resource = await (await call.cluster()).resourceFor(type);
  const { name: namespace } = await call.namespace();
  const object = await getObject(call, { resource, namespace, name });
  const reference = resource.name === 'configmaps' ? 'configMapKeyRef' : resource.name === 'secrets' ? 'secretKeyRef' : undefined;
  if (!reference) throw new KubectlError(`unsupported resource specified in --from`);
  const keys = Object.keys(textsOf(object['data'])).sort();
  const wanted = flags.list('keys').length > 0 ? keys.filter((key) => flags.list('keys').includes(key)) : keys;
  return wanted.map((key) => ({
    name: flags.text('prefix') + key.toUpperCase().replace(/[^A-Z0-9_]/g, '_'),
    valueFrom: { [reference]: { name, key } },
  }));
}

function mergeEnv({ flags }: Call, { resource, name }: Info, container: JsonObject, { variables, removed }: EnvChanges): JsonObject {
  const before = objectsAt(container, 'env');
  const result = before.filter((one) => !removed.includes(String(one['name'])));
  for (const variable of variables) {
    const at = result.findIndex((one) => one['name'] === variable['name']);
    if (at < 0) result.push(variable);
    else if (!flags.bool('overwrite'))
      throw new KubectlError(
        `${resource.name}/${name} '${String(variable['name'])}' already has a value (${String(result[at]?.['value'] ?? '')}), and --overwrite is false`,
      );
    else result[at] = variable;
  }
  return result.length > 0 || before.length > 0 ? { env: result } : {};
}

async function listVariables(call: Call, info: Info, matcher: RegExp): Promise<void> {
  for (const container of containersOf(podSpecOf(info))) {
    if (!matcher.test(String(container['name']))) continue;
    call.out(`# ${info.resource.kind} ${info.name}, container ${String(container['name'])}\n`);
    const env = objectsAt(container, 'env');
    for (const { name, value, valueFrom } of env) {
      if (!isJsonObject(valueFrom)) {
        call.out(`${String(name)}=${String(value ?? '')}\n`);
        continue;
      }
      const [[kind, from] = ['', {}]] = Object.entries(valueFrom);
      const reference = isJsonObject(from) ? from : {};
      const found = call.flags.bool('resolve') ? await resolveReference(call, info, kind, reference) : undefined;
      call.out(found === undefined ? `# ${String(name)} from ${formatReference(kind, reference)}\n` : `${String(name)}=${found}\n`);
    }
  }
}

function formatReference(kind: string, reference: JsonObject): string {
  switch (kind) {
    case 'configMapKeyRef':
      return `configmap ${String(reference['name'])}, key ${String(reference['key'])}`;
    case 'secretKeyRef':
      return `secret ${String(reference['name'])}, key ${String(reference['key'])}`;
    default:
      return `field path ${String(reference['fieldPath'])}`;
  }
}

/** `--resolve`: the current value of a ConfigMap or Secret reference. */
async function resolveReference(call: Call, { namespace }: Info, kind: string, reference: JsonObject): Promise<string | undefined> {
  if (kind !== 'configMapKeyRef' && kind !== 'secretKeyRef') return undefined;
  const secret = kind === 'secretKeyRef';
  const resource = await (await call.cluster()).resourceFor(secret ? 'secrets' : 'configmaps');
  const object = await getObject(call, { resource, namespace, name: String(reference['name']) });
  const value = textsOf(object['data'])[String(reference['key'])];
  return value === undefined || !secret ? value : atob(value);
}
