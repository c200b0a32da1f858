import { base64ToBytes, bytesToBase64 } from '../../meta/index.ts';
import type { Invocation, Program } from '../context.ts';
import { CommandError } from '../errors.ts';
import { readAll, readText } from '../streams.ts';
import { unescapeAnsi } from '../word-reader.ts';
import { awk } from './awk.ts';
import { diff } from './diff.ts';
import { grep } from './grep.ts';
import { head, tail } from './head-tail.ts';
import { collectLines, openInputs, readInputFile, readInputLines } from './input-files.ts';
import { readOptions } from './options.ts';
import { sed } from './sed.ts';

/** Text tools for pipelines, with the options that learners use (experience 1.3). */
export const textTools: Readonly<Record<string, Program>> = {
  awk,
  base64,
  cut,
  date,
  diff,
  grep,
  egrep: (call) => grep({ ...call, args: ['-E', ...call.args] }),
  fgrep: (call) => grep({ ...call, args: ['-F', ...call.args] }),
  head,
  tail,
  printf,
  rev: async (call) => mapLines(call, (line) => [...line].reverse().join('')),
  sed,
  seq,
  sort,
  tac: async (call) => {
    const lines = await collectLines(readInputLines(call, call.args));
    for (const line of lines.reverse()) call.out(`${line}\n`);
    return 0;
  },
  time: measureTime,
  tr: translate,
  uniq,
  watch,
  wc: count,
  xargs,
  basename({ args, out }) {
    const [path = '', suffix = ''] = args;
    const name = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
    out(`${name.endsWith(suffix) && name !== suffix ? name.slice(0, name.length - suffix.length) : name}\n`);
    return 0;
  },
};

async function mapLines(call: Invocation, change: (line: string) => string): Promise<number> {
  for await (const line of readInputLines(call, call.args)) call.out(`${change(line)}\n`);
  return 0;
}

async function base64(call: Invocation): Promise<number> {
  const { words, has, value } = readOptions('base64', call.args, 'dDiw:', { decode: 'd', wrap: 'w', 'ignore-garbage': 'i' });
  const [name] = words;
  const content = name === undefined ? await readAll(call.input) : await readInputFile(call, name);
  if (!content) return 1;
  if (has('d') || has('D')) return decodeBase64(call, new TextDecoder().decode(content).replace(/\s/g, ''));
  const text = bytesToBase64(content);
  const width = Number(value('w') ?? 76);
  call.out(width === 0 ? text : text.replace(new RegExp(`.{1,${width}}`, 'g'), '$&\n'));
  return 0;
}

/** Writes the decodable part before it reports invalid input, as the real tool does. */
function decodeBase64(call: Invocation, text: string): number {
  const good = /^[A-Za-z0-9+/]*={0,2}/.exec(text)?.[0] ?? '';
  const digits = good.replace(/=+$/, '');
  const usable = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  call.out(base64ToBytes(usable));
  if (good === text && text.length % 4 === 0) return 0;
  call.err('base64: invalid input\n');
  return 1;
}

async function cut(call: Invocation): Promise<number> {
  const { words, has, value } = readOptions('cut', call.args, 'd:f:c:b:s', { delimiter: 'd', fields: 'f', characters: 'c', bytes: 'b' });
  const list = value('f') ?? value('c') ?? value('b');
  if (list === undefined) throw new CommandError('cut: you must specify a list of bytes, characters, or fields');
  const ranges = list.split(',').map((range) => {
    const [from = '', to] = range.split('-');
    return [Number(from || 1), to === undefined ? Number(from) : to === '' ? Infinity : Number(to)] as const;
  });
  const delimiter = value('d') ?? '\t';
  const wanted = (_: string, index: number): boolean => ranges.some(([from, to]) => index + 1 >= from && index + 1 <= to);
  for await (const line of readInputLines(call, words)) {
    if (!has('f')) call.out(`${[...line].filter(wanted).join('')}\n`);
    else if (line.includes(delimiter)) call.out(`${line.split(delimiter).filter(wanted).join(delimiter)}\n`);
    else if (!has('s')) call.out(`${line}\n`);
  }
  return 0;
}

function date(call: Invocation): number {
  const { words, value } = readOptions('date', call.args, 'ud:I', { utc: 'u', date: 'd' });
  const given = value('d');
  const at = new Date(
    given === undefined
      ? call.shell.clock.nowMs()
      : Date.parse(given.replace(/^@(\d+)$/, (_, seconds: string) => new Date(Number(seconds) * 1000).toISOString())),
  );
  if (Number.isNaN(at.getTime())) throw new CommandError(`date: invalid date '${given}'`);
  const iso = at.toISOString();
  const [weekday = '', day = '', month = '', year = '', time = ''] = at.toUTCString().replace(',', '').split(' ');
  const fields: Readonly<Record<string, string>> = {
    a: weekday,
    b: month,
    d: day,
    e: String(Number(day)).padStart(2),
    m: iso.slice(5, 7),
    Y: year,
    y: year.slice(2),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    T: time,
    F: iso.slice(0, 10),
    D: `${iso.slice(5, 7)}/${day}/${year.slice(2)}`,
    Z: 'UTC',
    z: '+0000',
    s: String(Math.floor(at.getTime() / 1000)),
    N: `${iso.slice(20, 23)}000000`,
    '%': '%',
    n: '\n',
    t: '\t',
    R: iso.slice(11, 16),
  };
  const format = words.find((word) => word.startsWith('+'))?.slice(1) ?? '%a %b %e %T %Z %Y';
  call.out(`${format.replace(/%(.)/g, (whole, letter: string) => fields[letter] ?? whole)}\n`);
  return 0;
}

function printf(call: Invocation): number {
  const [format = '', ...args] = call.args[0] === '--' ? call.args.slice(1) : call.args;
  const values = [...args];
  let text = '';
  do {
    text += formatOnce(format, values);
  } while (values.length > 0 && /%[^%]/.test(format));
  // Octal and hexadecimal escapes are bytes, not characters.
  call.out(/[\u0080-\u00ff]/.test(text) && /\\(x|[0-7]{3})/.test(format) ? Uint8Array.from(text, (char) => char.charCodeAt(0)) : text);
  return 0;
}

function formatOnce(format: string, values: string[]): string {
  return unescapeAnsi(format.replace(/\\%/g, '%%')).replace(
    /%(-|0|\+)?(\d+)?(?:\.(\d+))?([sdifxXobcq%])/g,
    (_, flag: string | undefined, width: string | undefined, precision: string | undefined, kind: string) => {
      if (kind === '%') return '%';
      const shown = formatValue(kind, values.shift() ?? '', precision === undefined ? undefined : Number(precision));
      const length = Number(width ?? 0);
      return flag === '-' ? shown.padEnd(length) : shown.padStart(length, flag === '0' ? '0' : ' ');
    },
  );
}

/** A value as the conversion `kind` of printf shows it. */
function formatValue(kind: string, value: string, precision: number | undefined): string {
  const number = Number(value) || 0;
  switch (kind) {
    case 'd':
    case 'i':
      return String(Math.trunc(number));
    case 'f':
      return number.toFixed(precision ?? 6);
    case 'x':
      return number.toString(16);
    case 'X':
      return number.toString(16).toUpperCase();
    case 'o':
      return number.toString(8);
    case 'b':
      return unescapeAnsi(value);
    case 'c':
      return value.slice(0, 1);
    case 'q':
      return /^[\w./:-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
    default:
      return precision === undefined ? value : value.slice(0, precision);
  }
}

function seq({ args, out }: Invocation): number {
  const numbers = args.map(Number);
  const [first, step, last] = numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  if (first === undefined || step === undefined || last === undefined || numbers.some(Number.isNaN) || step === 0)
    throw new CommandError('seq: invalid argument');
  for (let at = first; step > 0 ? at <= last : at >= last; at += step) out(`${at}\n`);
  return 0;
}

async function sort(call: Invocation): Promise<number> {
  const { words, has, value, flags } = readOptions('sort', call.args, 'rnuk:t:fVbhs', {
    reverse: 'r',
    'numeric-sort': 'n',
    unique: 'u',
    key: 'k',
    'field-separator': 't',
  });
  const [key] = flags.get('k') ?? [];
  const [, field = '', modifiers = ''] = /^(\d+)[.\d]*(?:,\d+)?([nrbfV]*)/.exec(key ?? '') ?? [];
  const separator = value('t');
  const keyOf = (line: string): string => {
    const text =
      field === ''
        ? line
        : separator === undefined
          ? line
              .trim()
              .split(/\s+/)
              .slice(Number(field) - 1)
              .join(' ')
          : (line.split(separator)[Number(field) - 1] ?? '');
    return has('f') ? text.toLowerCase() : text;
  };
  const numeric = has('n') || modifiers.includes('n') || has('h');
  const byBytes = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
  const compare = (left: string, right: string): number => {
    const [a, b] = [keyOf(left), keyOf(right)];
    const difference = numeric
      ? (Number.parseFloat(a) || 0) - (Number.parseFloat(b) || 0)
      : has('V')
        ? a.localeCompare(b, 'en', { numeric: true })
        : byBytes(a, b);
    return difference || byBytes(left, right);
  };
  const lines = (await collectLines(readInputLines(call, words))).sort(compare);
  if (has('r') || modifiers.includes('r')) lines.reverse();
  for (const [index, line] of lines.entries()) if (!has('u') || line !== lines[index - 1]) call.out(`${line}\n`);
  return 0;
}

async function measureTime(call: Invocation): Promise<number> {
  const from = call.shell.clock.monotonicMs();
  const { args, shell, state, ...streams } = call;
  const code = args.length > 0 ? await shell.runWords(args, state, streams) : 0;
  const seconds = (shell.clock.monotonicMs() - from) / 1000;
  call.err(`\nreal\t${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s\nuser\t0m0.000s\nsys\t0m0.000s\n`);
  return code;
}

async function translate(call: Invocation): Promise<number> {
  const { words, has } = readOptions('tr', call.args, 'dscC', { delete: 'd', 'squeeze-repeats': 's', complement: 'c' });
  const [from = '', to = ''] = words.map(characterSet);
  const set = new Set(from);
  const inSet = (char: string): boolean => set.has(char) !== (has('c') || has('C'));
  let text = await readText(call.input);
  const targets = [...to];
  const sources = [...from];
  if (has('d')) text = [...text].filter((char) => !inSet(char)).join('');
  else if (to !== '') {
    const table = new Map(sources.map((char, index) => [char, targets[index] ?? targets.at(-1) ?? char]));
    text = [...text]
      .map((char) => (has('c') || has('C') ? (inSet(char) ? (targets.at(-1) ?? char) : char) : (table.get(char) ?? char)))
      .join('');
  }
  if (has('s')) {
    const squeezed = new Set(to === '' ? from : to);
    text = [...text].filter((char, index, all) => !squeezed.has(char) || all[index - 1] !== char).join('');
  }
  call.out(text);
  return 0;
}

function characterSet(text: string): string {
  const named: Readonly<Record<string, string>> = {
    upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    lower: 'abcdefghijklmnopqrstuvwxyz',
    digit: '0123456789',
    space: ' \t\n\r\f\v',
  };
  const plain = unescapeAnsi(text).replace(/\[:(\w+):\]/g, (whole, name: string) =>
    name === 'alpha' ? `${named['upper']}${named['lower']}` : (named[name] ?? whole),
  );
  return plain.replace(/(.)-(.)/gs, (_, from: string, to: string) => {
    const [start, end] = [from.charCodeAt(0), to.charCodeAt(0)];
    return Array.from({ length: Math.max(0, end - start + 1) }, (_item, index) => String.fromCharCode(start + index)).join('');
  });
}

async function uniq(call: Invocation): Promise<number> {
  const { words, has } = readOptions('uniq', call.args, 'cdui', { count: 'c', repeated: 'd', unique: 'u' });
  let [current, times]: [string | undefined, number] = [undefined, 0];
  const print = (): void => {
    if (current === undefined || (has('d') && times < 2) || (has('u') && times > 1)) return;
    call.out(has('c') ? `${String(times).padStart(7)} ${current}\n` : `${current}\n`);
  };
  for await (const line of readInputLines(call, words)) {
    if (line === current) times++;
    else {
      print();
      [current, times] = [line, 1];
    }
  }
  print();
  return 0;
}

/** Runs a line repeatedly until it is interrupted. */
async function watch(call: Invocation): Promise<number> {
  const { args, shell, state, ...streams } = call;
  const interval = args[0] === '-n' ? Number(args[1]) : 2;
  const words = args[0] === '-n' ? args.slice(2) : args;
  while (!call.signal.aborted) {
    shell.clear();
    await shell.runLine(words.join(' '), state, streams);
    await shell.clock.sleep(interval * 1000, call.signal);
  }
  return 130;
}

async function count(call: Invocation): Promise<number> {
  const { words, has } = readOptions('wc', call.args, 'lwcm', { lines: 'l', words: 'w', bytes: 'c', chars: 'm' });
  const all = !has('l') && !has('w') && !has('c') && !has('m');
  const totals: number[][] = [];
  const print = (counts: readonly number[], name: string): void => {
    const shown = counts.filter((_, index) => (all ? index < 3 : has(['l', 'w', 'c', 'm'][index] ?? '')));
    const width = shown.length > 1 || words.length > 1 ? 7 : 0;
    call.out(
      `${shown.map((value) => String(value).padStart(words.length > 0 && width > 0 ? String(Math.max(...shown)).length : width)).join(' ')}${name === '-' ? '' : ` ${name}`}\n`,
    );
  };
  for (const { name, source } of await openInputs(call, words)) {
    const bytes = await readAll(source);
    const text = new TextDecoder().decode(bytes);
    const counts = [text.split('\n').length - 1, text.split(/\s+/).filter((word) => word !== '').length, bytes.length, [...text].length];
    totals.push(counts);
    print(counts, name);
  }
  if (totals.length > 1)
    print(
      [0, 1, 2, 3].map((index) => totals.reduce((sum, counts) => sum + (counts[index] ?? 0), 0)),
      'total',
    );
  return 0;
}

async function xargs(call: Invocation): Promise<number> {
  const options = /^(?:-n\d+|-n|-I\S+|-I|-r|-0|-t)$/;
  let at = 0;
  let [perCall, placeholder]: [number, string | undefined] = [Infinity, undefined];
  for (; options.test(call.args[at] ?? ''); at++) {
    const option = call.args[at] ?? '';
    if (option.startsWith('-n')) perCall = Number(option.slice(2) || call.args[++at]);
    else if (option.startsWith('-I')) placeholder = option.slice(2) || call.args[++at];
  }
  const command = call.args.slice(at);
  const { shell, state, ...streams } = call;
  const text = await readText(call.input);
  const items =
    placeholder === undefined ? text.split(/\s+/).filter((item) => item !== '') : text.split('\n').filter((item) => item.trim() !== '');
  let code = 0;
  const run = async (words: readonly string[]): Promise<void> => {
    if ((await shell.runWords(words.length > 0 ? words : ['echo'], state, streams)) !== 0) code = 123;
  };
  if (placeholder !== undefined) for (const item of items) await run(command.map((word) => word.replaceAll(placeholder, item.trim())));
  else
    for (let from = 0; from < items.length; from += Math.min(perCall, items.length))
      await run([...(command.length > 0 ? command : ['echo']), ...items.slice(from, from + perCall)]);
  return code;
}
