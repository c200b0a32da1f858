import { type FieldError, fieldErrorTexts, invalid, notSupported } from '../errors/field-error.ts';
import { isLabelValue, isQualifiedName } from '../names/names.ts';

/** Label selectors (part 5.3): the language of the query parameter, and LabelSelector objects. */
export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and deduplicated when they come from the query parameter. */
  readonly values: readonly string[];
}

/** All requirements must hold; an empty list selects everything. Sorted by key. */
export type LabelRequirements = readonly LabelRequirement[];

export type Labels = Readonly<Record<string, string>>;

/** Invalid selector; the message is the real server's. */
export class SelectorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SelectorError';
  }
}

/** @throws SelectorError */
export function parseLabelSelector(text: string): LabelRequirements {
  return sortByKey(new LabelParser(text).parse());
}

/** Formats requirements as the real server does. */
export function formatLabelRequirements(requirements: LabelRequirements): string {
  return requirements.map(formatRequirement).join(',');
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${[...values].sort().join(',')})`;
    case 'gt':
      return `${key}>${values[0]}`;
    case 'lt':
      return `${key}<${values[0]}`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}

export function matchesLabels(requirements: LabelRequirements, labels: Labels): boolean {
  return requirements.every((requirement) => matchesRequirement(requirement, labels));
}

function matchesRequirement({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value);
    case 'gt':
    case 'lt': {
      const [have, limit] = [parseInteger(value ?? ''), parseInteger(values[0] ?? '')];
      if (have === undefined || limit === undefined) return false;
      return operator === 'gt' ? have > limit : have < limit;
    }
    default:
      return value !== undefined && values.includes(value);
  }
}

/** Like strconv.ParseInt with 64 bits. */
function parseInteger(text: string): bigint | undefined {
  if (!/^[-+]?\d{1,40}$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function sortByKey(requirements: LabelRequirements): LabelRequirements {
  return [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** @throws SelectorError */
function requirementOf(key: string, operator: LabelOperator, values: readonly string[] | undefined): LabelRequirement {
  const errors = [...keyErrors(key, 'key'), ...valueErrors(operator, values)];
  for (const [index, value] of (values ?? []).entries()) {
    const wrong = isLabelValue(value);
    if (wrong.length > 0) errors.push(invalid(`values[${index}][${key}]`, value, wrong.join('; ')));
  }
  if (errors.length > 0) throw new SelectorError(formatErrors(errors));
  return { key, operator, values: values ?? [] };
}

function keyErrors(key: string, field: string): readonly FieldError[] {
  const wrong = isQualifiedName(key);
  return wrong.length > 0 ? [invalid(field, key, wrong.join('; '))] : [];
}

function valueErrors(operator: LabelOperator, given: readonly string[] | undefined): readonly FieldError[] {
  const values = given ?? [];
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length > 0 ? [] : [invalid('values', given, "for 'in', 'notin' operators, values set can't be empty")];
    case 'exists':
    case '!':
      return values.length === 0 ? [] : [invalid('values', given, 'values set must be empty for exists and does not exist')];
    case 'gt':
    case 'lt':
      return values
        .map((value, index) => ({ value, field: `values[${index}]` }))
        .filter(({ value }) => parseInteger(value) === undefined)
        .map(({ value, field }) => invalid(field, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? [] : [invalid('values', given, 'exact-match compatibility requires one single value')];
    default:
      return [notSupported('operator', operator satisfies never, [])];
  }
}

function formatErrors(errors: readonly FieldError[]): string {
  const lines = fieldErrorTexts(errors);
  return lines.length === 1 ? `${lines[0]}` : `[${lines.join(', ')}]`;
}

type TokenKind = 'identifier' | 'end' | LabelMark;
type LabelMark = '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const operatorOf: Readonly<Partial<Record<TokenKind, LabelOperator>>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

const marks: ReadonlySet<string> = new Set<LabelMark>(['(', ')', ',', '!', '=', '==', '!=', '>', '<', 'in', 'notin']);
const isMark = (text: string): text is LabelMark => marks.has(text);

function tokensOf(text: string): readonly Token[] {
  const pieces = text.match(/==|!=|[()=!,<>]|[^()=!,<>\s]+/g) ?? [];
  return pieces.map((piece) => ({ kind: isMark(piece) ? piece : 'identifier', text: piece }));
}

/** Recursive descent parser like apimachinery's labels.Parser: its errors and their order are part of the API. */
class LabelParser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  parse(): LabelRequirements {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.#peek();
      if (next.kind === 'end') return requirements;
      if (next.kind !== 'identifier' && next.kind !== '!') {
        throw new SelectorError(`found '${next.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const after = this.#next();
      if (after.kind === 'end') return requirements;
      if (after.kind !== ',') throw new SelectorError(`found '${after.text}', expected: ',' or 'end of string'`);
      const then = this.#peek();
      if (then.kind !== 'identifier' && then.kind !== '!') {
        throw new SelectorError(`found '${then.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    try {
      return this.#readRequirement();
    } catch (error) {
      if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  #readRequirement(): LabelRequirement {
    let token = this.#next();
    const negated = token.kind === '!';
    if (negated) token = this.#next();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    const errors = keyErrors(token.text, '<nil>');
    if (errors.length > 0) throw new SelectorError(formatErrors(errors));
    if (negated) return requirementOf(token.text, '!', []);
    const next = this.#peek();
    if (next.kind === 'end' || next.kind === ',') return requirementOf(token.text, 'exists', []);
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#valueList() : [this.#exactValue()];
    return requirementOf(token.text, operator, [...new Set(values)].sort());
  }

  #operator(): LabelOperator {
    const token = this.#tokens[this.#at++] ?? endToken;
    const operator = operatorOf[token.kind];
    if (operator === undefined) throw new SelectorError(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    return operator;
  }

  #exactValue(): string {
    const next = this.#peek();
    if (next.kind === 'end' || next.kind === ',') return '';
    const token = this.#next();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #valueList(): readonly string[] {
    const open = this.#next();
    if (open.kind !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
    const next = this.#peek();
    if (next.kind === ')') {
      this.#next();
      return [''];
    }
    if (next.kind !== 'identifier' && next.kind !== ',') {
      throw new SelectorError(`found '${next.text}', expected: ',', ')' or identifier`);
    }
    const values = this.#identifiers();
    this.#next();
    return values;
  }

  /** Reads up to the closing parenthesis, without consuming it; missing values are empty texts. */
  #identifiers(): readonly string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#next();
      if (token.kind === 'identifier') values.push(token.text);
      else if (token.kind !== ',') throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
      else if (values.length === 0) values.push('');
      const next = this.#peek();
      if (next.kind === ')') return token.kind === ',' ? [...values, ''] : values;
      if (token.kind === 'identifier' && next.kind !== ',') throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
      if (token.kind === ',' && next.kind === ',') {
        this.#next();
        values.push('');
      }
    }
  }

  /** `in` and `notin` are ordinary identifiers where a key or value is expected. */
  #peek(): Token {
    const token = this.#tokens[this.#at] ?? endToken;
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
  }

  #next(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }
}

const endToken: Token = { kind: 'end', text: '' };

/** The LabelSelector of objects (matchLabels, matchExpressions). */
export interface LabelSelector {
  readonly matchLabels?: Labels | null;
  readonly matchExpressions?:
    | readonly { readonly key?: string; readonly operator?: string; readonly values?: readonly string[] | null }[]
    | null;
}

const expressionOperators: Readonly<Record<string, LabelOperator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/** An empty selector selects everything; the caller handles an absent one. @throws SelectorError */
export function labelSelectorRequirements(selector: LabelSelector): LabelRequirements {
  const fromLabels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => requirementOf(key, '=', [value]));
  const fromExpressions = (selector.matchExpressions ?? []).map(({ key = '', operator = '', values }) => {
    const known = Object.hasOwn(expressionOperators, operator) ? expressionOperators[operator] : undefined;
    if (known === undefined) throw new SelectorError(`${JSON.stringify(operator)} is not a valid label selector operator`);
    return requirementOf(key, known, values ?? undefined);
  });
  return sortByKey([...fromLabels, ...fromExpressions]);
}
