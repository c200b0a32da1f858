import { isJsonObject, type JsonObject } from '../../meta/index.ts';
import type { Check, CommandPart, Lesson, Part } from '../lesson.ts';
import { type Piece, splitDocument } from './fences.ts';
import { readFrontMatter, readHead, readValue } from './front-matter.ts';
import { type InfoWords, readInfo, unknownWords } from './info-words.ts';
import type { Problem } from './problem.ts';

export interface ParseOptions {
  /** Markdown to HTML that can do nothing: raw HTML and addresses with code in them come out as text. */
  readonly render: (markdown: string) => string;
  /** A file of the lesson's folder. */
  readonly file: (name: string) => string | undefined;
  /** What the track's front matter says for all its lessons. */
  readonly inherited: JsonObject;
}

export interface ParsedLesson {
  readonly lesson: Lesson;
  readonly problems: readonly Problem[];
}

/** A step while its blocks are read. */
interface OpenStep {
  readonly id: string;
  readonly title: string;
  readonly parts: Part[];
  readonly checks: Check[];
  readonly hints: string[];
  solution: CommandPart | undefined;
}

/** Reads a lesson. Never fails: what it cannot use it leaves out and tells as a problem. */
export function parseLesson(source: string, options: ParseOptions): ParsedLesson {
  const problems: Problem[] = [];
  const problem = (found: Problem): void => void problems.push(found);
  const { head, apply, snapshot, body, bodyLine } = readFrontMatter(source.replaceAll('\r\n', '\n'), options.inherited, problem);
  const reader = new BodyReader(options, problem);
  for (const piece of splitDocument(body, bodyLine)) reader.take(piece);
  const beside = (name: string): string | undefined => {
    const text = options.file(name);
    if (text === undefined) problem({ line: 1, message: `there is no file ${name} beside the lesson` });
    return text;
  };
  const setup = apply.flatMap((name) => beside(name) ?? []);
  const copy = snapshot === undefined ? undefined : beside(snapshot);
  for (const id of Object.keys(head.exam?.weights ?? {})) {
    if (!reader.steps.some((step) => step.id === id)) problem({ line: 1, message: `there is no task "${id}" that could have a weight` });
  }
  return { lesson: { ...head, setup, snapshot: copy, intro: reader.intro, steps: reader.steps }, problems };
}

/** A translation: what its own front matter does not say is as in the original. */
export function parseTranslation(source: string, original: string, options: ParseOptions): ParsedLesson {
  return parseLesson(source, { ...options, inherited: { ...options.inherited, ...readHead(original) } });
}

class BodyReader {
  readonly intro: Part[] = [];
  readonly steps: OpenStep[] = [];
  readonly #options: ParseOptions;
  readonly #problem: (found: Problem) => void;

  constructor(options: ParseOptions, problem: (found: Problem) => void) {
    this.#options = options;
    this.#problem = problem;
  }

  take(piece: Piece): void {
    if (piece.kind === 'heading') this.steps.push(this.#newStep(piece.text));
    else if (piece.kind === 'text') this.#parts().push({ kind: 'prose', html: this.#options.render(piece.text) });
    else this.#fence(piece.info, piece.text, piece.line);
  }

  #newStep(heading: string): OpenStep {
    const [, title = heading, named] = /^(.*?)\s*(?:\{#([\w-]+)\})?$/.exec(heading) ?? [];
    const id =
      named ??
      title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
    return { id, title, parts: [], checks: [], hints: [], solution: undefined };
  }

  #parts(): Part[] {
    return this.steps.at(-1)?.parts ?? this.intro;
  }

  #fence(info: string, text: string, line: number): void {
    const words = readInfo(info);
    for (const word of unknownWords(words)) {
      this.#problem({ line, message: `a block of ${words.language || 'no language'} does not know the word "${word}"` });
    }
    const step = this.steps.at(-1);
    if (words.language === 'sh' && words.flags.has('run')) this.#parts().push(commandOf(words, text));
    else if (words.language === 'yaml' && words.values.has('file')) {
      this.#parts().push({ kind: 'file', name: words.values.get('file') ?? '', text, edit: words.flags.has('edit') });
    } else if (['check', 'hint', 'solution'].includes(words.language)) {
      if (!step) this.#problem({ line, message: `a ${words.language} belongs to a step, below a heading ##` });
      else this.#judge(step, words, text, line);
    } else this.#parts().push({ kind: 'prose', html: this.#options.render(`\`\`\`\`\`${words.language}\n${text}\`\`\`\`\`\n`) });
  }

  #judge(step: OpenStep, words: InfoWords, text: string, line: number): void {
    if (words.language === 'hint') step.hints.push(this.#options.render(text));
    else if (words.language === 'solution') step.solution = commandOf(words, text);
    else step.checks.push(...this.#checks(text, line));
  }

  #checks(text: string, line: number): Check[] {
    const value = readValue(text, line, this.#problem);
    const items = Array.isArray(value) ? value : [];
    if (items.length === 0) this.#problem({ line, message: 'a check is a list of cel and message' });
    return items.flatMap((item): Check[] => {
      const { cel, message, hint, optional } = isJsonObject(item) ? item : {};
      if (typeof cel !== 'string' || typeof message !== 'string') {
        this.#problem({ line, message: 'a check has a cel and a message' });
        return [];
      }
      return [{ cel, message, hint: typeof hint === 'string' ? hint : undefined, optional: optional === true }];
    });
  }
}

function commandOf({ values }: InfoWords, text: string): CommandPart {
  return { kind: 'command', lines: text.trimEnd(), as: values.get('as'), expect: Number(values.get('expect') ?? 0) };
}
