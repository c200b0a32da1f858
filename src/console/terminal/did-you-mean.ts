import { discover, groupVersionText, type KnownResource, resolvePath } from '../../kubectl/index.ts';
import type { Json } from '../../meta/index.ts';
import { clientOf } from '../explore/api.ts';
import { nearest } from '../explore/editor/nearest.ts';
import { type FieldSchema, type KindSchema, SchemaSource } from '../explore/editor/schema-source.ts';
import type { ConsoleModel } from '../model/console-model.ts';

/** What a mistyped command most likely meant. */
export interface Meant {
  /** The right words. */
  readonly words: string;
  /** The line that puts it right: the same one, or one that corrects the file it names. */
  readonly line: string;
}

/** A word, and what it had better be. */
type Correction = readonly [wrong: string, right: string];

/** Reads from kubectl's own words what was mistyped. */
export async function meantBy(model: ConsoleModel, line: string, said: string): Promise<readonly Meant[]> {
  const command = /unknown command "(\S+)" for "kubectl"\n\nDid you mean this\?\n((?:\t\S+\n)+)/.exec(said);
  if (command !== null) {
    const [, wrong = '', names = ''] = command;
    return names.split(/\s+/).flatMap((right) => (right === '' ? [] : corrected(line, [[wrong, right]])));
  }
  return corrected(line, await corrections(model, line, said));
}

async function corrections(model: ConsoleModel, line: string, said: string): Promise<readonly Correction[]> {
  const type = /doesn't have a resource type "([^"]+)"/.exec(said)?.[1];
  if (type !== undefined)
    return correction(
      type,
      (await typesOf(model)).flatMap(({ name, singular }) => [name, singular]),
    );
  const kind = /no matches for kind "([^"]+)" in version "([^"]+)"/.exec(said);
  if (kind !== null) {
    const ofVersion = (await typesOf(model)).filter((one) => groupVersionText(one) === kind[2]);
    return correction(
      kind[1] ?? '',
      ofVersion.map((one) => one.kind),
    );
  }
  if (said.includes('strict decoding error: unknown field')) return fieldCorrections(model, said);
  if (!said.includes('resource name may not be empty')) return [];
  const keys = [...(await textOf(model, line)).matchAll(/^(\w+):/gm)].map(([, key = '']) => key);
  return keys.filter((key) => key !== 'metadata').flatMap((key) => correction(key, ['metadata']));
}

function correction(wrong: string, names: readonly string[]): Correction[] {
  const right = nearest(
    wrong,
    names.filter((name) => name !== ''),
  );
  return right === undefined || right === wrong ? [] : [[wrong, right]];
}

function typesOf(model: ConsoleModel): Promise<readonly KnownResource[]> {
  return discover(clientOf(model)).catch(() => []);
}

async function fieldCorrections(model: ConsoleModel, said: string): Promise<readonly Correction[]> {
  const [, kind = '', version = ''] = /(\w+) in version "([^"]+)" cannot be handled as/.exec(said) ?? [];
  const type = (await typesOf(model)).find((one) => one.kind === kind && one.version === version);
  const schema = type && (await new SchemaSource(model).schemaOf(groupVersionText(type), kind).catch(() => undefined));
  if (schema === undefined) return [];
  return [...said.matchAll(/unknown field "([^"]+)"/g)].flatMap(([, path = '']) => {
    const names = path.replace(/\[\d+\]/g, '.[]').split('.');
    return correction(names.at(-1) ?? '', Object.keys(fieldAt(schema, names.slice(0, -1)).properties));
  });
}

function fieldAt({ root, read }: KindSchema, names: readonly string[]): FieldSchema {
  const step = (field: FieldSchema, name: string): Json | undefined =>
    name === '[]' ? field.items : (field.properties[name] ?? field.more);
  return names.reduce((field, name) => read(step(field, name)), root);
}

/** In the line itself when the words stand there, in the file that it names otherwise. */
function corrected(line: string, corrections: readonly Correction[]): readonly Meant[] {
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

/** A word of letters, which no part of another word is. */
function wordPattern(word: string): RegExp {
  return new RegExp(`\\b${word.replace(/\W/g, '\\$&')}\\b`);
}

/** The files that the line reads; standard input is the line's own affair. */
function filesIn(line: string): readonly string[] {
  return [...line.matchAll(/(?:-f|--filename)[ =]?([^\s;|&<>]+)/g)].flatMap(([, file = '-']) => (file === '-' ? [] : [file]));
}

/** The manifests of a line: those that stand in it, and those in its files. */
async function textOf({ home, shell }: ConsoleModel, line: string): Promise<string> {
  const texts = filesIn(line).map((file) => home.readText(resolvePath(shell.state.directory, file)));
  return [line, ...(await Promise.all(texts))].join('\n');
}
