import { msg } from '@lit/localize';

/** The single-key shortcuts of Explore, for its grids and lists. They can be disabled. */
export const shortcuts = (): readonly (readonly [key: string, about: string])[] => [
  ['↑ ↓ j k', msg('previous row, next row')],
  ['Enter', msg('open the object')],
  ['/', msg('filter: text, !text, -l app=web, -f letters')],
  ['d', msg('overview', { desc: 'what a key opens' })],
  ['y', msg('YAML')],
  ['e', msg('edit')],
  ['o', msg('owner', { desc: 'what a key opens' })],
  ['u', msg('dependents', { desc: 'what a key opens' })],
  ['x', msg('delete, with confirmation', { desc: 'what a key does' })],
  ['w', msg('all columns, or the usual ones', { desc: 'what a key shows' })],
  [':', msg('go to a type, an object, a screen', { desc: 'what a key does' })],
  ['?', msg('this list', { desc: 'of the keys, what a key opens' })],
];

const offKey = 'tabplane-shortcuts-off';

export function areShortcutsEnabled(): boolean {
  try {
    return localStorage.getItem(offKey) === null;
  } catch {
    // Sandboxes block localStorage.
    return true;
  }
}

export function setShortcutsEnabled(on: boolean): void {
  try {
    if (on) localStorage.removeItem(offKey);
    else localStorage.setItem(offKey, '1');
  } catch {
    // As above.
  }
}
