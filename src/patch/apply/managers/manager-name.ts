import { isPrintable } from '../../../meta/index.ts';

/** cf. apimachinery validation FieldManagerMaxLength. */
const managerMaxBytes = 128;

/**
 * The default field manager: the User-Agent up to the first slash, printable characters only, limited in length (cf. handlers
 * managerOrUserAgent). Empty without a User-Agent; it is then recorded as `unknown`.
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

/** Fast path for nearly all names. */
const plain = /^[\x20-\x7e]*$/;
