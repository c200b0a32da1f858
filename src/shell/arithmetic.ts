import { CommandError } from './errors.ts';

/** The variables of an expression: `name` and `name[index]`. */
export interface VariableAccess {
  get(name: string): string;
  set(name: string, value: string): void;
}

/** Limit of recursion through variables whose values are expressions. */
const recursionMax = 1024;

/**
 * Evaluates the content of `((…))`: 64-bit integers, variables and the operators of C. `errorPrefix` starts error messages.
 * @throws CommandError on a syntax error or a division by zero
 */
export function evaluate(expression: string, variables: VariableAccess, errorPrefix: string, depth = 0): bigint {
  if (depth > recursionMax)
    throw new CommandError(`${errorPrefix}${expression}: expression recursion level exceeded (error token is "${expression}")`);
  return new Evaluation(expression.trim(), variables, errorPrefix, depth).run();
}

type Operator = (left: bigint, right: bigint) => bigint;

const fromBoolean = (value: boolean): bigint => (value ? 1n : 0n);
const operators: Readonly<Record<string, Operator>> = {
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
  '&': (left, right) => left & right,
  '==': (left, right) => fromBoolean(left === right),
  '!=': (left, right) => fromBoolean(left !== right),
  '<': (left, right) => fromBoolean(left < right),
  '>': (left, right) => fromBoolean(left > right),
  '<=': (left, right) => fromBoolean(left <= right),
  '>=': (left, right) => fromBoolean(left >= right),
  '<<': (left, right) => left << (right & 63n),
  '>>': (left, right) => left >> (right & 63n),
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};
/** From lowest to highest precedence, above `||` and `&&`. */
const precedenceLevels: readonly (readonly string[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

interface Token {
  readonly text: string;
  readonly at: number;
}

interface VariableReference {
  readonly name: string;
  readonly at: number;
}

class Evaluation {
  readonly #expression: string;
  readonly #variables: VariableAccess;
  readonly #errorPrefix: string;
  readonly #depth: number;
  #at = 0;
  /** Above zero, expressions are parsed without side effects (behind `false &&`). */
  #skipDepth = 0;

  constructor(expression: string, variables: VariableAccess, errorPrefix: string, depth: number) {
    this.#expression = expression;
    this.#variables = variables;
    this.#errorPrefix = errorPrefix;
    this.#depth = depth;
  }

  run(): bigint {
    if (this.#expression === '') return 0n;
    const value = this.#comma();
    const rest = this.#peek();
    if (rest) throw this.#error('syntax error in expression', rest);
    return value;
  }

  #error(what: string, { at }: { readonly at: number }): CommandError {
    return new CommandError(`${this.#errorPrefix}${this.#expression}: ${what} (error token is "${this.#expression.slice(at)}")`);
  }

  #peek(): Token | undefined {
    const match = /\s*(\w+(?:#\w+)?(?:\[[^\]]*\])?|\*\*|\+\+|--|(?:<<|>>|[-+*/%&|^])=|<<|>>|[<>=!]=|&&|\|\||[-+*/%()<>!?:~&|^=,])/y;
    match.lastIndex = this.#at;
    const [whole, text = ''] = match.exec(this.#expression) ?? [];
    const at = this.#at + ((whole?.length ?? 0) - text.length);
    if (whole === undefined && this.#expression.slice(this.#at).trim() !== '') {
      throw this.#error('syntax error: invalid arithmetic operator', {
        at: this.#at + (/\S/.exec(this.#expression.slice(this.#at))?.index ?? 0),
      });
    }
    return whole === undefined ? undefined : { text, at };
  }

  #take(...texts: readonly string[]): Token | undefined {
    const token = this.#peek();
    if (!token || !texts.includes(token.text)) return undefined;
    this.#at = token.at + token.text.length;
    return token;
  }

  #comma(): bigint {
    let value = this.#conditional();
    while (this.#take(',')) value = this.#conditional();
    return value;
  }

  #conditional(): bigint {
    const condition = this.#or();
    if (!this.#take('?')) return condition;
    const yes = this.#evaluateIf(condition !== 0n, () => this.#conditional());
    if (!this.#take(':')) throw this.#error("`:' expected for conditional expression", this.#lastToken());
    const no = this.#evaluateIf(condition === 0n, () => this.#conditional());
    return condition === 0n ? no : yes;
  }

  #evaluateIf(done: boolean, read: () => bigint): bigint {
    if (!done) this.#skipDepth++;
    const value = read();
    if (!done) this.#skipDepth--;
    return value;
  }

  #or(): bigint {
    let left = this.#and();
    while (this.#take('||')) left = fromBoolean(this.#evaluateIf(left === 0n, () => this.#and()) !== 0n || left !== 0n);
    return left;
  }

  #and(): bigint {
    let left = this.#binary(0);
    while (this.#take('&&')) left = fromBoolean(this.#evaluateIf(left !== 0n, () => this.#binary(0)) !== 0n && left !== 0n);
    return left;
  }

  #binary(level: number): bigint {
    const signs = precedenceLevels[level];
    if (!signs) return this.#power();
    let left = this.#binary(level + 1);
    for (let sign = this.#take(...signs); sign; sign = this.#take(...signs))
      left = this.#apply(sign.text, left, () => this.#binary(level + 1));
    return left;
  }

  #apply(sign: string, left: bigint, read: () => bigint): bigint {
    const right = read();
    if (right !== 0n || (sign !== '/' && sign !== '%')) return BigInt.asIntN(64, operators[sign]?.(left, right) ?? right);
    if (this.#skipDepth > 0) return 0n;
    throw this.#error('division by 0', this.#lastToken());
  }

  #power(): bigint {
    const base = this.#primary();
    if (!this.#take('**')) return base;
    const exponent = this.#power();
    if (exponent < 0n) throw this.#error('exponent less than 0', this.#lastToken());
    return BigInt.asIntN(64, base ** exponent);
  }

  /** The start of the last parsed operand. */
  #lastToken(): Token {
    const text = /\w+$|.$/s.exec(this.#expression.slice(0, this.#at).trimEnd())?.[0] ?? '';
    return { text, at: this.#expression.slice(0, this.#at).trimEnd().length - text.length };
  }

  #primary(): bigint {
    const step = this.#take('++', '--');
    if (step) return this.#increment(this.#reference(step), step.text, true);
    const sign = this.#take('-', '+', '!', '~');
    if (sign) {
      const value = this.#primary();
      return { '-': -value, '+': value, '!': fromBoolean(value === 0n), '~': ~value }[sign.text] ?? value;
    }
    const token = this.#peek();
    if (token?.text === '(') return this.#parenthesized();
    if (!token || !/^\w/.test(token.text)) throw this.#error('syntax error: operand expected', token ?? this.#lastToken());
    if (/^[A-Za-z_]/.test(token.text)) return this.#variable();
    this.#at = token.at + token.text.length;
    const assigns = this.#peek();
    if (assigns?.text === '=') throw this.#error('attempted assignment to non-variable', assigns);
    return this.#number(token);
  }

  #parenthesized(): bigint {
    this.#take('(');
    const value = this.#comma();
    if (!this.#take(')')) throw this.#error("missing `)'", this.#lastToken());
    return value;
  }

  /** `017`, `0xff`, `2#101`. */
  #number(token: Token): bigint {
    const [, digits, base] = /^0[xX](.*)$/.exec(token.text)
      ? ['', token.text.slice(2), 16]
      : /^\d+#/.test(token.text)
        ? ['', token.text.replace(/^\d+#/, ''), Number.parseInt(token.text, 10)]
        : ['', token.text, token.text.startsWith('0') ? 8 : 10];
    let value = 0n;
    for (const digit of digits.toLowerCase()) {
      const one = Number.parseInt(digit, 36);
      if (!(one < base)) throw this.#error('value too great for base', token);
      value = value * BigInt(base) + BigInt(one);
    }
    return BigInt.asIntN(64, value);
  }

  #reference(before: Token): VariableReference {
    const token = this.#peek();
    if (!token || !/^[A-Za-z_]/.test(token.text)) throw this.#error('syntax error: operand expected', token ?? before);
    this.#at = token.at + token.text.length;
    return { name: token.text, at: token.at };
  }

  #variable(): bigint {
    const place = this.#reference({ text: '', at: this.#at });
    const step = this.#take('++', '--');
    if (step) return this.#increment(place, step.text, false);
    const assigns = this.#take('=', '+=', '-=', '*=', '/=', '%=', '<<=', '>>=', '&=', '^=', '|=');
    if (!assigns) return this.#valueOf(place);
    if (!this.#peek()) throw this.#error('syntax error: operand expected', assigns);
    const before = assigns.text === '=' ? 0n : this.#valueOf(place);
    return this.#assign(
      place,
      this.#apply(assigns.text.slice(0, -1), before, () => this.#conditional()),
    );
  }

  #increment(place: VariableReference, sign: string, before: boolean): bigint {
    const value = this.#valueOf(place);
    const next = this.#assign(place, value + (sign === '++' ? 1n : -1n));
    return before ? next : value;
  }

  #assign({ name }: VariableReference, value: bigint): bigint {
    if (this.#skipDepth === 0) this.#variables.set(name, String(value));
    return value;
  }

  #valueOf({ name }: VariableReference): bigint {
    if (this.#skipDepth > 0) return 0n;
    return evaluate(this.#variables.get(name), this.#variables, this.#errorPrefix, this.#depth + 1);
  }
}
