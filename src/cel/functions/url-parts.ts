import { parseUrl, UrlError, type UrlParts } from '../../meta/index.ts';

/** Parses a URL like Go's url.ParseRequestURI: absolute, or a path from the root. Returns the error as text. */
export function requestUrl(text: string): UrlParts | string {
  const problem = (why: string) => `parse ${JSON.stringify(text)}: ${why}`;
  if (text === '') return problem('empty url');
  const isRelative = !/^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|[/:])/.test(text);
  try {
    const parts = parseUrl(text);
    return isRelative ? problem('invalid URI for request') : parts;
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return isRelative && !error.message.includes('control character') ? problem('invalid URI for request') : error.message;
  }
}

/** Valid escapes are unchanged, other characters are escaped where needed. */
export function escapePath(path: string): string {
  const encoder = new TextEncoder();
  return path.replace(/[^a-zA-Z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, (char) =>
    Array.from(encoder.encode(char), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
