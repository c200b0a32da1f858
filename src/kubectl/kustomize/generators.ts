import {
  bytesToBase64,
  decodeUtf8,
  isJsonObject,
  type JsonObject,
  objectsAt,
  recordAt,
  setMember,
  textAt,
  textsAt,
} from '../../meta/index.ts';
import { contentHash } from '../commands/create/key-sources.ts';
import { compactJson } from '../printers/json.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { within } from './errors.ts';
import { type Behavior, mergedMember, Resource } from './resource.ts';
import type { ResourceSet } from './resource-set.ts';
import { readSourceFile } from './source-files.ts';

/** `configMapGenerator` and `secretGenerator`. @throws KubectlError */
export async function runGenerators(call: Call, root: string, config: JsonObject, set: ResourceSet): Promise<void> {
  const options = recordAt(config, 'generatorOptions');
  for (const kind of ['ConfigMap', 'Secret'] as const) {
    const member = kind === 'ConfigMap' ? 'configMapGenerator' : 'secretGenerator';
    for (const generator of objectsAt(config, member)) {
      const resource = await generate(call, root, { generator, kind, options });
      // The real message has the address of the generator.
      await within('merging from generator &{0xc000000000 <nil>}', async () => set.absorb(resource));
    }
  }
}

interface Generation {
  readonly generator: JsonObject;
  readonly kind: 'ConfigMap' | 'Secret';
  readonly options: JsonObject;
}

const encoder = new TextEncoder();

async function generate(call: Call, root: string, { generator, kind, options }: Generation): Promise<Resource> {
  const [name, namespace] = [textAt(generator, 'name'), textAt(generator, 'namespace')];
  if (name === '') throw new KubectlError('a configmap must have a name');
  const contents = await readContents(call, root, generator);
  const own = recordAt(generator, 'options');
  const isSet = (option: string): boolean => own[option] === true || options[option] === true;
  const [labels, annotations] = ['labels', 'annotations'].map((member) => mergedMember(own, options, member));
  const object = {
    apiVersion: 'v1',
    ...encodeContents(kind, contents),
    kind,
    metadata: { name, ...(namespace === '' ? {} : { namespace }), ...(labels && { labels }), ...(annotations && { annotations }) },
    ...(kind === 'Secret' ? { type: textAt(generator, 'type') || 'Opaque' } : {}),
    ...(isSet('immutable') ? { immutable: true } : {}),
  };
  return new Resource(object, { behavior: behaviorOf(generator), needsHash: !isSet('disableNameSuffixHash') });
}

function behaviorOf(generator: JsonObject): Behavior {
  const behavior = textAt(generator, 'behavior');
  return behavior === 'merge' || behavior === 'replace' ? behavior : 'create';
}

/** Content that is no UTF-8 is binary data of a ConfigMap. */
function encodeContents(kind: Generation['kind'], contents: ReadonlyMap<string, Uint8Array>): JsonObject {
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

/** The hash that is appended to the name of a generated object. Cf. kustomize hasher. */
export async function hashOf({ object }: Resource): Promise<string> {
  const { kind, type, data, binaryData } = object;
  const parts = kind === 'Secret' ? { type } : isJsonObject(binaryData) ? { binaryData } : {};
  return contentHash(compactJson({ kind, name: '', data: data ?? '', ...parts }));
}

/** The contents by key. @throws KubectlError */
async function readContents(call: Call, root: string, generator: JsonObject): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = textsAt(generator, 'files');
  const literals = textsAt(generator, 'literals');
  const envs = [...textsAt(generator, 'envs'), ...(textAt(generator, 'env') === '' ? [] : [textAt(generator, 'env')])];
  const pairs = [
    ...(await within(`loading KV pairs: env source files: [${envs.join(' ')}]`, () => readEnvironments(call, root, envs))),
    ...(await within(`loading KV pairs: literal sources [${literals.join(' ')}]`, async () => literals.map(parseLiteral))),
    ...(await within(`loading KV pairs: file sources: [${files.join(' ')}]`, () => readFiles(call, root, files))),
  ];
  const found = new Map<string, Uint8Array>();
  for (const [key, content] of pairs) {
    if (found.has(key)) throw new KubectlError(`configmap ${textAt(generator, 'name')} illegally repeats the key \`${key}\``);
    found.set(key, content);
  }
  return found;
}

type Pair = readonly [key: string, content: Uint8Array];

async function readEnvironments(call: Call, root: string, files: readonly string[]): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (const file of files) {
    const text = new TextDecoder().decode(await readSourceFile(call, root, file));
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

async function readFiles(call: Call, root: string, sources: readonly string[]): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (const source of sources) {
    const { key, file } = parseFileSource(source);
    pairs.push([key, await readSourceFile(call, root, file)]);
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
