import { msg } from '@lit/localize';
import { decodePercentEscapes } from '../meta/index.ts';
import { type ExplorePlace, linkToPlace, parsePlace } from './explore/place.ts';

/** The query parameters of the hash, such as the tab and the filter. */
export type RouteQuery = Readonly<Record<string, string>>;

/** A lesson, and the step (from 1) in the address. */
export interface LessonPlace {
  readonly track: string;
  readonly lesson: string;
  readonly step: number | undefined;
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
  | { readonly screen: 'settings' };

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
  const query = Object.fromEntries(new URLSearchParams(search));
  if (screen === 'o') return { screen: 'explore', place: parsePlace(rest.map(decodePercentEscapes), query) };
  if (screen === 'access') return { screen, view: decodePercentEscapes(rest[0] ?? ''), query };
  const detail = decodePercentEscapes(rest.join('/'));
  if (screen === 'requests') return detail === '' ? { screen } : { screen, id: detail };
  if (screen === 'learn') return parseLessonRoute(rest.map(decodePercentEscapes));
  if (screen === 's') return { screen, payload: detail };
  if (screen === 'files') return detail === '' ? { screen } : { screen, path: detail };
  if (screen === 'settings' || screen === 'clusters' || screen === 'author') return { screen };
  const { line, block } = query;
  if (block !== undefined) return { screen: 'console', block: Number(block) };
  return line === undefined ? { screen: 'console' } : { screen: 'console', line };
}

function parseLessonRoute([track = '', lesson = '', step = '']: readonly string[]): Route {
  if (track === '' || lesson === '') return { screen: 'learn' };
  return { screen: 'learn', lesson: { track, lesson, step: /^[1-9]\d?$/.test(step) ? Number(step) : undefined } };
}

export function linkToLesson({ track, lesson, step }: LessonPlace): string {
  const words = [track, lesson, ...(step === undefined ? [] : [String(step)])];
  return `#/learn/${words.map(encodeURIComponent).join('/')}`;
}

export function routeTo(screen: Screen, detail = '', query: RouteQuery = {}): string {
  if (screen === 'explore') return linkToPlace({});
  const search = new URLSearchParams(query).toString();
  return `#/${screen}${detail === '' ? '' : `/${encodeURIComponent(detail)}`}${search === '' ? '' : `?${search}`}`;
}
