/** The screens. All routing is in the hash, so that any static host below any path will do. */
export type Route =
  | { readonly screen: 'console' }
  | { readonly screen: 'requests'; readonly id?: string }
  | { readonly screen: 'files'; readonly path?: string }
  | { readonly screen: 'settings' };

export type Screen = Route['screen'];

export function readRoute(hash: string): Route {
  const [screen = '', ...rest] = hash.replace(/^#\/?/, '').split('/');
  const detail = safelyDecoded(rest.join('/'));
  if (screen === 'requests') return detail === '' ? { screen } : { screen, id: detail };
  if (screen === 'files') return detail === '' ? { screen } : { screen, path: detail };
  return screen === 'settings' ? { screen } : { screen: 'console' };
}

export function routeTo(screen: Screen, detail = ''): string {
  return detail === '' ? `#/${screen}` : `#/${screen}/${encodeURIComponent(detail)}`;
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A hash typed by hand may hold a lone %; it then names nothing that exists.
    return text;
  }
}
