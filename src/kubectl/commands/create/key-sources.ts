import { bytesToHex, decodeUtf8, isConfigMapKey } from '../../../meta/index.ts';
import { baseName } from '../../../shell/index.ts';
import { array, type FlagSpecs, list } from '../../parse/flags.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';

export const sourceFlags: FlagSpecs = {
  'from-env-file': list(),
  'from-file': list(),
  'from-literal': array(),
};

/** Reads keys and contents from literals, files, directories and env files. @throws KubectlError */
export async function readKeySources(call: Call, name: string, kind: 'ConfigMap' | 'Secret'): Promise<ReadonlyMap<string, Uint8Array>> {
  const { flags } = call;
  if (flags.list('from-env-file').length > 0 && flags.list('from-file').length + flags.list('from-literal').length > 0) {
    throw new KubectlError('from-env-file cannot be combined with from-file or from-literal');
  }
  const found = new Map<string, Uint8Array>();
  const add = (key: string, content: Uint8Array): void => addKey(found, key, content, { name, kind });
  for (const source of flags.list('from-file')) await readFileSource(call, source, add);
  for (const source of flags.list('from-literal')) {
    const cut = source.indexOf('=');
    if (cut <= 0) throw new KubectlError(`invalid literal source ${source}, expected key=value`);
    add(source.slice(0, cut), new TextEncoder().encode(source.slice(cut + 1)));
  }
  for (const source of flags.list('from-env-file')) await readEnvironmentFile(call, source, kind, add);
  return found;
}

type Add = (key: string, content: Uint8Array) => void;

interface KeyOwner {
  readonly name: string;
  readonly kind: 'ConfigMap' | 'Secret';
}

/** The messages differ by kind. @throws KubectlError */
function addKey(found: Map<string, Uint8Array>, key: string, content: Uint8Array, { name, kind }: KeyOwner): void {
  const quoted = JSON.stringify(key);
  const problems = isConfigMapKey(key);
  if (problems.length > 0) {
    const invalid = kind === 'Secret' ? 'is not valid key name for a Secret ' : 'is not a valid key name for a ConfigMap: ';
    throw new KubectlError(`${quoted} ${invalid}${problems.join(kind === 'Secret' ? ';' : ',')}`);
  }
  if (found.has(key)) {
    const text = kind === 'Secret' ? key : quoted;
    const where = kind === 'Secret' ? '' : ` in Data for ConfigMap ${JSON.stringify(name)}`;
    throw new KubectlError(`cannot add key ${text}, another key by that name already exists${where}`);
  }
  found.set(key, content);
}

/** Reads the sources of `--from-file` of a Secret, `key=path` or `path`. @throws KubectlError */
export async function readSecretFiles(call: Call, name: string, sources: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const source of sources) await readFileSource(call, source, (key, content) => addKey(found, key, content, { name, kind: 'Secret' }));
  return found;
}

async function readFileSource(call: Call, source: string, add: Add): Promise<void> {
  const parts = source.split('=');
  if (parts.length > 2) throw new KubectlError("key names or file paths cannot contain '='");
  const [first = '', second] = parts;
  if (second !== undefined && (first === '' || second === '')) {
    throw new KubectlError(first === '' ? `key name for file path ${second} missing` : `file path for key name ${first} missing`);
  }
  const path = second ?? first;
  const { files } = call.shell;
  const kind = await files.kind(call.path(path));
  if (!kind) throw new KubectlError(`error reading ${path}: no such file or directory`);
  if (kind === 'directory') {
    if (second !== undefined) throw new KubectlError('cannot give a key name for a directory path');
    for (const name of await files.list(call.path(path))) {
      const content = await files.read(call.path(`${path}/${name}`));
      if (content) add(name, content);
    }
    return;
  }
  add(second === undefined ? baseName(path) : first, (await files.read(call.path(path))) ?? new Uint8Array());
}

function* linesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(10, start);
    const line = content.subarray(start, end < 0 ? undefined : end);
    yield line;
    start += line.length + 1;
  }
}

async function readEnvironmentFile(call: Call, path: string, kind: KeyOwner['kind'], add: Add): Promise<void> {
  const { files } = call.shell;
  if ((await files.kind(call.path(path))) === 'directory')
    throw new KubectlError(`env ${kind === 'Secret' ? 'secret' : 'config'} file cannot be a directory`);
  const content = await files.read(call.path(path));
  if (!content) throw new KubectlError(`error reading ${path}: no such file or directory`);
  for (const [index, bytes] of [...linesOf(content)].entries()) {
    const raw = decodeUtf8(bytes);
    if (raw === undefined)
      throw new KubectlError(`env file ${path} contains invalid utf8 bytes at line ${index + 1}: [${bytes.join(' ')}]`);
    const line = raw.trimStart().replace(/\r$/, '');
    if (line === '' || line.startsWith('#')) continue;
    const [key = '', value] = line.split(/=([\s\S]*)/, 2);
    if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(key)) {
      throw new KubectlError(
        `${JSON.stringify(key)} is not a valid key name: a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')`,
      );
    }
    add(key, new TextEncoder().encode(value ?? call.environment.get(key) ?? ''));
  }
}

/** The suffix of --append-hash: ten characters without vowels. Cf. kubectl util/hash. */
export async function contentHash(value: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value));
  const hex = bytesToHex(new Uint8Array(digest));
  const letters: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };
  return [...hex.slice(0, 10)].map((digit) => letters[digit] ?? digit).join('');
}
