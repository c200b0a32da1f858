import type { Authenticator } from './authenticator.ts';
import type { User } from './user.ts';

/** Bearer tokens that were decided before the start (part 5.2): token → user. */
export type StaticTokens = ReadonlyMap<string, User>;

/** A line that is no token record. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

/**
 * Reads the CSV of `--token-auth-file`: token, user name, uid and, if any, a quoted list of groups.
 *
 *     31ada4fd-adec,alice,u-alice,"dev,qa"
 */
export function readTokenFile(text: string): StaticTokens {
  const tokens = new Map<string, User>();
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const [token = '', username = '', uid = '', groups = ''] = readRecord(line);
    if (readRecord(line).length < 3) {
      throw new TokenFileError(`token file must have at least 3 columns (token, user name, user uid), found ${readRecord(line).length}`);
    }
    if (token === '') throw new TokenFileError('empty token has been found in token file');
    const list = groups === '' ? [] : groups.split(',').map((group) => group.trim());
    tokens.set(token, { username, uid, groups: list, extra: {} });
  }
  return tokens;
}

function readRecord(line: string): string[] {
  const fields = line.match(/(?:"(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  // The pattern matches once more, emptily, at the end of the line.
  const record = fields.slice(0, line.endsWith(',') ? fields.length : fields.length - 1);
  return (record.length > 0 ? record : fields).map((field) => {
    const plain = field.replace(/,$/, '').trim();
    return plain.startsWith('"') ? plain.slice(1, -1).replaceAll('""', '"') : plain;
  });
}

export function tokenFileAuthenticator(tokens: StaticTokens): Authenticator {
  return {
    name: 'token file',
    authenticate: ({ bearerToken }) => Promise.resolve(bearerToken === undefined ? undefined : tokens.get(bearerToken)),
  };
}
