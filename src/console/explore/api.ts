import { msg, str } from '@lit/localize';
import { errorMessage } from '../../env/index.ts';
import { ApiClient } from '../../kubectl/index.ts';
import { StatusError } from '../../meta/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { clusterOrigin } from '../model/identities.ts';

export interface ClientOptions {
  /** The id of another cluster of this browser. The default cluster has an empty one. */
  readonly cluster?: string | undefined;
  readonly signal?: AbortSignal;
  /** The screen of a user action. Without one the request is a background request and hidden by default. */
  readonly screen?: string;
  readonly onWarning?: (text: string) => void;
}

/** Creates a client with the current identity. Rejects with a StatusError of the server. */
export function createClient(model: ConsoleModel, { cluster, signal, screen, onWarning }: ClientOptions = {}): ApiClient {
  return new ApiClient({
    server: clusterOrigin,
    handler:
      cluster !== undefined && cluster !== model.workspace.id
        ? model.apiOfCluster(cluster)
        : screen === undefined
          ? model.internalApi
          : model.actionApi(screen),
    // The field manager is derived from it.
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

/** The Accept header for PartialObjectMetadataList, with a fallback. */
export function metadataListAccept({ product }: ConsoleModel): string {
  return `application/json;as=PartialObjectMetadataList;v=v1;g=${product.names.metaGroup},application/json`;
}

export const fieldManager = 'console';

/** The message of an error for the screen. */
export function errorText(error: unknown): string {
  const message = errorMessage(error);
  return error instanceof StatusError && error.code === 401 ? msg(str`${message} (401): invalid credentials.`) : message;
}

/** Whether the server denied the request to this user. */
export function isForbidden(error: unknown): boolean {
  return error instanceof Error && (('code' in error && error.code === 403) || ('status' in error && error.status === 403));
}
