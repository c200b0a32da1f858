import { isJsonObject, type JsonObject } from '../../meta/index.ts';
import { type DocumentBlock, splitDocument } from '../blocks/index.ts';
import type { Check, CommandPart, Lesson, Part } from '../lesson.ts';
import { parseFrontMatter, parseFrontMatterValues, parseYamlValue } from './front-matter.ts';
import { findUnknownOptions, type InfoString, parseInfoString } from './info-string.ts';
import type { Problem } from './problem.ts';

export interface ParseOptions {
  /** Renders Markdown to inert HTML: raw HTML is escaped, and script URLs are removed. */
  readonly render: (markdown: string) => string;
  /** Reads a file of the lesson's folder. */
  readonly file: (name: string) => string | undefined;
  /** Defaults from the track's front matter. */
  readonly inherited: JsonObject;
}

export interface ParsedLesson {
  readonly lesson: Lesson;
  readonly problems: readonly Problem[];
}

/** A step under construction. */
interface StepBuilder {
  readonly id: string;
  readonly title: string;
  readonly parts: Part[];
  readonly checks: Check[];
  readonly hints: string[];
  solution: CommandPart | undefined;
}

/** Parses a lesson. Never throws: skips invalid parts and reports them as problems. */
export function parseLesson(source: string, options: ParseOptions): ParsedLesson {
  const problems: Problem[] = [];
  const problem = (found: Problem): void => void problems.push(found);
  const { head, apply, run, snapshot, body, bodyLine } = parseFrontMatter(source.replaceAll('\r\n', '\n'), options.inherited, problem);
  const reader = new BodyParser(options, problem);
  for (const piece of splitDocument(body, bodyLine)) reader.addBlock(piece);
  const beside = (name: string): string | undefined => {
    const text = options.file(name);
    if (text === undefined) problem({ line: 1, message: `the file ${name} is missing in the folder of the lesson` });
    return text;
  };
  const setup = apply.flatMap((name) => beside(name) ?? []);
  const scripts = run.flatMap((name) => beside(name) ?? []);
  const copy = snapshot === undefined ? undefined : beside(snapshot);
  for (const id of Object.keys(head.exam?.weights ?? {})) {
    if (!reader.steps.some((step) => step.id === id)) problem({ line: 1, message: `the weight "${id}" has no task with this id` });
  }
  return { lesson: { ...head, setup, scripts, snapshot: copy, intro: reader.intro, steps: reader.steps }, problems };
}

/** Parses a translation. Missing front matter is taken from the original. */
export function parseTranslation(source: string, original: string, options: ParseOptions): ParsedLesson {
  return parseLesson(source, { ...options, inherited: { ...options.inherited, ...parseFrontMatterValues(original) } });
}

class BodyParser {
  readonly intro: Part[] = [];
  readonly steps: StepBuilder[] = [];
  readonly #options: ParseOptions;
  readonly #problem: (found: Problem) => void;

  constructor(options: ParseOptions, problem: (found: Problem) => void) {
    this.#options = options;
    this.#problem = problem;
  }

  addBlock(piece: DocumentBlock): void {
    if (piece.kind === 'heading') this.steps.push(this.#newStep(piece.text));
    else if (piece.kind === 'text') this.#currentParts().push({ kind: 'prose', html: this.#options.render(piece.text) });
    else this.#addFence(piece.info, piece.text, piece.line);
  }

  #newStep(heading: string): StepBuilder {
    const [, title = heading, named] = /^(.*?)\s*(?:\{#([\w-]+)\})?$/.exec(heading) ?? [];
    const id =
      named ??
      title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
    return { id, title, parts: [], checks: [], hints: [], solution: undefined };
  }

  #currentParts(): Part[] {
    return this.steps.at(-1)?.parts ?? this.intro;
  }

  #addFence(info: string, text: string, line: number): void {
    const words = parseInfoString(info);
    for (const word of findUnknownOptions(words)) {
      this.#problem({ line, message: `a block of ${words.language || 'no language'} has the unknown option "${word}"` });
    }
    const step = this.steps.at(-1);
    if (words.language === 'sh' && words.flags.has('run')) this.#currentParts().push(toCommandPart(words, text));
    else if (words.language === 'yaml' && words.values.has('file')) {
      this.#currentParts().push({ kind: 'file', name: words.values.get('file') ?? '', text, edit: words.flags.has('edit') });
    } else if (['check', 'hint', 'solution'].includes(words.language)) {
      if (!step) this.#problem({ line, message: `a ${words.language} must be in a step, below a heading ##` });
      else this.#addStepFence(step, words, text, line);
    } else this.#currentParts().push({ kind: 'prose', html: this.#options.render(`\`\`\`\`\`${words.language}\n${text}\`\`\`\`\`\n`) });
  }

  #addStepFence(step: StepBuilder, words: InfoString, text: string, line: number): void {
    if (words.language === 'hint') step.hints.push(this.#options.render(text));
    else if (words.language === 'solution') step.solution = toCommandPart(words, text);
    else step.checks.push(...this.#parseChecks(text, line));
  }

  #parseChecks(text: string, line: number): Check[] {
    const value = parseYamlValue(text, line, this.#problem);
    const items = Array.isArray(value) ? value : [];
    if (items.length === 0) this.#problem({ line, message: 'a check must be a list of items with cel or run, and message' });
    return items.flatMap((item): Check[] => {
      const { cel, run, message, done, hint, optional } = isJsonObject(item) ? item : {};
      const source = cel ?? run;
      if (typeof source !== 'string' || typeof message !== 'string' || (cel !== undefined && run !== undefined)) {
        this.#problem({ line, message: 'a check must have cel or run, and message' });
        return [];
      }
      const language = cel === undefined ? 'sh' : 'cel';
      const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
      return [{ language, source, message, done: text(done), hint: text(hint), optional: optional === true }];
    });
  }
}

function toCommandPart({ values }: InfoString, text: string): CommandPart {
  return { kind: 'command', lines: text.trimEnd(), as: values.get('as'), expect: Number(values.get('expect') ?? 0) };
}
