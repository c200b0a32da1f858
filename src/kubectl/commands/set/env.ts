import { isEnvVarName, type JsonObject, objectsAt } from '../../../meta/index.ts';
import { globToRegExp, readText } from '../../../shell/index.ts';
import { array, bool, list, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { managerFlag } from '../../program/global-flags.ts';
import { type Info, textsOf } from '../../resources/info.ts';
import { listVariables } from './list-env.ts';
import {
  changeContainers,
  changePodSpec,
  changeTargets,
  createChangePrinter,
  requireNoLocalServerDryRun,
  requireNoSelectorOfAll,
  selectTargets,
  setFlags,
  targetError,
} from './pod-specs.ts';

export const setEnv: Command = {
  flags: {
    ...setFlags,
    ...managerFlag('kubectl-set'),
    containers: text('*', 'c'),
    env: array('e'),
    from: text(),
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

const change = { operation: 'env updated', failure: 'failed to patch env update to pod template: ' };

async function runEnv(call: Call): Promise<number> {
  const { flags } = call;
  requireNoSelectorOfAll(call);
  const { resources, changes } = splitChanges(call.words);
  await createChangePrinter(call, change);
  await call.cluster();
  validate(call, resources);
  const wanted = await readChanges(call, [...flags.list('env'), ...changes]);
  const targets = await selectTargets(call, resources);
  if (flags.bool('list')) await listTargets(call, targets, wanted);
  else await changeTargets(call, targets, (info) => setVariables(call, info, wanted).after, change);
  return 0;
}

/** kubectl reports no failures of --list. */
async function listTargets(call: Call, infos: readonly Info[], wanted: EnvChanges): Promise<void> {
  for (const info of infos) {
    try {
      await listVariables(call, info, setVariables(call, info, wanted).containers);
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
    }
  }
}

interface ChangedVariables {
  /** Undefined: no container is selected. */
  readonly after: JsonObject | undefined;
  readonly containers: readonly JsonObject[];
}

/** Warns when no container is selected. */
function setVariables(call: Call, info: Info, wanted: EnvChanges): ChangedVariables {
  const selected = call.flags.text('containers');
  const matcher = globToRegExp(selected);
  const containers: JsonObject[] = [];
  const after = changePodSpec(info, (spec) =>
    changeContainers(
      spec,
      (name) => matcher.test(name),
      (container) => {
        const env = updateEnv(call, info, objectsAt(container, 'env'), wanted);
        containers.push({ ...container, env });
        return env.length > 0 || container['env'] !== undefined ? { ...container, env } : container;
      },
    ),
  );
  if (containers.length > 0) return { after, containers };
  call.err(`Warning: ${info.resource.kind}/${info.name} does not have any containers matching ${JSON.stringify(selected)}\n`);
  return { after: undefined, containers };
}

/** Arguments before the first `NAME=value` or `NAME-`, and the changes. @throws KubectlError */
function splitChanges(words: readonly string[]): { readonly resources: readonly string[]; readonly changes: readonly string[] } {
  const isChange = (word: string): boolean => word.indexOf('=') > 0 || word.endsWith('-');
  const first = words.findIndex(isChange);
  const [resources, changes] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];
  if (!changes.every(isChange)) throw new KubectlError(`all resources must be specified before environment changes: ${words.join(' ')}`);
  return { resources, changes };
}

/** @throws KubectlError */
function validate(call: Call, resources: readonly string[]): void {
  const { flags } = call;
  requireNoLocalServerDryRun(call);
  if (resources.length === 0 && flags.list('filename').length === 0)
    throw new KubectlError('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  if (flags.bool('list') && flags.text('output') !== '') throw new KubectlError('--list and --output may not be specified together');
  if (flags.list('keys').length > 0 && flags.text('from') === '')
    throw new KubectlError('when specifying --keys, a configmap or secret must be provided with --from');
}

/** @throws KubectlError */
async function readChanges(call: Call, changes: readonly string[]): Promise<EnvChanges> {
  const variables: JsonObject[] = [];
  const set = new Set<string>();
  const removed: string[] = [];
  for (const change of changes) {
    if (change === '-') variables.push(...(await readInputVariables(call)));
    else if (change.includes('=')) {
      const variable = readPair(change);
      const name = String(variable['name']);
      const problems = isEnvVarName(name);
      if (problems.length > 0) throw new KubectlError(`${JSON.stringify(name)} is not a valid key name: ${problems.join(';')}`);
      set.add(name);
      variables.push(variable);
    } else if (change.endsWith('-')) removed.push(change.slice(0, -1));
    else throw new KubectlError(`unknown environment variable: ${change}`);
  }
  if (removed.some((name) => set.has(name)))
    throw new KubectlError('can not both modify and remove the same environment variable in the same command');
  if (call.flags.text('from') !== '') variables.push(...(await readSourceVariables(call)));
  const prefix = call.flags.text('prefix');
  return { variables: variables.map((variable) => ({ ...variable, name: `${prefix}${String(variable['name'])}` })), removed };
}

/** The lines `NAME=value` of standard input, without comments. */
async function readInputVariables({ input }: Call): Promise<JsonObject[]> {
  const lines = (await readText(input)).split('\n').map((line) => line.replace(/#.*$/, ''));
  return lines.filter((line) => line.includes('=')).map(readPair);
}

function readPair(text: string): JsonObject {
  const cut = text.indexOf('=');
  return { name: text.slice(0, cut), value: text.slice(cut + 1) };
}

/** `--from`: a variable for each key of a ConfigMap or Secret. @throws KubectlError */
async function readSourceVariables(call: Call): Promise<JsonObject[]> {
  const { flags, err } = call;
  const targets = await selectTargets(call, [flags.text('from')]);
  return targets.flatMap(({ resource, name, object }) => {
    const reference = { configmaps: 'configMapKeyRef', secrets: 'secretKeyRef' }[resource.name];
    if (reference === undefined) throw new KubectlError('unsupported resource specified in --from');
    const wanted = flags.list('keys');
    const keys = Object.keys(textsOf(object?.['data'])).sort();
    return keys
      .filter((key) => wanted.length === 0 || wanted.includes(key))
      .map((key) => {
        const variable = key.replace(/[^a-zA-Z0-9_]/g, '_').toUpperCase();
        if (variable !== key) err(`Warning: key ${key} transferred to ${variable}\n`);
        return { name: variable, valueFrom: { [reference]: { name, key } } };
      });
  });
}

/** Cf. kubectl updateEnv: an added variable replaces those with its name, a removed one removes them. */
function updateEnv(
  { flags }: Call,
  info: Info,
  existing: readonly JsonObject[],
  { variables, removed }: EnvChanges,
): readonly JsonObject[] {
  const newer = new Map<unknown, JsonObject>();
  for (const variable of variables) if (!newer.has(variable['name'])) newer.set(variable['name'], variable);
  if (!flags.bool('overwrite')) requireNoOverwrites(info, existing, variables);
  const covered = new Set<unknown>(removed);
  const result: JsonObject[] = [];
  for (const variable of [...existing, ...newer.values()]) {
    const name = variable['name'];
    if (covered.has(name)) continue;
    const replacement = newer.get(name);
    if (replacement) covered.add(name);
    result.push(replacement ?? variable);
  }
  return result;
}

/** @throws KubectlError for a variable that has another value already */
function requireNoOverwrites(info: Info, existing: readonly JsonObject[], variables: readonly JsonObject[]): void {
  const textOf = (variable: JsonObject): string => String(variable['value'] ?? '');
  for (const variable of variables) {
    const current = existing.find((one) => one['name'] === variable['name']);
    if (current && textOf(current) !== textOf(variable))
      throw targetError(info, `'${String(current['name'])}' already has a value (${textOf(current)}), and --overwrite is false`);
  }
}
