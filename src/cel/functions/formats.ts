import { isDns1035Label, isDns1123Label, isDns1123Subdomain, isLabelValue, isQualifiedName } from '../../meta/index.ts';
import { ListValue } from '../values/list.ts';
import { OpaqueValue, OptionalValue, type Result } from '../values/value.ts';
import type { Functions } from './functions.ts';
import { parseTimestamp } from './times.ts';
import { requestUrl } from './url-parts.ts';

class NamedFormat extends OpaqueValue {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  /** Upper limit for the pattern length of this format, for cost estimates. */
  readonly maxRegexSize: number;
  readonly problems: (text: string) => readonly string[];

  constructor(name: string, maxRegexSize: number, problems: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.maxRegexSize = maxRegexSize;
    this.problems = problems;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const named: Readonly<Record<string, NamedFormat>> = Object.fromEntries(
  [
    new NamedFormat('dns1123Label', 30, isDns1123Label),
    new NamedFormat('dns1123Subdomain', 60, isDns1123Subdomain),
    new NamedFormat('dns1035Label', 30, isDns1035Label),
    new NamedFormat('qualifiedName', 60, isQualifiedName),
    new NamedFormat('dns1123LabelPrefix', 30, (text) => isDns1123Label(replaceTrailingDash(text))),
    new NamedFormat('dns1123SubdomainPrefix', 60, (text) => isDns1123Subdomain(replaceTrailingDash(text))),
    new NamedFormat('dns1035LabelPrefix', 30, (text) => isDns1035Label(replaceTrailingDash(text))),
    new NamedFormat('labelValue', 40, isLabelValue),
    new NamedFormat('uri', 1103, (text) => {
      const url = requestUrl(text);
      return typeof url === 'string' ? [url] : [];
    }),
    createPatternFormat(
      'uuid',
      71,
      /^(?:[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12})$/i,
      'does not match the UUID format',
    ),
    createPatternFormat('byte', 84, /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/, 'invalid base64'),
    new NamedFormat('date', 71, (text) => (isDate(text) ? [] : ['invalid date'])),
    new NamedFormat('datetime', 71, (text) => (isDatetime(text) ? [] : ['invalid datetime'])),
  ].map((format) => [format.name, format]),
);

function createPatternFormat(name: string, maxRegexSize: number, pattern: RegExp, problem: string): NamedFormat {
  return new NamedFormat(name, maxRegexSize, (text) => (pattern.test(text) ? [] : [problem]));
}

/** A prefix may end in a dash, because more characters follow it. */
function replaceTrailingDash(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -1)}a` : text;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseTimestamp(`${text}T00:00:00Z`) !== undefined;
}

function isDatetime(text: string): boolean {
  return parseTimestamp(text.toUpperCase()) !== undefined;
}

export const formats: Functions = {
  ...Object.fromEntries(Object.entries(named).map(([name, format]) => [`format.${name}`, (): Result => format])),
  'format.named': (name: string): Result => new OptionalValue(Object.hasOwn(named, name) ? named[name] : undefined),
  validate: (format: NamedFormat, text: string): Result => {
    const problems = format.problems(text);
    return new OptionalValue(problems.length === 0 ? undefined : ListValue.of(problems));
  },
};
