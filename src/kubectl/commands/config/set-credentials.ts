import { type Json, type JsonObject, objectsAt, recordAt, textAt } from '../../../meta/index.ts';
import { entryOf, setEntry } from '../../kubeconfig/entries.ts';
import { array, bool, list, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { embeddedFile, requireFile } from './embedded-file.ts';
import { helpError } from './help-error.ts';
import { type Pairs, parsePairs } from './pairs.ts';
import { givenTexts } from './set-entries.ts';

type Members = Readonly<Record<string, Json | undefined>>;

const certificateFlags = ['client-certificate', 'client-key'] as const;

export const setCredentials: Command = {
  flags: {
    'auth-provider': text(),
    'auth-provider-arg': list(),
    'client-certificate': text(),
    'client-key': text(),
    'embed-certs': bool(),
    'exec-api-version': text(),
    'exec-arg': list(),
    'exec-command': text(),
    'exec-env': array(),
    'exec-interactive-mode': text(),
    'exec-provide-cluster-info': bool(),
    password: text(),
    token: text(),
    username: text(),
  },
  async run(call) {
    const [name] = call.words;
    if (name === undefined || call.words.length !== 1) throw await helpError(call, `unexpected args: [${call.words.join(' ')}]`);
    const settings = await readPairs(call, 'auth-provider-arg');
    const variables = await readPairs(call, 'exec-env');
    if (name === '') throw new KubectlError('you must specify a non-empty user name');
    await checkFlags(call);
    const config = await call.config.load();
    const before = entryOf(config, 'users', name) ?? {};
    const body = {
      ...before,
      ...(await changedCertificates(call)),
      ...givenTexts(call, ['token', 'username', 'password']),
      ...otherCredentials(call),
      'auth-provider': changedProvider(call, before, settings),
      exec: changedPlugin(call, before, variables),
    };
    await call.config.save(setEntry(config, 'users', name, body), 'relative');
    call.out(`User ${JSON.stringify(name)} set.\n`);
    return 0;
  },
};

/** @throws KubectlError after the help */
async function readPairs(call: Call, flag: string): Promise<Pairs> {
  try {
    return parsePairs(call.flags.list(flag), flag);
  } catch (error) {
    throw error instanceof KubectlError ? await helpError(call, error.message) : error;
  }
}

/** @throws KubectlError */
async function checkFlags(call: Call): Promise<void> {
  const { flags } = call;
  const given = (name: string): boolean => flags.text(name) !== '';
  if (given('token') && (given('username') || given('password')))
    throw new KubectlError('you cannot specify more than one authentication method at the same time: --token, --username/--password');
  if (flags.bool('embed-certs')) {
    if (!certificateFlags.some(given)) throw new KubectlError('you must specify a --client-certificate or --client-key to embed');
    for (const flag of certificateFlags) await requireFile(call, flag);
  }
  if (flags.changed('exec-interactive-mode') && !['IfAvailable', 'Never', 'Always'].includes(flags.text('exec-interactive-mode')))
    throw new KubectlError('invalid interactive mode type, can be only IfAvailable, Never, Always');
}

async function changedCertificates(call: Call): Promise<JsonObject> {
  const changed = await Promise.all(certificateFlags.filter((flag) => call.flags.changed(flag)).map((flag) => embeddedFile(call, flag)));
  return Object.assign({}, ...changed);
}

/** A token replaces a name with a password, and the other way round. */
function otherCredentials({ flags }: Call): JsonObject {
  if (flags.text('token') !== '') return { username: '', password: '' };
  return flags.text('username') !== '' || flags.text('password') !== '' ? { token: '' } : {};
}

function changedProvider({ flags }: Call, user: JsonObject, { set, removed }: Pairs): JsonObject | undefined {
  const before = user['auth-provider'] as JsonObject | undefined;
  const isOther = flags.changed('auth-provider') && flags.text('auth-provider') !== textAt(before ?? {}, 'name');
  const provider = isOther || (flags.changed('auth-provider') && !before) ? { name: flags.text('auth-provider') } : before;
  if (!provider) return undefined;
  const settings = Object.entries(recordAt(provider, 'config')).filter(([name]) => !removed.includes(name));
  return { ...provider, config: Object.fromEntries([...settings, ...set]) };
}

/** Other flags than the command change an existing plugin only. */
function changedPlugin(call: Call, user: JsonObject, variables: Pairs): JsonObject | undefined {
  const { flags } = call;
  const before = user['exec'] as JsonObject | undefined;
  const command = flags.changed('exec-command') ? { command: flags.text('exec-command'), args: null } : {};
  if (!before && !flags.changed('exec-command')) return undefined;
  const renamed: Members = {
    ...(flags.changed('exec-api-version') ? { apiVersion: flags.text('exec-api-version') } : {}),
    ...(flags.list('exec-arg').length > 0 ? { args: flags.list('exec-arg') } : {}),
    ...(flags.changed('exec-interactive-mode') ? { interactiveMode: flags.text('exec-interactive-mode') } : {}),
    ...(flags.changed('exec-provide-cluster-info') ? { provideClusterInfo: flags.bool('exec-provide-cluster-info') } : {}),
    ...(flags.list('exec-env').length > 0 ? { env: changedVariables(before ?? {}, variables) } : {}),
  };
  return { ...before, ...command, ...renamed };
}

function changedVariables(plugin: JsonObject, { set, removed }: Pairs): readonly JsonObject[] {
  const remaining = objectsAt(plugin, 'env').filter((one) => !removed.includes(textAt(one, 'name')));
  const added = [...set].filter(([name]) => !remaining.some((one) => one['name'] === name));
  return [
    ...remaining.map((one) => ({ ...one, value: set.get(textAt(one, 'name')) ?? textAt(one, 'value') })),
    ...added.map(([name, value]) => ({ name, value })),
  ];
}
