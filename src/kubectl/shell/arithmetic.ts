import { CommandError } from './errors.ts';

/** What an expression may read and change: `name` and `name[index]`. */
export interface NumberVariables {
  get(name: string): string;
  set(name: string, value: string): void;
}

/** How deep variables may name others that are expressions again. */
const depthMax = 1024;

/**
 * What is between `((` and `))`: whole numbers of 64 bits, variables, the operators of C. `says` is what an error begins with.
 * @throws CommandError it is none, or divides by nothing
 */
export function evaluate(expression: string, variables: NumberVariables, says: string, depth = 0): bigint {
  if (depth > depthMax)
    throw new CommandError(`${says}${expression}: expression recursion level exceeded (error token is "${expression}")`);
  return new Evaluation(expression.trim(), variables, says, depth).whole();
}

type Operator = (left: bigint, right: bigint) => bigint;

const truth = (value: boolean): bigint => (value ? 1n : 0n);
const operators: Readonly<Record<string, Operator>> = {
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
  '&': (left, right) => left & right,
  '==': (left, right) => truth(left === right),
  '!=': (left, right) => truth(left !== right),
  '<': (left, right) => truth(left < right),
  '>': (left, right) => truth(left > right),
  '<=': (left, right) => truth(left <= right),
  '>=': (left, right) => truth(left >= right),
  '<<': (left, right) => left << (right & 63n),
  '>>': (left, right) => left >> (right & 63n),
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};
/** Loosest first, below `||` and `&&`. */
const levels: readonly (readonly string[])[] = [
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

interface Place {
  readonly name: string;
  readonly at: number;
}

class Evaluation {
  readonly #expression: string;
  readonly #variables: NumberVariables;
  readonly #says: string;
  readonly #depth: number;
  #at = 0;
  /** Behind a `false &&` things are read and not done. */
  #idle = 0;

  constructor(expression: string, variables: NumberVariables, says: string, depth: number) {
    this.#expression = expression;
    this.#variables = variables;
    this.#says = says;
    this.#depth = depth;
  }

  whole(): bigint {
    if (this.#expression === '') return 0n;
    const value = this.#list();
    const rest = this.#peek();
    if (rest) throw this.#wrong('syntax error in expression', rest);
    return value;
  }

  #wrong(what: string, { at }: { readonly at: number }): CommandError {
    return new CommandError(`${this.#says}${this.#expression}: ${what} (error token is "${this.#expression.slice(at)}")`);
  }

  #peek(): Token | undefined {
    const match = /\s*(\w+(?:#\w+)?(?:\[[^\]]*\])?|\*\*|\+\+|--|(?:<<|>>|[-+*/%&|^])=|<<|>>|[<>=!]=|&&|\|\||[-+*/%()<>!?:~&|^=,])/y;
    match.lastIndex = this.#at;
    const [whole, text = ''] = match.exec(this.#expression) ?? [];
    const at = this.#at + ((whole?.length ?? 0) - text.length);
    if (whole === undefined && this.#expression.slice(this.#at).trim() !== '') {
      throw this.#wrong('syntax error: invalid arithmetic operator', {
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

  #list(): bigint {
    let value = this.#choice();
    while (this.#take(',')) value = this.#choice();
    return value;
  }

  #choice(): bigint {
    const condition = this.#either();
    if (!this.#take('?')) return condition;
    const yes = this.#only(condition !== 0n, () => this.#choice());
    if (!this.#take(':')) throw this.#wrong("`:' expected for conditional expression", this.#lastToken());
    const no = this.#only(condition === 0n, () => this.#choice());
    return condition === 0n ? no : yes;
  }

  #only(done: boolean, read: () => bigint): bigint {
    if (!done) this.#idle++;
    const value = read();
    if (!done) this.#idle--;
    return value;
  }

  #either(): bigint {
    let left = this.#both();
    while (this.#take('||')) left = truth(this.#only(left === 0n, () => this.#both()) !== 0n || left !== 0n);
    return left;
  }

  #both(): bigint {
    let left = this.#level(0);
    while (this.#take('&&')) left = truth(this.#only(left !== 0n, () => this.#level(0)) !== 0n && left !== 0n);
    return left;
  }

  #level(level: number): bigint {
    const signs = levels[level];
    if (!signs) return this.#power();
    let left = this.#level(level + 1);
    for (let sign = this.#take(...signs); sign; sign = this.#take(...signs))
      left = this.#apply(sign.text, left, () => this.#level(level + 1));
    return left;
  }

  #apply(sign: string, left: bigint, read: () => bigint): bigint {
    const right = read();
    if (right !== 0n || (sign !== '/' && sign !== '%')) return BigInt.asIntN(64, operators[sign]?.(left, right) ?? right);
    if (this.#idle > 0) return 0n;
    throw this.#wrong('division by 0', this.#lastToken());
  }

  #power(): bigint {
    const base = this.#primary();
    if (!this.#take('**')) return base;
    const exponent = this.#power();
    if (exponent < 0n) throw this.#wrong('exponent less than 0', this.#lastToken());
    return BigInt.asIntN(64, base ** exponent);
  }

  /** Where the operand began that was read last. */
  #lastToken(): Token {
    const text = /\w+$|.$/s.exec(this.#expression.slice(0, this.#at).trimEnd())?.[0] ?? '';
    return { text, at: this.#expression.slice(0, this.#at).trimEnd().length - text.length };
  }

  #primary(): bigint {
    const step = this.#take('++', '--');
    if (step) return this.#step(this.#place(step), step.text, true);
    const sign = this.#take('-', '+', '!', '~');
    if (sign) {
      const value = this.#primary();
      return { '-': -value, '+': value, '!': truth(value === 0n), '~': ~value }[sign.text] ?? value;
    }
    const token = this.#peek();
    if (token?.text === '(') return this.#bracketed();
    if (!token || !/^\w/.test(token.text)) throw this.#wrong('syntax error: operand expected', token ?? this.#lastToken());
    if (/^[A-Za-z_]/.test(token.text)) return this.#variable();
    this.#at = token.at + token.text.length;
    const assigns = this.#peek();
    if (assigns?.text === '=') throw this.#wrong('attempted assignment to non-variable', assigns);
    return this.#number(token);
  }

  #bracketed(): bigint {
    this.#take('(');
    const value = this.#list();
    if (!this.#take(')')) throw this.#wrong("missing `)'", this.#lastToken());
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
      if (!(one < base)) throw this.#wrong('value too great for base', token);
      value = value * BigInt(base) + BigInt(one);
    }
    return BigInt.asIntN(64, value);
  }

  #place(before: Token): Place {
    const token = this.#peek();
    if (!token || !/^[A-Za-z_]/.test(token.text)) throw this.#wrong('syntax error: operand expected', token ?? before);
    this.#at = token.at + token.text.length;
    return { name: token.text, at: token.at };
  }

  #variable(): bigint {
    const place = this.#place({ text: '', at: this.#at });
    const step = this.#take('++', '--');
    if (step) return this.#step(place, step.text, false);
    const assigns = this.#take('=', '+=', '-=', '*=', '/=', '%=', '<<=', '>>=', '&=', '^=', '|=');
    if (!assigns) return this.#valueOf(place);
    if (!this.#peek()) throw this.#wrong('syntax error: operand expected', assigns);
    const before = assigns.text === '=' ? 0n : this.#valueOf(place);
    return this.#set(
      place,
      this.#apply(assigns.text.slice(0, -1), before, () => this.#choice()),
    );
  }

  #step(place: Place, sign: string, before: boolean): bigint {
    const value = this.#valueOf(place);
    const next = this.#set(place, value + (sign === '++' ? 1n : -1n));
    return before ? next : value;
  }

  #set({ name }: Place, value: bigint): bigint {
    if (this.#idle === 0) this.#variables.set(name, String(value));
    return value;
  }

  #valueOf({ name }: Place): bigint {
    if (this.#idle > 0) return 0n;
    return evaluate(this.#variables.get(name), this.#variables, this.#says, this.#depth + 1);
  }
}
