import { parseYaml } from '../../codec/index.ts';
import { errorMessage } from '../../env/index.ts';
import { isJsonObject, type Json, type JsonObject, recordAt, textsAt } from '../../meta/index.ts';
import { frontMatterKeys, frontMatterPattern } from '../blocks/index.ts';
import { type Exam, type Lesson, type Mode, modes } from '../lesson.ts';
import type { Problem } from './problem.ts';

export interface FrontMatter {
  readonly head: Omit<Lesson, 'intro' | 'steps' | 'setup' | 'scripts' | 'snapshot'>;
  /** Names of the manifests to apply before the first step. */
  readonly apply: readonly string[];
  /** Names of the scripts to run after them. */
  readonly run: readonly string[];
  /** The name of the file with a copy of a cluster. */
  readonly snapshot: string | undefined;
  readonly body: string;
  /** The line number of the document at which the body begins. */
  readonly bodyLine: number;
}

/** Parses the front matter without validation. */
export function parseFrontMatterValues(source: string): JsonObject {
  return parseYamlObject(frontMatterPattern.exec(source)?.[1] ?? '', () => undefined);
}

/** Parses the front matter and splits off the body. `inherited` has the defaults of the track. */
export function parseFrontMatter(source: string, inherited: JsonObject, problem: (found: Problem) => void): FrontMatter {
  const found = frontMatterPattern.exec(source);
  if (!found) problem({ line: 1, message: 'the lesson must begin with front matter between two lines of ---' });
  const own = parseYamlObject(found?.[1] ?? '', problem);
  for (const key of Object.keys(own))
    if (!frontMatterKeys.has(key)) problem({ line: 1, message: `unknown key "${key}" in the front matter` });
  const all = { ...inherited, ...own };
  const text = (key: string, otherwise: string): string => (typeof all[key] === 'string' ? all[key] : otherwise);
  if (text('title', '') === '') problem({ line: 1, message: 'the lesson has no title' });
  const mode = text('mode', 'type');
  if (!isMode(mode)) problem({ line: 1, message: `mode must be one of ${modes.join(', ')}, not "${mode}"` });
  const cluster = recordAt(all, 'cluster');
  const { snapshot } = cluster;
  return {
    head: {
      title: text('title', 'Untitled'),
      summary: text('summary', ''),
      minutes: typeof all['minutes'] === 'number' ? all['minutes'] : 5,
      requires: textsAt(all, 'requires'),
      user: text('user', 'admin'),
      mode: isMode(mode) ? mode : 'type',
      allow: textsAt(all, 'allow'),
      i18n: textsByName(all['i18n']),
      exam: all['exam'] === undefined ? undefined : parseExam(all['exam'], problem),
      nodes: parseNodes(all['nodes'], problem),
      images: textsByName(all['images']),
    },
    apply: textsAt(cluster, 'apply'),
    run: textsAt(cluster, 'run'),
    snapshot: typeof snapshot === 'string' ? snapshot : undefined,
    body: source.slice(found?.[0].length ?? 0),
    bodyLine: (found?.[0].split('\n').length ?? 1) || 1,
  };
}

/** Parses a YAML mapping. Reports a syntax error and returns an empty object. */
function parseYamlObject(text: string, problem: (found: Problem) => void): JsonObject {
  const value = parseYamlValue(text, 1, problem);
  return isJsonObject(value) ? value : {};
}

export function parseYamlValue(text: string, line: number, problem: (found: Problem) => void): Json {
  try {
    return text.trim() === '' ? null : parseYaml(text).value;
  } catch (error) {
    problem({ line, message: errorMessage(error) });
    return null;
  }
}

function parseExam(value: Json, problem: (found: Problem) => void): Exam {
  const { minutes, pass = 66, weights } = isJsonObject(value) ? value : {};
  const isFull = typeof minutes === 'number' && minutes > 0 && typeof pass === 'number' && pass > 0 && pass <= 100;
  if (!isFull) problem({ line: 1, message: 'an exam must have minutes and pass, a number of per cent' });
  const given = Object.entries(isJsonObject(weights) ? weights : {});
  const numbers = given.filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0);
  if (numbers.length < given.length) problem({ line: 1, message: 'the weights of an exam must be numbers by task id' });
  return { minutes: isFull ? minutes : 20, pass: isFull ? pass : 66, weights: Object.fromEntries(numbers) };
}

const nodesMax = 10;

function parseNodes(value: Json | undefined, problem: (found: Problem) => void): number {
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= nodesMax) return value;
  problem({ line: 1, message: `nodes must be a whole number from 0 to ${nodesMax}` });
  return 0;
}

function textsByName(value: Json | undefined): Readonly<Record<string, string>> {
  const named = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(named.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function isMode(text: string): text is Mode {
  return modes.some((mode) => mode === text);
}
