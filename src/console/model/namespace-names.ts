import { listAndWatch } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import { type ApiHandler, isJsonObject } from '../../meta/index.ts';

/**
 * Watches the names of all namespaces, and passes them sorted to `onChange` after each change. Stops at `signal`, or when the user may
 * not list namespaces.
 */
export async function watchNamespaceNames(
  { api, clock }: { readonly api: ApiHandler; readonly clock: Clock },
  onChange: (names: readonly string[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const denied = new AbortController();
  const names = new Set<string>();
  const show = (): void => onChange([...names].sort());
  await listAndWatch(
    { api, clock, path: '/api/v1/namespaces' },
    {
      onListed: (items) => {
        names.clear();
        for (const item of items) names.add(nameOf(item));
        show();
      },
      onEvent: ({ type, object }) => {
        if (type === 'DELETED') names.delete(nameOf(object));
        else names.add(nameOf(object));
        show();
      },
      onStateChange: (state, cause) => {
        if (state === 'waiting' && isDenied(cause)) denied.abort();
      },
    },
    AbortSignal.any([signal, denied.signal]),
  );
}

function nameOf(object: unknown): string {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  return isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
}

function isDenied(cause: unknown): boolean {
  return cause instanceof Error && 'status' in cause && (cause.status === 403 || cause.status === 401);
}
