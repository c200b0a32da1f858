/** The single keys of Explore: only inside its grids and lists, and not at all when switched off. */
export const shortcuts: readonly (readonly [key: string, about: string])[] = [
  ['↑ ↓ j k', 'the row before, the next row'],
  ['Enter', 'open the object'],
  ['/', 'filter: text, !text, -l app=web, -f letters'],
  ['d', 'overview'],
  ['y', 'YAML'],
  ['e', 'edit'],
  ['o', 'its owner'],
  ['u', 'used by: what it owns'],
  ['x', 'delete, after a question'],
  ['w', 'all columns, or the usual ones'],
  [':', 'go to a type, an object, a screen'],
  ['?', 'this list'],
];

const offKey = 'tabplane-shortcuts-off';

export function shortcutsOn(): boolean {
  try {
    return localStorage.getItem(offKey) === null;
  } catch {
    // Storage is refused in sandboxes.
    return true;
  }
}

export function switchShortcuts(on: boolean): void {
  try {
    if (on) localStorage.removeItem(offKey);
    else localStorage.setItem(offKey, '1');
  } catch {
    // As above: then they stay as they are.
  }
}
