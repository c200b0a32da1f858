import { SelectorError } from './selectors-labels.ts';

/** Selections by field (part 5.3): `metadata.name=a,status.phase!=Running`. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** All must hold; none: everything is selected. */
export type FieldRequirements = readonly FieldRequirement[];

/** @throws SelectorError */
export function parseFieldSelector(text: string): FieldRequirements {
  return (
    terms(text)
      .sort()
      .filter((term) => term !== '')
      .map((term) => readTerm(term, text))
      // Neither field nor value: says nothing.
      .filter(({ field, value }) => field !== '' || value !== '')
  );
}

/** Cuts at commas that are not escaped. */
function terms(text: string): string[] {
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

function readTerm(term: string, whole: string): FieldRequirement {
  const match = /!=|==|=/.exec(term);
  if (!match) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${term}'`);
  const [operator] = match;
  return { field: term.slice(0, match.index), equal: operator !== '!=', value: unescaped(term.slice(match.index + operator.length)) };
}

function unescaped(text: string): string {
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

/** As the real server writes it back. */
export function formatFieldRequirements(requirements: FieldRequirements): string {
  return requirements.map(({ field, equal, value }) => `${field}${equal ? '=' : '!='}${escapedValue(value)}`).join(',');
}

function escapedValue(value: string): string {
  return value.replace(/[\\,=]/g, (char) => `\\${char}`);
}

/** `read` gives a field's text; what an object lacks is the empty text. */
export function matchesFields(requirements: FieldRequirements, read: (field: string) => string): boolean {
  return requirements.every(({ field, equal, value }) => (read(field) === value) === equal);
}

/** The one value that the selector leaves for a field, if it does. */
export function requiredValue(requirements: FieldRequirements, field: string): string | undefined {
  return requirements.find((requirement) => requirement.equal && requirement.field === field)?.value;
}
