import { isJsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { entriesOf } from '../kubeconfig/access.ts';
import { metadataOf, textsOf } from '../resources/info.ts';
import { type CompletionContext, configOf, type Found, files, names, objectsOf, plain, schemasFor } from './asking.ts';

const fixed: Readonly<Record<string, readonly string[]>> = {
  output: ['yaml', 'json', 'wide', 'name', 'jsonpath=', 'jsonpath-as-json=', 'custom-columns=', 'go-template='],
  'dry-run': ['none', 'client', 'server'],
  cascade: ['background', 'orphan', 'foreground'],
  validate: ['strict', 'warn', 'ignore'],
  type: ['strategic', 'merge', 'json'],
  restart: ['Always', 'OnFailure', 'Never'],
};

const fileFlags: ReadonlySet<string> = new Set(['filename', 'kustomize', 'from-file', 'from-env-file', 'patch-file']);
const configSections = { context: 'contexts', cluster: 'clusters', user: 'users' } as const;

/** The values that a flag may have. `rest`: what the command names beside its flags. */
export async function flagValues(
  context: CompletionContext,
  flag: string,
  words: readonly string[],
  rest: readonly string[],
  current: string,
): Promise<Found> {
  if (flag === 'namespace') return { candidates: await names(context, words, 'namespaces') };
  if (flag === 'container') return { candidates: plain(await containers(context, words, rest)) };
  if (flag === 'selector') return labels(context, words, rest, current);
  if (flag === 'as') return { candidates: plain(await subjects(context, words, 'User')) };
  if (flag === 'as-group') return { candidates: plain(await subjects(context, words, 'Group')) };
  if (fileFlags.has(flag)) return files(context, current);
  if (flag === 'context' || flag === 'cluster' || flag === 'user') {
    const section = configSections[flag];
    return { candidates: plain(entriesOf(await configOf(context), section).map((entry) => String(entry['name']))) };
  }
  return { candidates: plain(fixed[flag] ?? []) };
}

/** `web`, `pod/web`, `deploy/web`: the containers of that one. */
async function containers(context: CompletionContext, words: readonly string[], rest: readonly string[]): Promise<readonly string[]> {
  const [first = '', second] = rest;
  const [type, name] = first.includes('/') ? first.split('/') : second === undefined ? ['pods', first] : [first, second];
  const object = (await objectsOf(context, words, type ?? '')).find((one) => within(one, 'metadata', 'name') === name);
  const own = recordAt(object, 'spec');
  const spec = own['template'] === undefined ? own : recordAt(recordAt(own, 'template'), 'spec');
  return ['containers', 'initContainers'].flatMap((field) => objectsAt(spec, field).map((one) => String(one['name'])));
}

/** The labels that the objects of the type have, as a selector has them. */
async function labels(context: CompletionContext, words: readonly string[], rest: readonly string[], current: string): Promise<Found> {
  const counts = new Map<string, number>();
  for (const object of await objectsOf(context, words, rest[0]?.split('/')[0] ?? 'pods')) {
    for (const [key, value] of Object.entries(textsOf(metadataOf(object)['labels'])))
      counts.set(`${key}=${value}`, (counts.get(`${key}=${value}`) ?? 0) + 1);
  }
  const candidates = [...counts].sort().map(([text, count]) => ({ text, about: count === 1 ? 'one object' : `${count} objects` }));
  return { candidates, within: current.lastIndexOf(',') + 1 };
}

/** Who is bound to a role, and for users also the accounts there are. */
async function subjects(context: CompletionContext, words: readonly string[], kind: 'User' | 'Group'): Promise<readonly string[]> {
  const types = ['clusterrolebindings', 'rolebindings', ...(kind === 'User' ? ['serviceaccounts'] : [])];
  const [cluster = [], own = [], accounts = []] = await Promise.all(types.map((type) => objectsOf(context, words, type)));
  const bound = [...cluster, ...own].flatMap((binding) => objectsAt(binding, 'subjects').filter((one) => one['kind'] === kind));
  const known = bound.map((one) => String(one['name']));
  const machines = accounts.map(
    (one) => `system:serviceaccount:${within(one, 'metadata', 'namespace')}:${within(one, 'metadata', 'name')}`,
  );
  const people = kind === 'User' ? entriesOf(await configOf(context), 'users').map((entry) => String(entry['name'])) : [];
  return [...new Set([...people, ...known, ...machines])].sort();
}

/** `deployment.spec.te`: the fields there are in the one before. */
export async function fieldPaths(context: CompletionContext, words: readonly string[], current: string): Promise<Found> {
  const [type = '', ...path] = current.split('.');
  const found = await schemasFor(context, words, type);
  let schema = found?.schemas.ofKind(found.resource);
  for (const name of path.slice(0, -1)) schema = schema && found?.schemas.fieldsOf(schema).get(name);
  if (!found || !schema) return { candidates: [] };
  const fields = [...found.schemas.fieldsOf(schema)];
  return {
    candidates: fields.map(([text, field]) => ({ text, about: found.schemas.typeOf(field) })),
    within: current.lastIndexOf('.') + 1,
  };
}

function within(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value;
  for (const name of path) at = isJsonObject(at) ? at[name] : undefined;
  return at;
}
