import type { Word } from './ast.ts';
import { regExpSource } from './builtins/regular-expression.ts';
import { evaluateUnary } from './builtins/test.ts';
import type { Expander } from './context.ts';
import { ShellSyntaxError } from './errors.ts';
import { resolvePath } from './files.ts';
import { evaluateArithmetic, setArray } from './variables.ts';
import { literalText } from './word-reader.ts';

type Token = Word | string;

/** `[[ … ]]`. @throws ShellSyntaxError */
export async function runCondition(tokens: readonly Token[], expander: Expander): Promise<number> {
  const condition = new Condition(tokens, expander);
  const holds = await condition.or(true);
  condition.expectEnd();
  return holds ? 0 : 1;
}

function tokenText(token: Token | undefined): string {
  return token === undefined ? ']]' : typeof token === 'string' ? token : literalText(token);
}

const numericOperators: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
};
const binaryOperators: ReadonlySet<string> = new Set(['=', '==', '!=', '=~', '<', '>', ...Object.keys(numericOperators)]);

/** Parses and evaluates in one pass; operands behind `false &&` are only parsed. */
class Condition {
  readonly #tokens: readonly Token[];
  readonly #expander: Expander;
  #at = 0;

  constructor(tokens: readonly Token[], expander: Expander) {
    this.#tokens = tokens;
    this.#expander = expander;
  }

  async or(isEvaluated: boolean): Promise<boolean> {
    let holds = await this.#and(isEvaluated);
    while (this.#take('||')) holds = (await this.#and(isEvaluated && !holds)) || holds;
    return holds;
  }

  expectEnd(): void {
    const token = this.#tokens[this.#at];
    if (token !== undefined)
      throw new ShellSyntaxError(`conditional binary operator expected\nsh: syntax error near \`${tokenText(token)}'`);
  }

  async #and(isEvaluated: boolean): Promise<boolean> {
    let holds = await this.#primary(isEvaluated);
    while (this.#take('&&')) holds = (await this.#primary(isEvaluated && holds)) && holds;
    return holds;
  }

  async #primary(isEvaluated: boolean): Promise<boolean> {
    if (this.#take('!')) return !(await this.#primary(isEvaluated));
    if (this.#take('(')) {
      const holds = await this.or(isEvaluated);
      if (!this.#take(')')) throw new ShellSyntaxError(`unexpected token \`${tokenText(this.#tokens[this.#at])}', expected \`)'`);
      return holds;
    }
    const first = this.#operand('conditional unary operator');
    const operator = tokenText(this.#tokens[this.#at]);
    if (binaryOperators.has(operator)) {
      this.#at++;
      const second = this.#operand('conditional binary operator');
      return isEvaluated && this.#compare(first, operator, second);
    }
    if (/^-[a-zA-Z]$/.test(literalText(first)) && this.#tokens[this.#at] !== undefined) return this.#unary(literalText(first), isEvaluated);
    return isEvaluated && (await this.#expander.text(first)) !== '';
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#at];
    const found = token === sign || (sign === '!' && token !== undefined && tokenText(token) === sign);
    if (found) this.#at++;
    return found;
  }

  #operand(of: string): Word {
    const token = this.#tokens[this.#at];
    if (token === undefined || typeof token === 'string') throw new ShellSyntaxError(`unexpected argument \`${tokenText(token)}' to ${of}`);
    this.#at++;
    return token;
  }

  async #unary(operator: string, isEvaluated: boolean): Promise<boolean> {
    if (typeof this.#tokens[this.#at] === 'string') return true;
    const operand = await this.#expander.text(this.#operand('conditional unary operator'));
    const { state, shell } = this.#expander;
    return isEvaluated && evaluateUnary(operator, operand, { state, shell, path: (path) => resolvePath(state.directory, path) });
  }

  async #compare(left: Word, operator: string, right: Word): Promise<boolean> {
    const expander = this.#expander;
    const text = await expander.text(left);
    const compare = numericOperators[operator];
    if (compare)
      return compare(
        evaluateArithmetic(text, expander.state, 'sh: [[: '),
        evaluateArithmetic(await expander.text(right), expander.state, 'sh: [[: '),
      );
    switch (operator) {
      case '=~':
        return this.#matches(text, right);
      case '<':
        return text < (await expander.text(right));
      case '>':
        return text > (await expander.text(right));
      default:
        return (await expander.pattern(right)).test(text) === (operator !== '!=');
    }
  }

  /** Sets `BASH_REMATCH` to the match and its groups. */
  async #matches(text: string, right: Word): Promise<boolean> {
    let source = '';
    for (const part of right) {
      const one = await this.#expander.text([part]);
      source += regExpSource(one, part.quoted ? 'fixed' : 'extended');
    }
    const found = new RegExp(source, 's').exec(text);
    setArray('BASH_REMATCH', found ? [...found].map((one) => one ?? '') : [], this.#expander.state);
    return found !== null;
  }
}
