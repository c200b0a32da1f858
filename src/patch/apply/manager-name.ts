/** cf. apimachinery validation FieldManagerMaxLength. */
const managerMaxBytes = 128;

/**
 * The manager of a request that names none: what its User-Agent says before the first slash, printable and not too long
 * (cf. handlers managerOrUserAgent). Empty when there is no User-Agent; it is then recorded as `unknown`.
 */
export function managerFromUserAgent(userAgent: string): string {
  const [name = ''] = userAgent.split('/', 1);
  if (name.length <= managerMaxBytes && plain.test(name)) return name;
  const encoder = new TextEncoder();
  let out = '';
  let bytes = 0;
  for (const char of name) {
    if (!isPrintable(char)) continue;
    bytes += encoder.encode(char).length;
    if (bytes > managerMaxBytes) break;
    out += char;
  }
  return out;
}

/** What nearly all names are made of. */
const plain = /^[\x20-\x7e]*$/;

/** As Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the plain space. */
function isPrintable(char: string): boolean {
  return char === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char);
}
