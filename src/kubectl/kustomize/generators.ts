import { bytesToBase64, decodeUtf8, type JsonObject, objectsAt, recordAt, setMember } from '../../meta/index.ts';
import { contentHash } from '../commands/create/key-sources.ts';
import { compactJson } from '../printers/json.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';

/** Placeholder for the hash of a generated object until names are final. */
export const hashPlaceholder: string = '$nameHash';

/** Generates ConfigMaps and Secrets from literals and files, with names that end in a content hash. */
export async function generateObjects(call: Call, path: string, config: JsonObject): Promise<JsonObject[]> {
  const options = recordAt(config, 'generatorOptions');
  const found: JsonObject[] = [];
  for (const [member, kind] of [
    ['configMapGenerator', 'ConfigMap'],
    ['secretGenerator', 'Secret'],
  ] as const) {
    for (const generator of objectsAt(config, member)) found.push(await generate(call, path, { generator, kind, options }));
  }
  return found;
}

interface Generation {
  readonly generator: JsonObject;
  readonly kind: 'ConfigMap' | 'Secret';
  readonly options: JsonObject;
}

async function generate(call: Call, path: string, { generator, kind, options }: Generation): Promise<JsonObject> {
  const name = String(generator['name'] ?? '');
  const contents = await readContents(call, path, generator);
  const data: Record<string, string> = {};
  const binaryData: Record<string, string> = {};
  for (const [key, content] of contents) {
    const text = kind === 'Secret' ? undefined : decodeUtf8(content);
    if (text !== undefined) setMember(data, key, text);
    else if (kind === 'Secret') setMember(data, key, bytesToBase64(content));
    else setMember(binaryData, key, bytesToBase64(content));
  }
  const type = kind === 'Secret' ? { type: String(generator['type'] ?? 'Opaque') } : {};
  const own = recordAt(generator, 'options');
  const all = { ...options, ...own };
  const parts = {
    ...(Object.keys(data).length > 0 ? { data } : {}),
    ...(Object.keys(binaryData).length > 0 ? { binaryData } : {}),
    ...type,
  };
  const hashed = all['disableNameSuffixHash'] === true ? '' : `-${await contentHash(compactJson({ kind, name: '', data: {}, ...parts }))}`;
  const metadata = {
    name,
    ...(generator['namespace'] === undefined ? {} : { namespace: generator['namespace'] }),
    ...(all['labels'] === undefined ? {} : { labels: all['labels'] }),
    ...(all['annotations'] === undefined ? {} : { annotations: all['annotations'] }),
  };
  return { apiVersion: 'v1', ...parts, kind, metadata, ...(hashed === '' ? {} : { [hashPlaceholder]: hashed }) };
}

async function readContents(call: Call, path: string, generator: JsonObject): Promise<Map<string, Uint8Array>> {
  const texts = (name: string): readonly string[] => (Array.isArray(generator[name]) ? generator[name].map(String) : []);
  const found = new Map<string, Uint8Array>();
  const read = async (file: string): Promise<Uint8Array> => {
    const content = await call.shell.files.read(`${path}/${file}`);
    if (!content)
      throw new KubectlError(
        `loading KV pairs: file sources: [${texts('files').join(' ')}]: evalsymlink failure on '${path}/${file}' : lstat ${path}/${file}: no such file or directory`,
      );
    return content;
  };
  for (const source of texts('files')) {
    const [key = '', file] = source.split('=');
    found.set(file === undefined ? (key.split('/').at(-1) ?? key) : key, await read(file ?? key));
  }
  for (const literal of texts('literals')) {
    const cut = literal.indexOf('=');
    found.set(literal.slice(0, cut), new TextEncoder().encode(literal.slice(cut + 1).replace(/^(['"])([\s\S]*)\1$/, '$2')));
  }
  for (const file of [...texts('envs'), ...(typeof generator['env'] === 'string' ? [generator['env']] : [])]) {
    for (const line of new TextDecoder().decode(await read(file)).split('\n')) {
      const pair = /^\s*([^#=\s][^=]*)=(.*)$/.exec(line);
      if (pair) found.set(pair[1] ?? '', new TextEncoder().encode(pair[2] ?? ''));
    }
  }
  return found;
}
