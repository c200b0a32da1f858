import type { JsonObject } from '../../../meta/index.ts';
import { bool, text } from '../../parse/flags.ts';
import { indentedJson } from '../../printers/json.ts';
import { clientVersion } from '../../program/client-version.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { printYaml } from '../../yaml/printer.ts';

const kustomizeVersion = 'v5.7.1';

const client: JsonObject = {
  major: '1',
  minor: '34',
  gitVersion: clientVersion,
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: 'linux/amd64',
};

export const version: Command = {
  flags: { client: bool(), output: text('', 'o') },
  run: runVersion,
};

async function runVersion(call: Call): Promise<number> {
  const { flags, words, out } = call;
  if (!flags.bool('client')) await call.cluster();
  // The client alone takes no notice of arguments.
  if (words.length > 0 && !flags.bool('client')) throw new KubectlError(`extra arguments: [${words.join(' ')}]`);
  const output = flags.text('output');
  if (output !== '' && output !== 'json' && output !== 'yaml') throw new KubectlError("--output must be 'yaml' or 'json'");
  let server: JsonObject | undefined;
  let failure: unknown;
  if (!flags.bool('client')) {
    try {
      server = await (await call.api()).read('GET', '/version', { query: { timeout: '32s' } });
    } catch (error) {
      failure = error;
    }
  }
  if (output === '') {
    out(`Client Version: ${clientVersion}\nKustomize Version: ${kustomizeVersion}\n`);
    if (server) out(`Server Version: ${String(server['gitVersion'])}\n`);
  } else {
    const versions = { clientVersion: client, kustomizeVersion, ...(server ? { serverVersion: server } : {}) };
    out(output === 'json' ? `${indentedJson(versions, '  ')}\n` : `${printYaml(versions)}\n`);
  }
  if (failure !== undefined) throw failure;
  return 0;
}
