import type { Product } from '../meta/index.ts';
import type { TokenAuthenticator } from './authenticator.ts';
import { CsvError, readCsv } from './csv.ts';
import type { User } from './user.ts';

/** Static bearer tokens (part 5.2): token → user. */
export type StaticTokens = ReadonlyMap<string, User>;

/** An invalid token file; the message is upstream's. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

/**
 * Reads the CSV of `--token-auth-file`: token, user name, UID and optionally a quoted list of groups; by the specification (part 5.2)
 * every further column is one. Nothing is trimmed. Records without a token are skipped; the last of duplicate tokens wins. Errors
 * contain `path`.
 *
 *     31ada4fd-adec,alice,u-alice,"dev,qa"
 *
 * @throws TokenFileError
 */
export function readTokenFile(text: string, path: string, { switches }: Product): StaticTokens {
  const tokens = new Map<string, User>();
  for (const record of recordsOf(text)) {
    if (record.length < 3)
      throw new TokenFileError(`token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`);
    const [token = '', username = '', uid = '', ...further] = record;
    const columns = switches.furtherColumnsAreGroups ? further : further.slice(0, 1);
    if (token !== '') tokens.set(token, { username, uid, groups: columns.flatMap((groups) => groups.split(',')), extra: {} });
  }
  return tokens;
}

function recordsOf(text: string): readonly (readonly string[])[] {
  try {
    return readCsv(text);
  } catch (error) {
    throw error instanceof CsvError ? new TokenFileError(error.message) : error;
  }
}

export function tokenFileAuthenticator(tokens: StaticTokens): TokenAuthenticator {
  return {
    name: 'token file',
    authenticate(token) {
      const user = tokens.get(token);
      return user && { user, audiences: [] };
    },
  };
}
