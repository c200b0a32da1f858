/** What this tab remembers over a reload: the line in the making and the commands that were running. */
const draftKey = 'tabplane-draft';
const runningKey = 'tabplane-running';

export function readNote(key: 'draft' | 'running'): string {
  try {
    return sessionStorage.getItem(key === 'draft' ? draftKey : runningKey) ?? '';
  } catch {
    // Storage is refused in sandboxes; then nothing is remembered.
    return '';
  }
}

export function writeNote(key: 'draft' | 'running', text: string): void {
  try {
    sessionStorage.setItem(key === 'draft' ? draftKey : runningKey, text);
  } catch {
    // As above.
  }
}
