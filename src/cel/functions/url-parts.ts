/** A URL in parts, as Go's net/url takes it for a request. */
export interface UrlParts {
  readonly text: string;
  readonly scheme: string;
  /** With its port. */
  readonly host: string;
  readonly escapedPath: string;
  readonly query: string;
}

/** The parts, or what is wrong with it in Go's words. */
export function readUrl(text: string): UrlParts | string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  const cut = text.indexOf('#');
  const whole = cut < 0 ? text : text.slice(0, cut);
  const schemeEnd = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(whole)?.[1];
  if (schemeEnd === undefined && whole.startsWith(':')) return 'missing protocol scheme';
  const scheme = (schemeEnd ?? '').toLowerCase();
  const rest = whole.slice(schemeEnd === undefined ? 0 : schemeEnd.length + 1);
  const mark = rest.indexOf('?');
  const [before, query] = mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)];
  if (!before.startsWith('/')) {
    // `mailto:a` is opaque: it has no path.
    return scheme === '' ? 'invalid URI for request' : { text, scheme, host: '', escapedPath: '', query };
  }
  const authority = scheme !== '' || before.startsWith('//') ? /^\/\/([^/]*)/.exec(before)?.[1] : undefined;
  const hasHost = authority !== undefined && (scheme !== '' || !before.startsWith('///'));
  const host = hasHost ? readHost(authority) : { host: '' };
  if (typeof host === 'string') return host;
  const path = hasHost ? before.slice(2 + authority.length) : before;
  const broken = brokenEscape(path);
  if (broken !== undefined) return broken;
  return { text, scheme, host: host.host, escapedPath: escapePath(path), query };
}

function brokenEscape(text: string): string | undefined {
  const found = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text)?.[0];
  return found === undefined ? undefined : `invalid URL escape ${JSON.stringify(found)}`;
}

function readHost(authority: string): { readonly host: string } | string {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (at >= 0 && !/^[a-zA-Z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) return 'net/url: invalid userinfo';
  if (host.startsWith('[')) {
    const close = host.lastIndexOf(']');
    if (close < 0) return "missing ']' in host";
    return portProblem(host.slice(close + 1)) ?? { host };
  }
  const colon = host.lastIndexOf(':');
  const problem = colon < 0 ? undefined : portProblem(host.slice(colon));
  if (problem !== undefined) return problem;
  const broken = brokenEscape(host);
  if (broken !== undefined) return broken;
  const wrong = /[ "<>\\^`{|}]/.exec(host)?.[0];
  return wrong === undefined ? { host } : `invalid character ${JSON.stringify(wrong)} in host name`;
}

function portProblem(port: string): string | undefined {
  return port === '' || /^:\d*$/.test(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`;
}

/** Valid escapes stay as they are written, everything else that needs it is escaped. */
function escapePath(path: string): string {
  const encoder = new TextEncoder();
  return path.replace(/[^a-zA-Z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, (char) =>
    Array.from(encoder.encode(char), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
