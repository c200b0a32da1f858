/**
 * What may be a name, a label, a key (part 2.2): each function returns what is wrong with a text, in the real server's words and order,
 * and nothing when it is right. Lengths are in bytes.
 */
export type NameRule = (value: string) => readonly string[];

/** Bytes of the text in UTF-8; counted, since every write asks this of many short texts. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes++;
    // Two halves of a pair are four bytes together; a half alone becomes the sign for what is no text, of three.
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
  // A text is never shorter in bytes than in code units, so short ones need no encoding.
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

/** As names of DNS that no host bears may be: `_sip._tcp.example.com`. */
export const isDns1123SubdomainWithUnderscore: NameRule = (value) => [
  ...tooLong(value, 253),
  ...(new RegExp(`^${underscoredText}$`).test(value) ? [] : [underscoredError]),
];

/** Names that become host names of their own: namespaces, containers. */
export const isDns1123Label: NameRule = (value) => {
  const length = tooLong(value, 63);
  if (label.test(value)) return length;
  return [...length, subdomain.test(value) ? 'must not contain dots' : labelError];
};

/** Names of Services. */
export const isDns1035Label: NameRule = matching(
  63,
  /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
);

export const isWildcardDns1123Subdomain: NameRule = matching(
  253,
  new RegExp(`^\\*\\.${subdomainText}$`),
  `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.${subdomainText}')`,
);

/** Values of labels. */
export const isLabelValue: NameRule = matching(
  63,
  labelValue,
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${qualifiedText})?')`,
);

export const isCIdentifier: NameRule = matching(
  undefined,
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')",
);

export const isHttpHeaderName: NameRule = matching(
  undefined,
  /^[-A-Za-z0-9]+$/,
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
);

export const isPercent: NameRule = matching(
  undefined,
  /^[0-9]+%$/,
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
);

function matching(max: number | undefined, pattern: RegExp, error: string): NameRule {
  return (value) => [...(max === undefined ? [] : tooLong(value, max)), ...(pattern.test(value) ? [] : [error])];
}

/** Keys of labels and annotations, finalizers, taints: `example.com/name`, `name`. */
export const isQualifiedName: NameRule = (value) => {
  // Most names are right, and this is asked of each of many.
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

/** Without those that begin with a dot, some of which are wrong. */
const plainConfigMapKey = /^[-_a-zA-Z0-9][-._a-zA-Z0-9]{0,252}$/;

/** Keys of ConfigMaps and Secrets: they become file names. */
export const isConfigMapKey: NameRule = (value) => {
  // Most keys are right, and an object may have many.
  if (plainConfigMapKey.test(value)) return [];
  const errors = [...tooLong(value, 253)];
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) {
    errors.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  return [...errors, ...leavingDirectory(value)];
};

/** Names of environment variables, as they were before any printable character became legal. */
export const isEnvVarName: NameRule = (value) => {
  const errors: string[] = [];
  if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(value)) {
    errors.push(
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
    );
  }
  return [...errors, ...leavingDirectory(value)];
};

export const isRelaxedEnvVarName: NameRule = (value) => {
  if (value === '') return ['environment variable name must be non-empty'];
  const printable = /^[ -<>-~]+$/.test(value);
  return printable ? [] : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

function leavingDirectory(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Names of ports: IANA service names. */
export const isPortName: NameRule = (value) => {
  const errors = [...tooLong(value, 15)];
  if (!/^[-a-z0-9]+$/.test(value)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
};

/** Names that need only fit into a URL path: RBAC objects. */
export const isPathSegmentName: NameRule = (value) => {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return isPathSegmentPrefix(value);
};

const isPathSegmentPrefix: NameRule = (value) =>
  ['/', '%'].filter((illegal) => value.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);

/** How objects of a kind are named, whole or as the prefix that generateName gives. */
export interface ObjectNameRule {
  readonly name: NameRule;
  readonly prefix: NameRule;
}

/** A prefix may end in a dash, which the generated part will follow. */
function withPrefix(name: NameRule): ObjectNameRule {
  return { name, prefix: (value) => name(value.length > 1 && value.endsWith('-') ? `${value.slice(0, -2)}a` : value) };
}

export const subdomainNames: ObjectNameRule = withPrefix(isDns1123Subdomain);
export const labelNames: ObjectNameRule = withPrefix(isDns1123Label);
export const dns1035Names: ObjectNameRule = withPrefix(isDns1035Label);
export const pathSegmentNames: ObjectNameRule = { name: isPathSegmentName, prefix: isPathSegmentPrefix };
