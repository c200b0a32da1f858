import { isJsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { entriesOf } from '../kubeconfig/entries.ts';
import { metadataOf, textsOf } from '../resources/info.ts';
import {
  type CandidateList,
  type CompletionContext,
  completeFiles,
  completeNames,
  fetchTypeSchemas,
  listObjects,
  loadConfig,
  toCandidates,
} from './completion-context.ts';

const fixedValues: Readonly<Record<string, readonly string[]>> = {
  output: ['yaml', 'json', 'wide', 'name', 'jsonpath=', 'jsonpath-as-json=', 'custom-columns=', 'go-template='],
  'dry-run': ['none', 'client', 'server'],
  cascade: ['background', 'orphan', 'foreground'],
  validate: ['strict', 'warn', 'ignore'],
  type: ['strategic', 'merge', 'json'],
  restart: ['Always', 'OnFailure', 'Never'],
};

const fileFlags: ReadonlySet<string> = new Set(['filename', 'kustomize', 'from-file', 'from-env-file', 'patch-file']);
const configSections = { context: 'contexts', cluster: 'clusters', user: 'users' } as const;

/** The values of a flag. `rest`: the command's arguments without flags. */
export async function completeFlagValue(
  context: CompletionContext,
  flag: string,
  words: readonly string[],
  rest: readonly string[],
  current: string,
): Promise<CandidateList> {
  if (flag === 'namespace') return { candidates: await completeNames(context, words, 'namespaces') };
  if (flag === 'container') return { candidates: toCandidates(await listContainers(context, words, rest)) };
  if (flag === 'selector') return completeLabels(context, words, rest, current);
  if (flag === 'as') return { candidates: toCandidates(await listSubjects(context, words, 'User')) };
  if (flag === 'as-group') return { candidates: toCandidates(await listSubjects(context, words, 'Group')) };
  if (fileFlags.has(flag)) return completeFiles(context, current);
  if (flag === 'context' || flag === 'cluster' || flag === 'user') {
    const section = configSections[flag];
    return { candidates: toCandidates(entriesOf(await loadConfig(context), section).map((entry) => String(entry['name']))) };
  }
  return { candidates: toCandidates(fixedValues[flag] ?? []) };
}

/** The containers of `web`, `pod/web` or `deploy/web`. */
async function listContainers(context: CompletionContext, words: readonly string[], rest: readonly string[]): Promise<readonly string[]> {
  const [first = '', second] = rest;
  const [type, name] = first.includes('/') ? first.split('/') : second === undefined ? ['pods', first] : [first, second];
  const object = (await listObjects(context, words, type ?? '')).find((one) => valueAtPath(one, 'metadata', 'name') === name);
  const own = recordAt(object, 'spec');
  const spec = own['template'] === undefined ? own : recordAt(recordAt(own, 'template'), 'spec');
  return ['containers', 'initContainers'].flatMap((field) => objectsAt(spec, field).map((one) => String(one['name'])));
}

/** The labels of the type's objects, in selector syntax. */
async function completeLabels(
  context: CompletionContext,
  words: readonly string[],
  rest: readonly string[],
  current: string,
): Promise<CandidateList> {
  const counts = new Map<string, number>();
  for (const object of await listObjects(context, words, rest[0]?.split('/')[0] ?? 'pods')) {
    for (const [key, value] of Object.entries(textsOf(metadataOf(object)['labels'])))
      counts.set(`${key}=${value}`, (counts.get(`${key}=${value}`) ?? 0) + 1);
  }
  const candidates = [...counts].sort().map(([text, count]) => ({ text, about: count === 1 ? 'one object' : `${count} objects` }));
  return { candidates, offset: current.lastIndexOf(',') + 1 };
}

/** Subjects of role bindings; for users also the service accounts. */
async function listSubjects(context: CompletionContext, words: readonly string[], kind: 'User' | 'Group'): Promise<readonly string[]> {
  const types = ['clusterrolebindings', 'rolebindings', ...(kind === 'User' ? ['serviceaccounts'] : [])];
  const [cluster = [], own = [], accounts = []] = await Promise.all(types.map((type) => listObjects(context, words, type)));
  const bound = [...cluster, ...own].flatMap((binding) => objectsAt(binding, 'subjects').filter((one) => one['kind'] === kind));
  const known = bound.map((one) => String(one['name']));
  const serviceAccountNames = accounts.map(
    (one) => `system:serviceaccount:${valueAtPath(one, 'metadata', 'namespace')}:${valueAtPath(one, 'metadata', 'name')}`,
  );
  const userNames = kind === 'User' ? entriesOf(await loadConfig(context), 'users').map((entry) => String(entry['name'])) : [];
  return [...new Set([...userNames, ...known, ...serviceAccountNames])].sort();
}

/** `deployment.spec.te`: the fields of the parent path. */
export async function completeFieldPath(context: CompletionContext, words: readonly string[], current: string): Promise<CandidateList> {
  const [type = '', ...path] = current.split('.');
  const found = await fetchTypeSchemas(context, words, type);
  let schema = found?.schemas.schemaOfKind(found.resource);
  for (const name of path.slice(0, -1)) schema = schema && found?.schemas.fieldsOf(schema).get(name);
  if (!found || !schema) return { candidates: [] };
  const fields = [...found.schemas.fieldsOf(schema)];
  return {
    candidates: fields.map(([text, field]) => ({ text, about: found.schemas.typeOf(field) })),
    offset: current.lastIndexOf('.') + 1,
  };
}

function valueAtPath(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value;
  for (const name of path) at = isJsonObject(at) ? at[name] : undefined;
  return at;
}
