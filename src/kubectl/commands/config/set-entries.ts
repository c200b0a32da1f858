import { bytesToBase64, type Json, type JsonObject, textAt } from '../../../meta/index.ts';
import { entryOf, setEntry } from '../../kubeconfig/access.ts';
import { array, bool, list, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { unexpectedArgsError } from './unexpected-args.ts';

/** Merges the values of the given flags; an empty value deletes a member. */
function mergeFlagValues(call: Call, before: JsonObject, flags: readonly string[]): Record<string, Json | undefined> {
  const body: Record<string, Json | undefined> = { ...before };
  for (const flag of flags) {
    if (!call.flags.changed(flag)) continue;
    const value = call.flags.text(flag);
    if (value === '') delete body[flag];
    else if (flag === 'insecure-skip-tls-verify') body[flag] = call.flags.bool(flag);
    else body[flag] = fileFlags.has(flag) ? toConfigPath(call, value) : value;
  }
  return body;
}

const fileFlags: ReadonlySet<string> = new Set(['certificate-authority', 'client-certificate', 'client-key']);

/** A path as kubectl writes it: relative to the kubeconfig's folder when it is below, otherwise absolute. */
function toConfigPath(call: Call, typed: string): string {
  const path = call.path(typed);
  const folder = call.path(call.config.file).replace(/[^/]*$/, '');
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

/** Replaces a file name by the file's content (`--embed-certs`). */
async function embedFile(call: Call, body: Record<string, Json | undefined>, flag: string): Promise<void> {
  const path = call.flags.text(flag);
  if (path === '' || !call.flags.bool('embed-certs')) return;
  const content = await call.shell.files.read(call.path(path));
  if (!content) throw new KubectlError(`could not stat ${flag} file ${path}: stat ${path}: no such file or directory`);
  delete body[flag];
  body[`${flag}-data`] = bytesToBase64(content);
}

export const setCluster: Command = {
  flags: {
    'certificate-authority': text(),
    'embed-certs': bool(),
    'insecure-skip-tls-verify': bool(),
    'proxy-url': text(),
    server: text(),
    'tls-server-name': text(),
  },
  async run(call) {
    const [name] = call.words;
    if (name === undefined || call.words.length !== 1) throw await unexpectedArgsError(call);
    if (call.flags.bool('embed-certs') && call.flags.text('certificate-authority') === '')
      throw new KubectlError('you must specify a --certificate-authority to embed');
    const config = await call.config.load();
    const body = mergeFlagValues(call, entryOf(config, 'clusters', name) ?? {}, [
      'server',
      'tls-server-name',
      'insecure-skip-tls-verify',
      'certificate-authority',
      'proxy-url',
    ]);
    await embedFile(call, body, 'certificate-authority');
    await call.config.save(setEntry(config, 'clusters', name, body));
    call.out(`Cluster ${JSON.stringify(name)} set.\n`);
    return 0;
  },
};

export const setContext: Command = {
  flags: { cluster: text(), current: bool(), namespace: text(), user: text() },
  async run(call) {
    const { flags, words } = call;
    if (words.length > 1) throw await unexpectedArgsError(call);
    const config = await call.config.load();
    const current = flags.bool('current');
    const name = current ? textAt(config, 'current-context') : words[0];
    if (current && words.length > 0) throw new KubectlError('you cannot specify both a context name and --current');
    if (current && name === '') throw new KubectlError('no current context is set');
    if (name === undefined || name === '') throw new KubectlError('you must specify a non-empty context name or --current');
    const before = entryOf(config, 'contexts', name);
    const body = mergeFlagValues(call, before ?? { cluster: '', user: '' }, ['cluster', 'user', 'namespace']);
    await call.config.save(setEntry(config, 'contexts', name, { cluster: '', user: '', ...body }));
    call.out(`Context ${JSON.stringify(name)} ${before ? 'modified' : 'created'}.\n`);
    return 0;
  },
};

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
    if (name === undefined || call.words.length !== 1) throw await unexpectedArgsError(call);
    const { flags } = call;
    const mode = flags.text('exec-interactive-mode');
    if (mode !== '' && !['IfAvailable', 'Never', 'Always'].includes(mode))
      throw new KubectlError('invalid interactive mode type, can be only IfAvailable, Never, Always');
    if (flags.changed('token') && (flags.changed('username') || flags.changed('password'))) {
      throw new KubectlError('you cannot specify more than one authentication method at the same time: --token, --username/--password');
    }
    const config = await call.config.load();
    const body = mergeFlagValues(call, entryOf(config, 'users', name) ?? {}, [
      'client-certificate',
      'client-key',
      'token',
      'username',
      'password',
    ]);
    await embedFile(call, body, 'client-certificate');
    await embedFile(call, body, 'client-key');
    if (flags.changed('token')) for (const other of ['username', 'password']) delete body[other];
    if (flags.changed('username')) delete body['token'];
    await call.config.save(setEntry(config, 'users', name, body));
    call.out(`User ${JSON.stringify(name)} set.\n`);
    return 0;
  },
};
