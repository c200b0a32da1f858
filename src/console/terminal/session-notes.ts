/** What this tab remembers over a reload: the line in the making and the commands that were running. */
export type NoteKey = 'draft' | 'running';

/** Each cluster has notes of its own; the page's own has an empty id. */
const nameOf = (key: NoteKey, cluster: string): string => `tabplane-${key}${cluster === '' ? '' : `:${cluster}`}`;

export function readNote(key: NoteKey, cluster: string): string {
  try {
    return sessionStorage.getItem(nameOf(key, cluster)) ?? '';
  } catch {
    // Storage is refused in sandboxes; then nothing is remembered.
    return '';
  }
}

export function writeNote(key: NoteKey, cluster: string, text: string): void {
  try {
    sessionStorage.setItem(nameOf(key, cluster), text);
  } catch {
    // As above.
  }
}
