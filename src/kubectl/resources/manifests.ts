import { isJsonObject, type Json, JsonSyntaxError, parseJson, sortMembers } from '../../meta/index.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { readYaml } from '../yaml/read-yaml.ts';

/** Parses the documents of a text one by one; stops at an invalid one. `words`: what `yes` and the like are in YAML, by default booleans. @throws KubectlError */
export async function* readDocuments(text: string, source: string, words?: 'strings'): AsyncGenerator<Json> {
  if (/^\s*\{/.test(text)) {
    yield* readJsonDocuments(text, source);
    return;
  }
  for (const document of splitDocuments(text, source)) {
    try {
      const value = await readYaml(document, words);
      // kubectl decodes YAML into maps, which it encodes with sorted keys.
      if (value !== null) yield sortMembers(value) as Json;
    } catch (error) {
      throw new KubectlError(`error parsing ${source}: error converting YAML to JSON: ${messageOf(error)}`);
    }
  }
}

async function* readJsonDocuments(text: string, source: string): AsyncGenerator<Json> {
  const end = endOfObject(text);
  const rest = text.slice(end).trimStart();
  if (rest.startsWith('{') || rest.startsWith('---')) {
    yield* readJsonDocuments(text.slice(0, end), source);
    yield* readDocuments(rest, source);
    return;
  }
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

/** Where the first JSON object of a text ends. */
function endOfObject(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth++;
    else if (token === '}' && --depth === 0) return index + 1;
  }
  return text.length;
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

/** The client-side validation errors of any document. */
export function findShapeErrors(value: Json): readonly string[] {
  if (!isJsonObject(value)) return ['invalid object to validate'];
  return ['apiVersion', 'kind'].filter((name) => typeof value[name] !== 'string' || value[name] === '').map((name) => `${name} not set`);
}

const textMembers: readonly string[] = ['name', 'generateName', 'namespace'];
const mapMembers: readonly string[] = ['labels', 'annotations'];

/** Whether metadata has nothing but names, labels and annotations, of their types. */
export function isPlainMetadata(metadata: Json): boolean {
  const isText = (value: Json | undefined): boolean => typeof value === 'string';
  return (
    metadata === null ||
    (isJsonObject(metadata) &&
      Object.entries(metadata).every(
        ([name, value]) =>
          (textMembers.includes(name) && isText(value)) ||
          (mapMembers.includes(name) && isJsonObject(value) && Object.values(value).every(isText)),
      ))
  );
}
