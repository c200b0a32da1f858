import { DurationError, parseCidr, parseDuration, parseIp } from '../../meta/index.ts';

/** Whether a text matches a format; unknown formats are not checked. Cf. kube-openapi validation/strfmt. */
type FormatRule = (text: string) => boolean;

const byPattern =
  (pattern: RegExp): FormatRule =>
  (text) =>
    pattern.test(text);

const hexGroup = '[0-9a-f]';
const uuid = (version: string, variant: string): FormatRule =>
  byPattern(new RegExp(`^${hexGroup}{8}-?${hexGroup}{4}-?${version}${hexGroup}{3}-?${variant}${hexGroup}{3}-?${hexGroup}{12}$`, 'i'));
const colorPart = '\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*';
const nameStart = 'a-zA-Z0-9\\p{S}\\p{L}';

const formats: Readonly<Record<string, FormatRule>> = {
  bsonobjectid: byPattern(/^[0-9a-fA-F]{24}$/),
  uri: isRequestUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && parseIp(text) !== undefined,
  ipv6: (text) => text.includes(':') && parseIp(text) !== undefined,
  cidr: (text) => parseCidr(text) !== undefined,
  mac: byPattern(
    /^(?:[\da-f]{2}(?:([:-])[\da-f]{2}(?:\1[\da-f]{2}){4}(?:(?:\1[\da-f]{2}){2}|(?:\1[\da-f]{2}){14})?)|[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4}(?:\.[\da-f]{4}|(?:\.[\da-f]{4}){7})?)$/i,
  ),
  uuid: uuid(hexGroup, hexGroup),
  uuid3: uuid('3', hexGroup),
  uuid4: uuid('4', '[89ab]'),
  uuid5: uuid('5', '[89ab]'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: byPattern(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: byPattern(new RegExp(`^rgb\\(${colorPart},${colorPart},${colorPart}\\)$`)),
  byte: byPattern(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
};

const rules: ReadonlyMap<string, FormatRule> = new Map(Object.entries(formats));

/** `date-time` and `datetime` are the same format. */
function ruleOf(format: string): FormatRule | undefined {
  return rules.get(format) ?? (format.includes('-') ? rules.get(format.replaceAll('-', '')) : undefined);
}

export function isKnownFormat(format: string): boolean {
  return ruleOf(format) !== undefined;
}

export function matchesFormat(format: string, text: string): boolean {
  return ruleOf(format)?.(text) ?? true;
}

/** Like Go's url.ParseRequestURI: a path, or a scheme followed by text; fragments are not parsed. */
function isRequestUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  if (text === '' || /[\x00-\x1f\x7f]/.test(text) || /%(?![0-9a-fA-F]{2})/.test(text)) return false;
  if (text === '*' || text.startsWith('/')) return !text.startsWith('//') || isAuthority(text.slice(2));
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)?.[0];
  if (scheme === undefined) return false;
  const rest = text.slice(scheme.length);
  return !rest.startsWith('//') || isAuthority(rest.slice(2));
}

/** Validates host and port of a URL. */
function isAuthority(text: string): boolean {
  const authority = text.split(/[/?]/)[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return /^(?:\[[0-9a-fA-F:.%]+\]|[^\s[\]<>"\\^`{|}:]*)(?::\d*)?$/.test(host);
}

/** The address of a mailbox with angle brackets: `Name <address>`, `"Quoted name" <address>` or `<address>`. */
function angleAddressOf(text: string): string | undefined {
  const open = text.lastIndexOf('<');
  if (open < 0 || !text.endsWith('>')) return undefined;
  const [name, address] = [text.slice(0, open).trimEnd(), text.slice(open + 1, -1)];
  const isValid = address !== '' && !address.includes('>') && /^(?:"(?:[^"\\]|\\.)*"|[^<>"@,;:]*)$/.test(name);
  return isValid ? address : undefined;
}

/** A mailbox as parsed by Go's mail.ParseAddress, with or without a name. */
function isEmail(text: string): boolean {
  const address = angleAddressOf(text.trim()) ?? text.trim();
  return /^(?:[^\s"(),:;<>@[\\\].]+(?:\.[^\s"(),:;<>@[\\\].]+)*|"(?:[^"\\\r\n]|\\.)*")@(?:[^\s"(),:;<>@[\\\].]+(?:\.[^\s"(),:;<>@[\\\].]+)*|\[[^[\]\\]*\])$/u.test(
    address,
  );
}

const hostLabel = `[${nameStart}](?:(?:-?[${nameStart}]{0,62})?)`;
const hostName = `(?:[${nameStart}](?:(?:[${nameStart}-]{0,61}[${nameStart}])?)(?:\\.)){1,}(?:[a-zA-Z\\p{L}]){2,63}`;
const hostPattern = new RegExp(`^(?:${hostLabel}|${hostName})$`, 'u');

function isHostname(text: string): boolean {
  return hostPattern.test(text) && new TextEncoder().encode(text).length <= 255 && text.split('.').every((part) => part.length <= 63);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((so, digit, at) => so + (at + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 12)].reduce((so, digit, at) => so + (at % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!cardNumber.test(digits)) return false;
  const sum = [...digits].reverse().reduce((so, digit, at) => {
    const counted = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return so + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0;
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

function isDate(text: string): boolean {
  if (!datePattern.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  const parts = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|(?:[+-][0-9]{2}:[0-9]{2}))$/.exec(time ?? '');
  if (!parts || !isDate(date)) return false;
  const [, hours = '', minutes = '', seconds = ''] = parts;
  return hours <= '23' && minutes <= '59' && seconds <= '59';
}

const unitNames = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'd', 'w', 'wk', 'hr'];
/** Units that match by prefix. */
const unitPrefixes = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

/** Go's duration format, or numbers with unit words anywhere in the text. */
function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
  }
  return [...text.matchAll(/(?<!\d)\d+\s*([A-Za-zµ]+)/g)].some(([, word = '']) => {
    const unit = word.toLowerCase();
    return unitNames.includes(unit) || unitPrefixes.some((beginning) => unit.startsWith(beginning));
  });
}
