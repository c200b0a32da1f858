import type { Invocation } from '../context.ts';
import { linesOf } from '../streams.ts';
import { type Input, openInputs } from './input-files.ts';
import { type Options, readOptions } from './options.ts';
import { regExpSource } from './regular-expression.ts';

const longOptions = {
  'ignore-case': 'i',
  'invert-match': 'v',
  count: 'c',
  'only-matching': 'o',
  quiet: 'q',
  'line-number': 'n',
  'extended-regexp': 'E',
  'fixed-strings': 'F',
  'after-context': 'A',
  'before-context': 'B',
  context: 'C',
  regexp: 'e',
  'word-regexp': 'w',
  'max-count': 'm',
  'no-messages': 's',
  color: 's',
};

export async function grep(call: Invocation): Promise<number> {
  const options = readOptions('grep', call.args, 'EFGPivncoqlhHwxe:A:B:C:m:rs', longOptions);
  const names = [...options.words];
  const matcher = matcherOf(options.flags.get('e') ?? [names.shift() ?? ''], options);
  let found = false;
  const sources = await openInputs(call, names);
  for (const source of sources)
    if ((await printMatches(call, source, { options, matcher, areSeveral: sources.length > 1 })) > 0) found = true;
  if (found) return 0;
  return sources.length < names.length ? 2 : 1;
}

function matcherOf(patterns: readonly string[], { has }: Options): RegExp {
  const kind = has('F') ? 'fixed' : has('E') || has('P') ? 'extended' : 'basic';
  const source = patterns
    .flatMap((pattern) => pattern.split('\n'))
    .map((pattern) => `(?:${regExpSource(pattern, kind)})`)
    .join('|');
  return new RegExp(boundedSource(source, has), `gu${has('i') ? 'i' : ''}`);
}

function boundedSource(source: string, has: Options['has']): string {
  if (has('x')) return `^(?:${source})$`;
  return has('w') ? `(?<!\\w)(?:${source})(?!\\w)` : source;
}

interface Search {
  readonly options: Options;
  readonly matcher: RegExp;
  /** Whether there are several inputs: then lines are labelled. */
  readonly areSeveral: boolean;
}

/** Prints the matches in one input, and returns their number. */
async function printMatches(call: Invocation, { name, source }: Input, { options, matcher, areSeveral }: Search): Promise<number> {
  const { has, value } = options;
  const [after, before] = [Number(value('A') ?? value('C') ?? 0), Number(value('B') ?? value('C') ?? 0)];
  const label = isLabelled(areSeveral, has) ? `${name}:` : '';
  const printer = new ContextPrinter(call, { before, after, number: has('n'), label });
  const printsLines = !has('c') && !has('o') && !has('q') && !has('l');
  const maximum = maximumOf(options);
  let matches = 0;
  for await (const line of linesOf(source)) {
    matcher.lastIndex = 0;
    const hit = matcher.test(line) !== has('v');
    if (hit) matches++;
    if (hit && has('o')) printParts(call, line, matcher, label);
    if (printsLines) printer.addLine(line, hit);
    if (hit && matches >= maximum) break;
  }
  if (has('c')) call.out(`${label}${matches}\n`);
  if (has('l') && matches > 0) call.out(`${name}\n`);
  return matches;
}

function isLabelled(areSeveral: boolean, has: Options['has']): boolean {
  return has('H') || (areSeveral && !has('h'));
}

/** The number of matches after which an input is not read further. */
function maximumOf({ has, value }: Options): number {
  return has('q') || has('l') ? 1 : Number(value('m') ?? Infinity);
}

/** Prints the matching parts of a line. */
function printParts(call: Invocation, line: string, matcher: RegExp, label: string): void {
  matcher.lastIndex = 0;
  for (const [part] of line.matchAll(matcher)) if (part !== '') call.out(`${label}${part}\n`);
}

interface ContextOptions {
  readonly before: number;
  readonly after: number;
  /** Print line numbers. */
  readonly number: boolean;
  readonly label: string;
}

/** Prints matching lines with context. */
class ContextPrinter {
  readonly #call: Invocation;
  readonly #options: ContextOptions;
  #preceding: [number, string][] = [];
  #line = 0;
  #lastPrintedLine = 0;
  #until = 0;

  constructor(call: Invocation, options: ContextOptions) {
    this.#call = call;
    this.#options = options;
  }

  addLine(line: string, hit: boolean): void {
    this.#line++;
    const { before, after } = this.#options;
    if (hit) {
      const first = this.#preceding[0]?.[0] ?? this.#line;
      if (before + after > 0 && this.#lastPrintedLine > 0 && first > this.#lastPrintedLine + 1) this.#call.out('--\n');
      for (const [number, text] of this.#preceding) this.#print(number, text, '-');
      this.#preceding = [];
      this.#print(this.#line, line, ':');
      this.#until = this.#line + after;
    } else if (this.#line <= this.#until) this.#print(this.#line, line, '-');
    else if (before > 0) {
      this.#preceding.push([this.#line, line]);
      if (this.#preceding.length > before) this.#preceding.shift();
    }
  }

  #print(number: number, text: string, mark: string): void {
    this.#lastPrintedLine = number;
    const { label, number: numbered } = this.#options;
    this.#call.out(`${mark === '-' ? label.replace(/:$/, '-') : label}${numbered ? `${number}${mark}` : ''}${text}\n`);
  }
}
