/** Values in sessionStorage: the draft line, the running commands and the finished ones with their output. */
export type NoteKey = 'draft' | 'running' | 'blocks';

/** One key per cluster. The default cluster has an empty id. */
const nameOf = (key: NoteKey, cluster: string): string => `tabplane-${key}${cluster === '' ? '' : `:${cluster}`}`;

export function readNote(key: NoteKey, cluster: string): string {
  try {
    return sessionStorage.getItem(nameOf(key, cluster)) ?? '';
  } catch {
    // Sandboxes block sessionStorage.
    return '';
  }
}

export function writeNote(key: NoteKey, cluster: string, text: string): void {
  try {
    sessionStorage.setItem(nameOf(key, cluster), text);
  } catch {
    // Sandboxes block sessionStorage.
  }
}
