import { isPathSegmentName, isPathSegmentPrefix } from './path-segment.ts';

/**
 * A validation rule for a name, label or key (part 2.2). Returns the errors of a text with the real server's messages and order; none when
 * it is valid. Lengths are in bytes.
 */
export type NameRule = (value: string) => readonly string[];

/** Length of the text in UTF-8 bytes; counted without encoding, since every write calls it for many short texts. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes++;
    // A surrogate pair is four bytes; a lone surrogate becomes U+FFFD, of three bytes.
    const isHalf = unit >= 0xd800 && unit < 0xe000;
    const isPair = isHalf && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      bytes++;
      at++;
    } else if (unit >= 0x800) bytes++;
  }
  return bytes;
}

const subdomainText = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const labelText = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const qualifiedText = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const subdomain = new RegExp(`^${subdomainText}$`);
const label = new RegExp(`^${labelText}$`);
const qualified = new RegExp(`^${qualifiedText}$`);
const labelValue = new RegExp(`^(${qualifiedText})?$`);

const subdomainError = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainText}')`;
const labelError = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelText}')`;
const qualifiedError = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedText}')`;

function tooLong(value: string, max: number): readonly string[] {
  // A code unit is at most three bytes, so short texts need no count.
  return value.length * 3 > max && byteLength(value) > max ? [maxLengthError(max)] : [];
}

export function maxLengthError(max: number): string {
  return `must be no more than ${max} characters`;
}

/** Names of most objects: `example.com`. */
export const isDns1123Subdomain: NameRule = (value) => [...tooLong(value, 253), ...(subdomain.test(value) ? [] : [subdomainError])];

const underscored = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoredText = `${underscored}(\\.${underscored})*`;
const underscoredError = subdomainError.replace(/'-' or '\.'/, "'_', '-' or '.'").replace(subdomainText, () => underscoredText);

/** DNS names that are not host names: `_sip._tcp.example.com`. */
export const isDns1123SubdomainWithUnderscore: NameRule = (value) => [
  ...tooLong(value, 253),
  ...(new RegExp(`^${underscoredText}$`).test(value) ? [] : [underscoredError]),
];

/** Names that become host names: namespaces, containers. */
export const isDns1123Label: NameRule = (value) => {
  const length = tooLong(value, 63);
  if (label.test(value)) return length;
  return [...length, subdomain.test(value) ? 'must not contain dots' : labelError];
};

/** Service names. */
export const isDns1035Label: NameRule = patternRule(
  63,
  /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
);

export const isWildcardDns1123Subdomain: NameRule = patternRule(
  253,
  new RegExp(`^\\*\\.${subdomainText}$`),
  `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.${subdomainText}')`,
);

/** Label values. */
export const isLabelValue: NameRule = patternRule(
  63,
  labelValue,
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${qualifiedText})?')`,
);

export const isCIdentifier: NameRule = patternRule(
  undefined,
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')",
);

export const isHttpHeaderName: NameRule = patternRule(
  undefined,
  /^[-A-Za-z0-9]+$/,
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
);

export const isPercent: NameRule = patternRule(
  undefined,
  /^[0-9]+%$/,
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
);

function patternRule(max: number | undefined, pattern: RegExp, error: string): NameRule {
  return (value) => [...(max === undefined ? [] : tooLong(value, max)), ...(pattern.test(value) ? [] : [error])];
}

/** Keys of labels and annotations, finalizers, taint keys: `example.com/name`, `name`. */
export const isQualifiedName: NameRule = (value) => {
  // Fast path: most names are valid, and this rule runs often.
  if (value.length <= 63 && qualified.test(value)) return [];
  if (isPrefixedName(value)) return [];
  const parts = value.split('/');
  if (parts.length > 2) {
    return [`a qualified name ${qualifiedError} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors: string[] = [];
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  if (prefix === '') errors.push('prefix part must be non-empty');
  else if (prefix !== undefined) errors.push(...isDns1123Subdomain(prefix).map((error) => `prefix part ${error}`));
  if (name === '') errors.push('name part must be non-empty');
  else errors.push(...tooLong(name, 63).map((error) => `name part ${error}`));
  if (!qualified.test(name)) errors.push(`name part ${qualifiedError}`);
  return errors;
};

function isPrefixedName(value: string): boolean {
  const slash = value.indexOf('/');
  if (slash < 1 || slash > 253 || value.length - slash > 64) return false;
  return qualified.test(value.slice(slash + 1)) && subdomain.test(value.slice(0, slash));
}

/** Without a leading dot, since some keys with one are invalid. */
const plainConfigMapKey = /^[-_a-zA-Z0-9][-._a-zA-Z0-9]{0,252}$/;

/** Keys of ConfigMaps and Secrets, which become file names. */
export const isConfigMapKey: NameRule = (value) => {
  // Fast path: most keys are valid, and an object may have many.
  if (plainConfigMapKey.test(value)) return [];
  const errors = [...tooLong(value, 253)];
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) {
    errors.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  return [...errors, ...relativePathErrors(value)];
};

/** Names of environment variables, before any printable character became valid. */
export const isEnvVarName: NameRule = (value) => {
  const errors: string[] = [];
  if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(value)) {
    errors.push(
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
    );
  }
  return [...errors, ...relativePathErrors(value)];
};

export const isRelaxedEnvVarName: NameRule = (value) => {
  if (value === '') return ['environment variable name must be non-empty'];
  const printable = /^[ -<>-~]+$/.test(value);
  return printable ? [] : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

function relativePathErrors(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Port names: IANA service names. */
export const isPortName: NameRule = (value) => {
  const errors = [...tooLong(value, 15)];
  if (!/^[-a-z0-9]+$/.test(value)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
};

/** Name rules of a kind: for whole names, and for the prefix in generateName. */
export interface ObjectNameRule {
  readonly name: NameRule;
  readonly prefix: NameRule;
}

/** A prefix may end in a dash, since the generated suffix follows it. */
function withGenerateName(name: NameRule): ObjectNameRule {
  return { name, prefix: (value) => name(value.length > 1 && value.endsWith('-') ? `${value.slice(0, -2)}a` : value) };
}

export const subdomainNames: ObjectNameRule = withGenerateName(isDns1123Subdomain);
export const labelNames: ObjectNameRule = withGenerateName(isDns1123Label);
export const dns1035Names: ObjectNameRule = withGenerateName(isDns1035Label);
export const pathSegmentNames: ObjectNameRule = { name: isPathSegmentName, prefix: isPathSegmentPrefix };
