import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { unescapeAnsi } from '../word-reader.ts';
import { readInputLines } from './input-files.ts';

interface Rule {
  readonly condition: string;
  /** Undefined: print the line. */
  readonly action: string | undefined;
}

/** One-liners of awk: `[-F x] '/pattern/ || $2 == "x" {print $1, $NF; n++} END {print n}'`. */
export async function awk(call: Invocation): Promise<number> {
  const { separator, variables, operands } = readArguments(call.args);
  const [program = '', ...files] = operands;
  const rules = readRules(program);
  const run = new ProgramRun(call, variables, separator);
  const [begin, end] = ['BEGIN', 'END'].map((name) => rules.filter(({ condition }) => condition === name));
  const body = rules.filter(({ condition }) => condition !== 'BEGIN' && condition !== 'END');
  for (const rule of begin ?? []) run.runAction(rule);
  if (body.length > 0 || (end ?? []).length > 0) {
    for await (const line of readInputLines(call, files)) {
      run.runLine(line);
      for (const rule of body) if (rule.condition === '' || run.isTrue(run.value(rule.condition))) run.runAction(rule);
    }
  }
  for (const rule of end ?? []) run.runAction(rule);
  return 0;
}

interface Arguments {
  readonly separator: string;
  readonly variables: Map<string, string | number>;
  /** The program, then the files. */
  readonly operands: readonly string[];
}

function readArguments(args: readonly string[]): Arguments {
  const operands = [...args];
  let separator = ' ';
  const variables = new Map<string, string | number>();
  while (operands[0]?.startsWith('-')) {
    const option = operands.shift() ?? '';
    const value = option.slice(2) || (operands.shift() ?? '');
    if (option.startsWith('-F')) separator = unescapeAnsi(value);
    else if (option.startsWith('-v')) variables.set(value.split('=', 1)[0] ?? '', value.slice(value.indexOf('=') + 1));
    else throw new CommandError(`awk: unknown option ${option}`, 2);
  }
  return { separator, variables, operands };
}

function readRules(program: string): Rule[] {
  const rules: Rule[] = [];
  let rest = program.trim();
  while (rest !== '') {
    const open = indexOutsideLiterals(rest, '{');
    if (open < 0) {
      rules.push({ condition: rest.trim(), action: undefined });
      break;
    }
    const close = indexOutsideLiterals(rest, '}');
    if (close < 0) throw new CommandError('awk: syntax error at source line 1', 2);
    rules.push({ condition: rest.slice(0, open).trim(), action: rest.slice(open + 1, close) });
    rest = rest.slice(close + 1).replace(/^[\s;]+/, '');
  }
  return rules;
}

/** The index of `char` outside "strings" and /patterns/. */
function indexOutsideLiterals(text: string, char: string): number {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const current = text[at] ?? '';
    if (current === '\\') at++;
    else if (quote !== '') quote = current === quote ? '' : quote;
    else if (current === '"' || (current === '/' && /(^|[({,~!&|;]\s*)$/.test(text.slice(0, at)))) quote = current;
    else if (current === char) return at;
  }
  return -1;
}

function splitOutsideLiterals(text: string, char: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  let quote = '';
  for (const current of text) {
    if (quote !== '') quote = current === quote && !part.endsWith('\\') ? '' : quote;
    else if (current === '"') quote = current;
    else if (current === '(') depth++;
    else if (current === ')') depth--;
    if (current === char && quote === '' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += current;
  }
  return [...parts, part];
}

type Value = string | number;

class ProgramRun {
  readonly #call: Invocation;
  readonly #variables: Map<string, Value>;
  readonly #separator: string;
  #line = '';
  #fields: string[] = [];
  #number = 0;

  constructor(call: Invocation, variables: Map<string, Value>, separator: string) {
    this.#call = call;
    this.#variables = variables;
    this.#separator = separator;
  }

  runLine(line: string): void {
    this.#line = line;
    this.#number++;
    this.#fields = this.#split(line);
  }

  #split(line: string): string[] {
    const separator = (this.#variables.get('FS') as string | undefined) ?? this.#separator;
    if (separator === ' ') return line.split(/[ \t]+/).filter((field) => field !== '');
    return line.split(separator.length > 1 ? new RegExp(separator) : separator);
  }

  runAction({ action }: Rule): void {
    if (action === undefined) {
      this.#call.out(`${this.#line}\n`);
      return;
    }
    for (const statement of splitOutsideLiterals(action.replace(/\n/g, ';'), ';')) this.#runStatement(statement.trim());
  }

  #runStatement(statement: string): void {
    if (statement === '') return;
    const print = /^print\b\s*([\s\S]*)$/.exec(statement);
    if (print) {
      const list = (print[1] ?? '').trim();
      const values = list === '' ? [this.#line] : splitOutsideLiterals(list, ',').map((part) => this.value(part));
      this.#call.out(`${values.map(textOf).join(textOf(this.#variables.get('OFS') ?? ' '))}\n`);
      return;
    }
    const printf = /^printf\s*\(?([\s\S]*?)\)?$/.exec(statement);
    if (printf) {
      const [format = '', ...values] = splitOutsideLiterals(printf[1] ?? '', ',').map((part) => textOf(this.value(part)));
      this.#call.out(
        format.replace(/%(-?)(\d*)[.\d]*([sdf%])/g, (_, left: string, width: string, kind: string) => {
          if (kind === '%') return '%';
          const value = values.shift() ?? '';
          const shown = kind === 'd' ? String(Math.trunc(Number(value) || 0)) : value;
          return left ? shown.padEnd(Number(width)) : shown.padStart(Number(width));
        }),
      );
      return;
    }
    const assign = /^(\$?\w+)\s*([-+*/]?=)(?!=)\s*([\s\S]*)$/.exec(statement);
    if (assign) {
      this.#assign(assign[1] ?? '', assign[2] ?? '', this.value(assign[3] ?? ''));
      return;
    }
    const step = /^(\w+)(\+\+|--)$/.exec(statement);
    if (step) {
      this.#assign(step[1] ?? '', step[2] === '++' ? '+=' : '-=', 1);
      return;
    }
    throw new CommandError(`awk: this awk does not know: ${statement}`, 2);
  }

  #assign(target: string, operator: string, value: Value): void {
    const before = Number(this.value(target)) || 0;
    const operand = Number(value) || 0;
    const results: Readonly<Record<string, Value>> = {
      '=': value,
      '+=': before + operand,
      '-=': before - operand,
      '*=': before * operand,
      '/=': before / operand,
    };
    const result = results[operator] ?? value;
    if (!target.startsWith('$')) {
      this.#variables.set(target, result);
      return;
    }
    this.#fields[Number(target.slice(1)) - 1] = textOf(result);
    this.#line = this.#fields.join(' ');
  }

  isTrue(value: Value): boolean {
    return typeof value === 'number' ? value !== 0 : value !== '' && value !== '0';
  }

  /** Evaluates an expression: `||`, `&&`, comparisons, sums, concatenation, in this order. */
  value(expression: string): Value {
    const tokens =
      expression.match(/"(?:\\.|[^"\\])*"|\/(?:\\.|[^/\\])+\/(?=\s*(?:$|[&|)]))|\$?\w+(?:\.\d+)?|\$\(|&&|\|\||[<>=!]=|!~|[-+*/%<>~!()]/g) ??
      [];
    return new Evaluation(tokens, (token) => this.#operand(token)).run();
  }

  #operand(token: string): Value {
    if (token.startsWith('"')) return unescapeAnsi(token.slice(1, -1));
    if (token.startsWith('/')) return new RegExp(token.slice(1, -1)).test(this.#line) ? 1 : 0;
    if (/^\d/.test(token)) return Number(token);
    if (token === '$0') return this.#line;
    if (token.startsWith('$')) {
      const index = Number(/^\$\d/.test(token) ? token.slice(1) : this.#operand(token.slice(1)));
      return this.#fields[index - 1] ?? '';
    }
    if (token === 'NR' || token === 'FNR') return this.#number;
    return token === 'NF' ? this.#fields.length : (this.#variables.get(token) ?? '');
  }
}

class Evaluation {
  readonly #tokens: readonly string[];
  readonly #operand: (token: string) => Value;
  #at = 0;

  constructor(tokens: readonly string[], operand: (token: string) => Value) {
    this.#tokens = tokens;
    this.#operand = operand;
  }

  run(): Value {
    return this.#or();
  }

  #next(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #or(): Value {
    let value = this.#and();
    while (this.#next() === '||') {
      this.#at++;
      const right = this.#and();
      value = isTruthy(value) || isTruthy(right) ? 1 : 0;
    }
    return value;
  }

  #and(): Value {
    let value = this.#comparison();
    while (this.#next() === '&&') {
      this.#at++;
      const right = this.#comparison();
      value = isTruthy(value) && isTruthy(right) ? 1 : 0;
    }
    return value;
  }

  #comparison(): Value {
    const left = this.#concatenation();
    const operator = this.#next();
    if (!/^([<>=!]=|[<>~]|!~)$/.test(operator)) return left;
    this.#at++;
    if (operator.endsWith('~')) {
      const pattern = this.#next();
      this.#at++;
      const hit = new RegExp(pattern.replace(/^["/]|["/]$/g, '')).test(textOf(left));
      return hit === (operator === '~') ? 1 : 0;
    }
    const right = this.#concatenation();
    const numeric = isNumeric(left) && isNumeric(right);
    const [a, b] = numeric ? [Number(left), Number(right)] : [textOf(left), textOf(right)];
    const results: Readonly<Record<string, boolean>> = { '==': a === b, '!=': a !== b, '<': a < b, '>': a > b, '<=': a <= b, '>=': a >= b };
    return results[operator] ? 1 : 0;
  }

  /** Adjacent values are concatenated. */
  #concatenation(): Value {
    let value = this.#sum();
    while (/^["$\w(]/.test(this.#next())) value = textOf(value) + textOf(this.#sum());
    return value;
  }

  #sum(): Value {
    let value = this.#product();
    for (let operator = this.#next(); operator === '+' || operator === '-'; operator = this.#next()) {
      this.#at++;
      const right = Number(this.#product()) || 0;
      value = (Number(value) || 0) + (operator === '+' ? right : -right);
    }
    return value;
  }

  #product(): Value {
    let value = this.#unary();
    for (let operator = this.#next(); operator === '*' || operator === '/' || operator === '%'; operator = this.#next()) {
      this.#at++;
      const [left, right] = [Number(value) || 0, Number(this.#unary()) || 0];
      value = operator === '*' ? left * right : operator === '/' ? left / right : left % right;
    }
    return value;
  }

  #unary(): Value {
    const token = this.#next();
    this.#at++;
    if (token === '(' || token === '$(') {
      const value = this.#or();
      this.#at++;
      return token === '(' ? value : this.#operand(`$${value}`);
    }
    if (token === '!') return isTruthy(this.#unary()) ? 0 : 1;
    if (token === '-') return -(Number(this.#unary()) || 0);
    return this.#operand(token);
  }
}

function isTruthy(value: Value): boolean {
  return typeof value === 'number' ? value !== 0 : value !== '';
}

function isNumeric(value: Value): boolean {
  return typeof value === 'number' || /^\s*[-+]?(\d+(?:\.\d*)?|\.\d+)\s*$/.test(value);
}

function textOf(value: Value): string {
  return typeof value === 'number' && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value);
}
