const storageKey = 'tabplane-cluster';

/** The cluster that was open last in this browser; empty for the default one. */
export function readLastCluster(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    // Sandboxes block localStorage. The page then begins with the default cluster.
    return '';
  }
}

export function rememberCluster(id: string): void {
  try {
    localStorage.setItem(storageKey, id);
  } catch {
    // As above.
  }
}
