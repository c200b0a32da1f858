import type { Word } from './ast.ts';
import { regExpSource } from './builtins/regular-expression.ts';
import { holdsOf } from './builtins/test.ts';
import type { Expander } from './context.ts';
import { ShellSyntaxError } from './errors.ts';
import { resolvePath } from './files.ts';
import { literal } from './reader.ts';
import { calculate, setArray } from './variables.ts';

type Token = Word | string;

/** `[[ … ]]`. @throws ShellSyntaxError */
export async function runCondition(tokens: readonly Token[], by: Expander): Promise<number> {
  const condition = new Condition(tokens, by);
  const holds = await condition.either(true);
  condition.expectEnd();
  return holds ? 0 : 1;
}

function said(token: Token | undefined): string {
  return token === undefined ? ']]' : typeof token === 'string' ? token : literal(token);
}

const numeric: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
};
const comparing: ReadonlySet<string> = new Set(['=', '==', '!=', '=~', '<', '>', ...Object.keys(numeric)]);

/** Reads and judges at once; what is behind a `false &&` is only read. */
class Condition {
  readonly #tokens: readonly Token[];
  readonly #by: Expander;
  #at = 0;

  constructor(tokens: readonly Token[], by: Expander) {
    this.#tokens = tokens;
    this.#by = by;
  }

  async either(counts: boolean): Promise<boolean> {
    let holds = await this.#both(counts);
    while (this.#take('||')) holds = (await this.#both(counts && !holds)) || holds;
    return holds;
  }

  expectEnd(): void {
    const token = this.#tokens[this.#at];
    if (token !== undefined) throw new ShellSyntaxError(`conditional binary operator expected\nsh: syntax error near \`${said(token)}'`);
  }

  async #both(counts: boolean): Promise<boolean> {
    let holds = await this.#one(counts);
    while (this.#take('&&')) holds = (await this.#one(counts && holds)) && holds;
    return holds;
  }

  async #one(counts: boolean): Promise<boolean> {
    if (this.#take('!')) return !(await this.#one(counts));
    if (this.#take('(')) {
      const holds = await this.either(counts);
      if (!this.#take(')')) throw new ShellSyntaxError(`unexpected token \`${said(this.#tokens[this.#at])}', expected \`)'`);
      return holds;
    }
    const first = this.#operand('conditional unary operator');
    const operator = said(this.#tokens[this.#at]);
    if (comparing.has(operator)) {
      this.#at++;
      const second = this.#operand('conditional binary operator');
      return counts && this.#compare(first, operator, second);
    }
    if (/^-[a-zA-Z]$/.test(literal(first)) && this.#tokens[this.#at] !== undefined) return this.#unary(literal(first), counts);
    return counts && (await this.#by.text(first)) !== '';
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#at];
    const found = token === sign || (sign === '!' && token !== undefined && said(token) === sign);
    if (found) this.#at++;
    return found;
  }

  #operand(of: string): Word {
    const token = this.#tokens[this.#at];
    if (token === undefined || typeof token === 'string') throw new ShellSyntaxError(`unexpected argument \`${said(token)}' to ${of}`);
    this.#at++;
    return token;
  }

  async #unary(operator: string, counts: boolean): Promise<boolean> {
    if (typeof this.#tokens[this.#at] === 'string') return true;
    const operand = await this.#by.text(this.#operand('conditional unary operator'));
    const { state, shell } = this.#by;
    return counts && holdsOf(operator, operand, { state, shell, path: (path) => resolvePath(state.directory, path) });
  }

  async #compare(left: Word, operator: string, right: Word): Promise<boolean> {
    const by = this.#by;
    const text = await by.text(left);
    const compare = numeric[operator];
    if (compare) return compare(calculate(text, by.state, 'sh: [[: '), calculate(await by.text(right), by.state, 'sh: [[: '));
    switch (operator) {
      case '=~':
        return this.#matches(text, right);
      case '<':
        return text < (await by.text(right));
      case '>':
        return text > (await by.text(right));
      default:
        return (await by.pattern(right)).test(text) === (operator !== '!=');
    }
  }

  /** What was found is `BASH_REMATCH`, as is what its brackets found. */
  async #matches(text: string, right: Word): Promise<boolean> {
    let source = '';
    for (const part of right) {
      const one = await this.#by.text([part]);
      source += regExpSource(one, part.quoted ? 'fixed' : 'extended');
    }
    const found = new RegExp(source, 's').exec(text);
    setArray('BASH_REMATCH', found ? [...found].map((one) => one ?? '') : [], this.#by.state);
    return found !== null;
  }
}
