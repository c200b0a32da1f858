import { type ApiResource, discoverResources, formatGroupVersion } from '../../kubectl/index.ts';
import type { Json } from '../../meta/index.ts';
import { resolvePath } from '../../shell/index.ts';
import { createClient } from '../explore/api.ts';
import { findNearest } from '../explore/editor/nearest.ts';
import { type FieldSchema, type KindSchema, SchemaSource } from '../explore/editor/schema-source.ts';
import type { ConsoleModel } from '../model/console-model.ts';

/** A suggested correction of a mistyped command. */
export interface Suggestion {
  /** The corrected words. */
  readonly words: string;
  /** The corrected line, or a line that corrects the file that it names. */
  readonly line: string;
}

/** A word and its correction. */
type Correction = readonly [wrong: string, right: string];

/** Derives corrections from kubectl's error message. */
export async function suggestCorrections(model: ConsoleModel, line: string, output: string): Promise<readonly Suggestion[]> {
  const command = /unknown command "(\S+)" for "kubectl"\n\nDid you mean this\?\n((?:\t\S+\n)+)/.exec(output);
  if (command !== null) {
    const [, wrong = '', names = ''] = command;
    return names.split(/\s+/).flatMap((right) => (right === '' ? [] : applyCorrections(line, [[wrong, right]])));
  }
  return applyCorrections(line, await findCorrections(model, line, output));
}

async function findCorrections(model: ConsoleModel, line: string, output: string): Promise<readonly Correction[]> {
  const type = /doesn't have a resource type "([^"]+)"/.exec(output)?.[1];
  if (type !== undefined)
    return nearestCorrection(
      type,
      (await discoverTypes(model)).flatMap(({ name, singular }) => [name, singular]),
    );
  const kind = /no matches for kind "([^"]+)" in version "([^"]+)"/.exec(output);
  if (kind !== null) {
    const ofVersion = (await discoverTypes(model)).filter((one) => formatGroupVersion(one) === kind[2]);
    return nearestCorrection(
      kind[1] ?? '',
      ofVersion.map((one) => one.kind),
    );
  }
  if (output.includes('strict decoding error: unknown field')) return findFieldCorrections(model, output);
  if (!output.includes('resource name may not be empty')) return [];
  const keys = [...(await readManifests(model, line)).matchAll(/^(\w+):/gm)].map(([, key = '']) => key);
  return keys.filter((key) => key !== 'metadata').flatMap((key) => nearestCorrection(key, ['metadata']));
}

function nearestCorrection(wrong: string, names: readonly string[]): Correction[] {
  const right = findNearest(
    wrong,
    names.filter((name) => name !== ''),
  );
  return right === undefined || right === wrong ? [] : [[wrong, right]];
}

function discoverTypes(model: ConsoleModel): Promise<readonly ApiResource[]> {
  return discoverResources(createClient(model)).catch(() => []);
}

async function findFieldCorrections(model: ConsoleModel, output: string): Promise<readonly Correction[]> {
  const [, kind = '', version = ''] = /(\w+) in version "([^"]+)" cannot be handled as/.exec(output) ?? [];
  const type = (await discoverTypes(model)).find((one) => one.kind === kind && one.version === version);
  const schema = type && (await new SchemaSource(model).findSchema(formatGroupVersion(type), kind).catch(() => undefined));
  if (schema === undefined) return [];
  return [...output.matchAll(/unknown field "([^"]+)"/g)].flatMap(([, path = '']) => {
    const names = path.replace(/\[\d+\]/g, '.[]').split('.');
    return nearestCorrection(names.at(-1) ?? '', Object.keys(fieldAt(schema, names.slice(0, -1)).properties));
  });
}

function fieldAt({ root, read }: KindSchema, names: readonly string[]): FieldSchema {
  const step = (field: FieldSchema, name: string): Json | undefined =>
    name === '[]' ? field.items : (field.properties[name] ?? field.more);
  return names.reduce((field, name) => read(step(field, name)), root);
}

/** Corrects the line when it contains the words, else the file that it names. */
function applyCorrections(line: string, corrections: readonly Correction[]): readonly Suggestion[] {
  if (corrections.length === 0) return [];
  const words = corrections.map(([, right]) => right).join(', ');
  const [file] = filesIn(line);
  if (corrections.every(([wrong]) => wordPattern(wrong).test(line))) {
    const right = corrections.reduce((text, [wrong, right]) => text.replace(wordPattern(wrong), right), line);
    return [{ words, line: right }];
  }
  if (file === undefined) return [];
  const edits = corrections.map(([wrong, right]) => `-e 's/\\b${wrong}\\b/${right}/'`);
  return [{ words, line: `sed -i ${edits.join(' ')} ${file} && ${line}` }];
}

/** Matches the word at word boundaries. */
function wordPattern(word: string): RegExp {
  return new RegExp(`\\b${word.replace(/\W/g, '\\$&')}\\b`);
}

/** The files after `-f`, without standard input. */
export function filesIn(line: string): readonly string[] {
  return [...line.matchAll(/(?:-f|--filename)[ =]?([^\s;|&<>]+)/g)].flatMap(([, file = '-']) => (file === '-' ? [] : [file]));
}

/** The manifests in the line and in its files. */
async function readManifests({ home, shell }: ConsoleModel, line: string): Promise<string> {
  const texts = filesIn(line).map((file) => home.readText(resolvePath(shell.state.directory, file)));
  return [line, ...(await Promise.all(texts))].join('\n');
}
