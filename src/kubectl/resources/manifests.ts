import { isJsonObject, type Json, type JsonObject, JsonSyntaxError, parseJson } from '../../meta/index.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { readYaml } from '../yaml/read-yaml.ts';

/** Parses the documents of a text one by one; stops at an invalid one. @throws KubectlError */
export async function* readDocuments(text: string, source: string): AsyncGenerator<Json> {
  if (/^\s*\{/.test(text)) {
    yield* readJsonDocuments(text, source);
    return;
  }
  for (const document of splitDocuments(text, source)) {
    try {
      const value = await readYaml(document);
      if (value !== null) yield value;
    } catch (error) {
      throw new KubectlError(`error parsing ${source}: error converting YAML to JSON: ${messageOf(error)}`);
    }
  }
}

async function* readJsonDocuments(text: string, source: string): AsyncGenerator<Json> {
  try {
    const { value } = parseJson(text);
    yield value;
    return;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (/unexpected end/.test(error.message)) throw new KubectlError(`error parsing ${source}: unexpected EOF`);
    const value = await readYaml(text).catch(() => {
      throw new KubectlError(`error parsing ${source}: ${messageOf(error)}`);
    });
    if (value !== null) yield value;
  }
}

/** Splits at lines that begin with `---`; only a comment may follow on such a line. */
function splitDocuments(text: string, source: string): string[] {
  const documents: string[] = [];
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('---')) {
      lines.push(line);
      continue;
    }
    const rest = line.slice(3).trim();
    if (rest !== '' && !rest.startsWith('#')) throw new KubectlError(`error parsing ${source}: invalid Yaml document separator: ${rest}`);
    documents.push(lines.join('\n'));
    lines = [];
  }
  documents.push(lines.join('\n'));
  return documents.filter((document) => document.trim() !== '');
}

/** The client-side validation error of a document; undefined when the document is valid. */
export function findShapeError(value: Json): string | undefined {
  if (!isJsonObject(value)) return 'invalid object to validate';
  const missing = ['apiVersion', 'kind']
    .filter((name) => typeof value[name] !== 'string' || value[name] === '')
    .map((name) => `${name} not set`);
  if (missing.length === 0) return undefined;
  return missing.length === 1 ? missing[0] : `[${missing.join(', ')}]`;
}

type MetadataType = 'string' | 'map' | 'list';

const metadataTypes: Readonly<Record<string, MetadataType>> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  uid: 'string',
  resourceVersion: 'string',
  labels: 'map',
  annotations: 'map',
  finalizers: 'list',
};

/** The client decodes metadata itself and reports Go's decoding errors. */
export function findMetadataError(object: JsonObject): string | undefined {
  const metadata = object['metadata'];
  if (metadata === undefined || metadata === null) return undefined;
  if (!isJsonObject(metadata)) return `json: cannot unmarshal ${goType(metadata)} into Go struct field .metadata of type v1.ObjectMeta`;
  for (const [name, type] of Object.entries(metadataTypes)) {
    const mismatch = findMismatch(metadata[name] ?? null, type);
    if (mismatch)
      return `json: cannot unmarshal ${goType(mismatch.found)} into Go struct field ObjectMeta.metadata.${name} of type ${mismatch.wanted}`;
  }
  return undefined;
}

/** The first value of another type than Go expects. */
function findMismatch(value: Json, type: MetadataType): { readonly found: Json; readonly wanted: string } | undefined {
  if (value === null) return undefined;
  if (type === 'string') return typeof value === 'string' ? undefined : { found: value, wanted: 'string' };
  if (type === 'map' && !isJsonObject(value)) return { found: value, wanted: 'map[string]string' };
  if (type === 'list' && !Array.isArray(value)) return { found: value, wanted: '[]string' };
  const wrong = Object.values(value).find((one: Json | undefined) => typeof one !== 'string' && one !== null);
  return wrong === undefined ? undefined : { found: wrong as Json, wanted: 'string' };
}

function goType(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
}
