import { msg } from '@lit/localize';
import { decodePercentEscapes, isProductName, type ProductName } from '../meta/index.ts';
import { type ExplorePlace, emptyPlace, linkToPlace, parsePlace } from './explore/place.ts';

/** The query parameters of the hash, such as the tab and the filter. */
export type RouteQuery = Readonly<Record<string, string>>;

/** A lesson, and the step (from 1) in the address. */
export interface LessonPlace {
  readonly track: string;
  readonly lesson: string;
  readonly step: number | undefined;
  /** The API group names of its cluster. Undefined: those of the page's default cluster. */
  readonly names?: ProductName | undefined;
}

/** The screens. All routing is in the hash, so that any static host can serve the page below any path. */
export type Route =
  | { readonly screen: 'console'; readonly line?: string; readonly block?: number }
  | { readonly screen: 'explore'; readonly place: ExplorePlace }
  | { readonly screen: 'requests'; readonly id?: string }
  | { readonly screen: 'access'; readonly view: string; readonly query: RouteQuery }
  | { readonly screen: 'learn'; readonly lesson?: LessonPlace }
  /** The lesson editor. */
  | { readonly screen: 'author' }
  | { readonly screen: 'clusters' }
  /** A shared link. */
  | { readonly screen: 's'; readonly payload: string }
  | { readonly screen: 'files'; readonly path?: string }
  | { readonly screen: 'settings' }
  /** An address without a screen. */
  | { readonly screen: 'unknown'; readonly path: string };

export type Screen = Route['screen'];

/** The screens in the order of the navigation rail. */
export const screens: readonly (readonly [Screen, title: () => string])[] = [
  ['console', () => msg('Console')],
  ['explore', () => msg('Explore')],
  ['requests', () => msg('Requests')],
  ['access', () => msg('Access')],
  ['learn', () => msg('Learn')],
  ['files', () => msg('Files')],
  ['clusters', () => msg('Clusters')],
  ['settings', () => msg('Settings')],
];

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [screen = '', ...rest] = path.split('/');
  // The cluster is not part of the screen (address.ts).
  const { cluster: _, names, ...query } = Object.fromEntries(new URLSearchParams(search));
  if (screen === 'o') return { screen: 'explore', place: parsePlace(rest.map(decodePercentEscapes), query) };
  if (screen === 'access') return { screen, view: decodePercentEscapes(rest[0] ?? ''), query };
  const detail = decodePercentEscapes(rest.join('/'));
  if (screen === 'requests') return detail === '' ? { screen } : { screen, id: detail };
  if (screen === 'explore') return { screen, place: emptyPlace };
  if (screen === 'learn') return parseLessonRoute(rest.map(decodePercentEscapes), names);
  if (screen === 's') return { screen, payload: detail };
  if (screen === 'files') return detail === '' ? { screen } : { screen, path: detail };
  if (screen === 'settings' || screen === 'clusters' || screen === 'author') return { screen };
  if (screen !== '' && screen !== 'console') return { screen: 'unknown', path };
  const { line, block } = query;
  if (block !== undefined) return { screen: 'console', block: Number(block) };
  return line === undefined ? { screen: 'console' } : { screen: 'console', line };
}

function parseLessonRoute([track = '', lesson = '', step = '']: readonly string[], names: string | undefined): Route {
  if (track === '' || lesson === '') return { screen: 'learn' };
  const place = { track, lesson, step: /^[1-9]\d?$/.test(step) ? Number(step) : undefined };
  return { screen: 'learn', lesson: isProductName(names) ? { ...place, names } : place };
}

/** Whether the screen has the cluster of a lesson. */
export function isLessonRoute(route: Route): boolean {
  return route.screen === 'author' || (route.screen === 'learn' && route.lesson !== undefined);
}

export function linkToLesson({ track, lesson, step, names }: LessonPlace): string {
  const words = [track, lesson, ...(step === undefined ? [] : [String(step)])];
  return `#/learn/${words.map(encodeURIComponent).join('/')}${names === undefined ? '' : `?names=${names}`}`;
}

export function routeTo(screen: Screen, detail = '', query: RouteQuery = {}): string {
  if (screen === 'explore') return linkToPlace({});
  const search = new URLSearchParams(query).toString();
  return `#/${screen}${detail === '' ? '' : `/${encodeURIComponent(detail)}`}${search === '' ? '' : `?${search}`}`;
}
