import { bytesToBase64, decodeUtf8, isJsonObject, type JsonObject, recordAt, setMember, textAt, textsAt } from '../../meta/index.ts';
import { contentHash } from '../commands/create/key-sources.ts';
import { compactJson } from '../printers/json.ts';
import { KubectlError } from '../program/errors.ts';
import { within } from './errors.ts';
import type { Configure, Generate } from './plugin.ts';
import { type Behavior, Resource } from './resource.ts';
import type { ResourceSet } from './resource-set.ts';
import { readSourceFile, readSourceText, type SourceFolder } from './source-files.ts';

/** Makes a ConfigMap or Secret of files, literals and files of variables. */
export function configureGenerator(kind: 'ConfigMap' | 'Secret'): Configure<Generate> {
  return (folder, config) => async () => [await generate(folder, config, kind)];
}

const encoder = new TextEncoder();

async function generate(folder: SourceFolder, config: JsonObject, kind: 'ConfigMap' | 'Secret'): Promise<Resource> {
  const metadata = recordAt(config, 'metadata');
  const [name, namespace] = ['name', 'namespace'].map((member) => textAt(config, member) || textAt(metadata, member));
  if (!name) throw new KubectlError('a configmap must have a name');
  const contents = await readContents(folder, config, name);
  const options = recordAt(config, 'options');
  const object = {
    apiVersion: 'v1',
    ...encodeContents(kind, contents),
    kind,
    metadata: { name, ...(namespace && { namespace }), ...textsOption(options, 'labels'), ...textsOption(options, 'annotations') },
    ...(kind === 'Secret' ? { type: textAt(config, 'type') || 'Opaque' } : {}),
    ...(options['immutable'] === true ? { immutable: true } : {}),
  };
  return new Resource(object, { behavior: behaviorOf(config), needsHash: options['disableNameSuffixHash'] !== true });
}

function textsOption(options: JsonObject, member: string): JsonObject {
  const texts = recordAt(options, member);
  return Object.keys(texts).length > 0 ? { [member]: texts } : {};
}

function behaviorOf(generator: JsonObject): Behavior {
  const behavior = textAt(generator, 'behavior');
  return behavior === 'merge' || behavior === 'replace' ? behavior : 'create';
}

/** Content that is no UTF-8 is binary data of a ConfigMap. */
function encodeContents(kind: 'ConfigMap' | 'Secret', contents: ReadonlyMap<string, Uint8Array>): JsonObject {
  const [data, binaryData]: readonly Record<string, string>[] = [{}, {}];
  for (const [key, content] of contents) {
    const text = kind === 'Secret' ? undefined : decodeUtf8(content);
    if (text !== undefined) setMember(data ?? {}, key, text);
    else setMember((kind === 'Secret' ? data : binaryData) ?? {}, key, wrappedBase64(content));
  }
  return {
    ...(kind === 'Secret' || Object.keys(data ?? {}).length > 0 ? { data } : {}),
    ...(Object.keys(binaryData ?? {}).length > 0 ? { binaryData } : {}),
  } as JsonObject;
}

const base64LineLength = 70;

/** Longer values than a line end each line with a break. */
function wrappedBase64(content: Uint8Array): string {
  const text = bytesToBase64(content);
  return text.length < base64LineLength ? text : text.replace(/.{1,70}/g, '$&\n');
}

/** Appends hashes of their content to the names of generated objects. */
export async function appendHashes({ resources }: ResourceSet): Promise<void> {
  for (const resource of resources.filter(({ needsHash }) => needsHash)) {
    const hash = await hashOf(resource);
    resource.storePreviousId();
    resource.rename(`${resource.id.name}-${hash}`);
  }
}

/** Cf. kustomize hasher. */
async function hashOf({ object }: Resource): Promise<string> {
  const { kind, type, data, binaryData } = object;
  const parts = kind === 'Secret' ? { type } : isJsonObject(binaryData) ? { binaryData } : {};
  return contentHash(compactJson({ kind, name: '', data: data ?? '', ...parts }));
}

/** The contents by key. @throws KubectlError */
async function readContents(folder: SourceFolder, generator: JsonObject, name: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = textsAt(generator, 'files');
  const literals = textsAt(generator, 'literals');
  const envs = [...textsAt(generator, 'envs'), ...(textAt(generator, 'env') === '' ? [] : [textAt(generator, 'env')])];
  const pairs = [
    ...(await within(`loading KV pairs: env source files: [${envs.join(' ')}]`, () => readEnvironments(folder, envs))),
    ...(await within(`loading KV pairs: literal sources [${literals.join(' ')}]`, async () => literals.map(parseLiteral))),
    ...(await within(`loading KV pairs: file sources: [${files.join(' ')}]`, () => readFiles(folder, files))),
  ];
  const found = new Map<string, Uint8Array>();
  for (const [key, content] of pairs) {
    if (found.has(key)) throw new KubectlError(`configmap ${name} illegally repeats the key \`${key}\``);
    found.set(key, content);
  }
  return found;
}

type Pair = readonly [key: string, content: Uint8Array];

async function readEnvironments(folder: SourceFolder, files: readonly string[]): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (const file of files) {
    const text = await readSourceText(folder, file);
    for (const line of text.split(/\r?\n/).map((one) => one.trimStart())) {
      if (line === '' || line.startsWith('#')) continue;
      const [key = '', ...value] = line.split('=');
      pairs.push([key, encoder.encode(value.join('='))]);
    }
  }
  return pairs;
}

function parseLiteral(literal: string): Pair {
  const cut = literal.indexOf('=');
  if (cut < 1) throw new KubectlError(`invalid literal source ${literal}, expected key=value`);
  return [literal.slice(0, cut), encoder.encode(literal.slice(cut + 1).replace(/^(['"])([\s\S]*)\1$/, '$2'))];
}

async function readFiles(folder: SourceFolder, sources: readonly string[]): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (const source of sources) {
    const { key, file } = parseFileSource(source);
    pairs.push([key, await readSourceFile(folder, file)]);
  }
  return pairs;
}

/** `path`, or `key=path`. @throws KubectlError */
function parseFileSource(source: string): { readonly key: string; readonly file: string } {
  const [key = '', file, ...more] = source.split('=');
  if (file === undefined) return { key: source.split('/').at(-1) ?? source, file: source };
  if (more.length > 0) throw new KubectlError(`source ${JSON.stringify(source)} key name or file path contains '='`);
  if (key === '') throw new KubectlError(`missing key name for file path ${JSON.stringify(file)} in source ${JSON.stringify(source)}`);
  if (file === '') throw new KubectlError(`missing file path for key name ${JSON.stringify(key)} in source ${JSON.stringify(source)}`);
  return { key, file };
}
