import { msg, str } from '@lit/localize';
import { ApiClient } from '../../kubectl/index.ts';
import { StatusError } from '../../meta/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { clusterOrigin } from '../model/identities.ts';

export interface ClientOptions {
  /** Another one of this browser's clusters, by its id; the page's own has an empty one. */
  readonly cluster?: string | undefined;
  readonly signal?: AbortSignal;
  /** The screen on which the user does it; without one the request is the page's own and does not clutter the list. */
  readonly screen?: string;
  readonly onWarning?: (text: string) => void;
}

/** Requests as the current identity. Its failures are StatusErrors with the server's own words. */
export function createClient(model: ConsoleModel, { cluster, signal, screen, onWarning }: ClientOptions = {}): ApiClient {
  return new ApiClient({
    server: clusterOrigin,
    handler:
      cluster !== undefined && cluster !== model.workspace.id
        ? model.apiOfCluster(cluster)
        : screen === undefined
          ? model.internalApi
          : model.actionApi(screen),
    // The manager of fields that are written here is named by it.
    headers: { 'user-agent': fieldManager },
    impersonatedGroups: [],
    clock: model.env.clock,
    signal: signal ?? new AbortController().signal,
    timeout: undefined,
    onWarning: onWarning ?? (() => undefined),
    onRequest: () => undefined,
    rename: (text) => model.product.rename(text),
  });
}

/** Asks for a list of metadata only, where the server can give one. */
export function metadataListAccept({ product }: ConsoleModel): string {
  return `application/json;as=PartialObjectMetadataList;v=v1;g=${product.names.metaGroup},application/json`;
}

export const fieldManager = 'console';

/** The words in which the server refused, for a line on the screen. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof StatusError && error.code === 401 ? msg(str`${message} (401): invalid credentials.`) : message;
}

/** Whether the server refused because of who asks. */
export function isForbidden(error: unknown): boolean {
  return error instanceof Error && (('code' in error && error.code === 403) || ('status' in error && error.status === 403));
}
