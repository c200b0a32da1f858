import type { Json, JsonObject } from '../../../meta/index.ts';
import { textAt } from '../../../meta/index.ts';
import { entryOf, setEntry } from '../../kubeconfig/entries.ts';
import { bool, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { embeddedFile, requireFile } from './embedded-file.ts';
import { unexpectedArgsError } from './help-error.ts';

/** The values of the flags that were given. */
export function givenTexts({ flags }: Call, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => flags.changed(name)).map((name) => [name, flags.text(name)]));
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
    const { flags, words } = call;
    const [name] = words;
    if (name === undefined || words.length !== 1) throw await unexpectedArgsError(call);
    if (name === '') throw new KubectlError('you must specify a non-empty cluster name');
    const authority = flags.text('certificate-authority');
    if (flags.bool('insecure-skip-tls-verify') && authority !== '')
      throw new KubectlError('you cannot specify a certificate authority and insecure mode at the same time');
    if (flags.bool('embed-certs')) {
      if (authority === '') throw new KubectlError('you must specify a --certificate-authority to embed');
      await requireFile(call, 'certificate-authority');
    }
    const config = await call.config.load();
    const body = await changedCluster(call, entryOf(config, 'clusters', name) ?? {});
    await call.config.save(setEntry(config, 'clusters', name, body), 'relative');
    call.out(`Cluster ${JSON.stringify(name)} set.\n`);
    return 0;
  },
};

const noAuthority: JsonObject = { 'certificate-authority': '', 'certificate-authority-data': '' };

/** A new server needs another server name for TLS; insecure mode and authorities exclude each other. */
async function changedCluster(call: Call, before: JsonObject): Promise<JsonObject> {
  const { flags } = call;
  const insecure = flags.bool('insecure-skip-tls-verify');
  return {
    ...before,
    ...(flags.changed('server') ? { server: flags.text('server'), 'tls-server-name': '' } : {}),
    ...givenTexts(call, ['tls-server-name', 'proxy-url']),
    ...(flags.changed('insecure-skip-tls-verify') ? { 'insecure-skip-tls-verify': insecure, ...(insecure ? noAuthority : {}) } : {}),
    ...(flags.changed('certificate-authority')
      ? { 'insecure-skip-tls-verify': false, ...(await embeddedFile(call, 'certificate-authority')) }
      : {}),
  };
}

export const setContext: Command = {
  flags: { cluster: text(), current: bool(), namespace: text(), user: text() },
  async run(call) {
    const { flags, words } = call;
    if (words.length > 1) throw await unexpectedArgsError(call);
    const [given = ''] = words;
    const current = flags.bool('current');
    if (given === '' && !current) throw new KubectlError('you must specify a non-empty context name or --current');
    if (given !== '' && current) throw new KubectlError('you cannot specify both a context name and --current');
    const config = await call.config.load();
    const name = current ? textAt(config, 'current-context') : given;
    if (name === '') throw new KubectlError('no current context is set');
    const before = entryOf(config, 'contexts', name);
    const body: Readonly<Record<string, Json | undefined>> = { ...before, ...givenTexts(call, ['cluster', 'user', 'namespace']) };
    await call.config.save(setEntry(config, 'contexts', name, body), 'relative');
    call.out(`Context ${JSON.stringify(name)} ${before ? 'modified' : 'created'}.\n`);
    return 0;
  },
};
