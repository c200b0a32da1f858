import { SelectorError } from './label-selector.ts';

/** A field selector requirement (part 5.3): `metadata.name=a,status.phase!=Running`. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** All requirements must hold; an empty list selects everything. */
export type FieldRequirements = readonly FieldRequirement[];

/** @throws SelectorError */
export function parseFieldSelector(text: string): FieldRequirements {
  return (
    splitTerms(text)
      .sort()
      .filter((term) => term !== '')
      .map((term) => parseTerm(term, text))
      // Without field and value there is no requirement.
      .filter(({ field, value }) => field !== '' || value !== '')
  );
}

/** Splits at commas that are not escaped. */
function splitTerms(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ',') {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, text.slice(start)];
}

function parseTerm(term: string, whole: string): FieldRequirement {
  const match = /!=|==|=/.exec(term);
  if (!match) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${term}'`);
  const [operator] = match;
  return { field: term.slice(0, match.index), equal: operator !== '!=', value: unescapeValue(term.slice(match.index + operator.length)) };
}

function unescapeValue(text: string): string {
  let value = '';
  let escaped = false;
  for (const char of text) {
    if (escaped) {
      if (!'\\,='.includes(char)) throw new SelectorError(`invalid field selector: invalid escape sequence: \\${char}`);
      value += char;
      escaped = false;
    } else if (char === '\\') escaped = true;
    else if (char === ',' || char === '=') {
      throw new SelectorError(`invalid field selector: unescaped character in value: ${char.codePointAt(0)}`);
    } else value += char;
  }
  if (escaped) throw new SelectorError('invalid field selector: invalid escape sequence: \\');
  return value;
}

/** Formats requirements as the real server does. */
export function formatFieldRequirements(requirements: FieldRequirements): string {
  return requirements.map(({ field, equal, value }) => `${field}${equal ? '=' : '!='}${escapeValue(value)}`).join(',');
}

function escapeValue(value: string): string {
  return value.replace(/[\\,=]/g, (char) => `\\${char}`);
}

/** `read` returns a field's text; absent fields are empty. */
export function matchesFields(requirements: FieldRequirements, read: (field: string) => string): boolean {
  return requirements.every(({ field, equal, value }) => (read(field) === value) === equal);
}

/** The value that the selector requires for a field, if there is exactly one. */
export function requiredValue(requirements: FieldRequirements, field: string): string | undefined {
  return requirements.find((requirement) => requirement.equal && requirement.field === field)?.value;
}
