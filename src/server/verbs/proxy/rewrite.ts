/** How the URLs of a backend become URLs of the API server. */
export interface Rewriting {
  /** The path of the proxy, without what is below it. */
  readonly prefix: string;
  /** `host:port` of the backend. */
  readonly backend: string;
  /** The header Host of the request. */
  readonly requested: string;
}

/** Attributes with URLs. Cf. upstream util/proxy transport.go. */
const urlAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  video: ['poster', 'src'],
};

/** Elements whose content is text, not markup. */
const rawText: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

/** A URL with an absolute path on one of the hosts leads through the proxy; others stay. */
export function rewriteUrl(url: string, { prefix, backend, requested }: Rewriting): string {
  const { origin, host, path, rest } = splitUrl(url);
  const isOther = host !== undefined && host !== backend && host !== requested;
  if (isOther || !path.startsWith('/')) return url;
  const shownOrigin = host === requested ? origin : '';
  return path.startsWith(prefix) ? `${shownOrigin}${path}${rest}` : `${shownOrigin}${prefix}${path}${rest}`;
}

interface UrlParts {
  /** The scheme and the host, if there is a host. */
  readonly origin: string;
  readonly host: string | undefined;
  readonly path: string;
  /** The query and the fragment. */
  readonly rest: string;
}

function splitUrl(url: string): UrlParts {
  const cut = url.search(/[?#]/);
  const [whole, rest] = cut < 0 ? [url, ''] : [url.slice(0, cut), url.slice(cut)];
  const [prefix] = /^(?:https?:)?\/\//i.exec(whole) ?? [];
  if (prefix === undefined) return { origin: '', host: undefined, path: whole, rest };
  const slash = whole.indexOf('/', prefix.length);
  const end = slash < 0 ? whole.length : slash;
  return { origin: whole.slice(0, end), host: whole.slice(prefix.length, end), path: whole.slice(end), rest };
}

/** Rewrites the URLs in the attributes of a page. */
export function rewriteLinks(html: string, rewriting: Rewriting): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = html.indexOf('<', at); start >= 0; start = html.indexOf('<', at)) {
    parts.push(html.slice(at, start));
    at = endOfMarkup(html, start);
    const markup = html.slice(start, at);
    const name = /^<([a-z][a-z0-9]*)/i.exec(markup)?.[1]?.toLowerCase();
    parts.push(
      name !== undefined && Object.hasOwn(urlAttributes, name) ? rewriteTag(markup, urlAttributes[name] ?? [], rewriting) : markup,
    );
    if (name !== undefined && rawText.has(name) && !markup.endsWith('/>')) {
      const end = endOfRawText(html, at, name);
      parts.push(html.slice(at, end));
      at = end;
    }
  }
  return parts.join('') + html.slice(at);
}

/** The end of a tag or comment that begins at an index. A `>` within quotes belongs to its value. */
function endOfMarkup(html: string, start: number): number {
  if (html.startsWith('<!--', start)) {
    const end = html.indexOf('-->', start + 4);
    return end < 0 ? html.length : end + 3;
  }
  let quote = '';
  for (let at = start + 1; at < html.length; at++) {
    const character = html.charAt(at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at + 1;
  }
  return html.length;
}

/** The index of the end tag of an element with raw text. */
function endOfRawText(html: string, from: number, name: string): number {
  const ending = `</${name}`;
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2))
    if (html.slice(at, at + ending.length).toLowerCase() === ending) return at;
  return html.length;
}

function rewriteTag(tag: string, attributes: readonly string[], rewriting: Rewriting): string {
  const parts: string[] = [];
  let from = 0;
  for (const { name, start, end } of attributeValues(tag)) {
    if (!attributes.includes(name)) continue;
    parts.push(tag.slice(from, start), rewriteUrl(tag.slice(start, end), rewriting));
    from = end;
  }
  return parts.join('') + tag.slice(from);
}

interface AttributeValue {
  /** In lower case. */
  readonly name: string;
  /** The indexes of the value in its tag, without quotes. */
  readonly start: number;
  readonly end: number;
}

function* attributeValues(tag: string): Generator<AttributeValue> {
  for (let at = endOf(tag, 1, isNameEnd); at < tag.length; ) {
    const nameStart = endOf(tag, at, (character) => !isSpace(character) && character !== '/');
    const nameEnd = endOf(tag, nameStart + 1, isNameEnd);
    const equals = endOf(tag, nameEnd, (character) => !isSpace(character));
    at = nameEnd;
    if (tag.charAt(equals) !== '=') continue;
    const first = endOf(tag, equals + 1, (character) => !isSpace(character));
    const quote = tag.charAt(first);
    const isQuoted = quote === '"' || quote === "'";
    const start = isQuoted ? first + 1 : first;
    const end = endOf(tag, start, (character) => (isQuoted ? character === quote : isSpace(character) || character === '>'));
    yield { name: tag.slice(nameStart, nameEnd).toLowerCase(), start, end };
    at = isQuoted ? end + 1 : end;
  }
}

/** The first index from `from` on whose character ends something; the length if there is none. */
function endOf(text: string, from: number, ends: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && !ends(text.charAt(at))) at++;
  return at;
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r' || character === '\f';
}

function isNameEnd(character: string): boolean {
  return isSpace(character) || character === '=' || character === '>' || character === '/';
}
