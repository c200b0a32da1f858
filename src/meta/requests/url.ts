/** A URL as parsed by Go's net/url. */
export interface UrlParts {
  /** In lower case; empty for a relative URL. */
  readonly scheme: string;
  /** Whether the host is preceded by a user, or a user and a password. */
  readonly hasUser: boolean;
  readonly host: string;
  /** As written, with escapes; empty for an opaque URL (`mailto:a`). */
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** Invalid URL; the message is Go's. */
export class UrlError extends Error {
  override readonly name = 'UrlError';
}

/** @throws UrlError */
export function parseUrl(text: string): UrlParts {
  const cut = text.indexOf('#');
  const [whole, fragment] = cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut + 1)];
  const problem = (shown: string, why: string): UrlError => new UrlError(`parse ${JSON.stringify(shown)}: ${why}`);
  const parts = parseParts(whole);
  if (typeof parts === 'string') throw problem(whole, parts);
  const broken = findInvalidEscape(fragment);
  if (broken !== undefined) throw problem(text, broken);
  return { ...parts, fragment };
}

function parseParts(text: string): Omit<UrlParts, 'fragment'> | string {
  if ([...text].some((character) => character < ' ' || character === '\x7f')) return 'net/url: invalid control character in URL';
  if (text.startsWith(':')) return 'missing protocol scheme';
  const found = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1];
  const scheme = (found ?? '').toLowerCase();
  const [before = '', ...after] = text.slice(found === undefined ? 0 : found.length + 1).split('?');
  const query = after.join('?');
  if (!before.startsWith('/')) {
    // A URL with a scheme and without a slash is opaque.
    if (scheme !== '') return { scheme, hasUser: false, host: '', path: '', query };
    if (before.split('/')[0]?.includes(':')) return 'first path segment in URL cannot contain colon';
  }
  const authority = scheme !== '' || !before.startsWith('///') ? /^\/\/([^/]*)/.exec(before)?.[1] : undefined;
  const at = authority?.lastIndexOf('@') ?? -1;
  const host = authority?.slice(at + 1) ?? '';
  const path = before.slice(authority === undefined ? 0 : authority.length + 2);
  const wrong = hostProblem(host) ?? (at >= 0 ? userProblem(authority?.slice(0, at) ?? '') : undefined) ?? findInvalidEscape(path);
  return wrong ?? { scheme, hasUser: at >= 0, host, path, query };
}

function findInvalidEscape(text: string): string | undefined {
  const found = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text)?.[0];
  return found === undefined ? undefined : `invalid URL escape ${JSON.stringify(found)}`;
}

function userProblem(user: string): string | undefined {
  return /^[a-zA-Z0-9\-._~!$&'()*+,;=:%@]*$/.test(user) ? findInvalidEscape(user) : 'net/url: invalid userinfo';
}

function hostProblem(host: string): string | undefined {
  if (host.includes('[') && !host.startsWith('[')) return 'invalid IP-literal';
  if (host.startsWith('[')) return host.includes(']') ? portProblem(host.slice(host.lastIndexOf(']') + 1)) : "missing ']' in host";
  const colon = host.lastIndexOf(':');
  const port = colon < 0 ? undefined : portProblem(host.slice(colon));
  if (port !== undefined) return port;
  const broken = findInvalidEscape(host);
  if (broken !== undefined) return broken;
  // In a host, only non-ASCII bytes may be escaped.
  const escaped = /%[0-7][0-9a-fA-F]/.exec(host)?.[0];
  if (escaped !== undefined) return `invalid URL escape ${JSON.stringify(escaped)}`;
  const wrong = /[ \\^`{|}]/.exec(host)?.[0];
  return wrong === undefined ? undefined : `invalid character ${JSON.stringify(wrong)} in host name`;
}

function portProblem(port: string): string | undefined {
  return port === '' || /^:\d*$/.test(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`;
}

/** Decodes percent escapes; a text with an invalid escape is returned unchanged. */
export function decodePercentEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone % or invalid UTF-8 may be intended.
    return text;
  }
}
