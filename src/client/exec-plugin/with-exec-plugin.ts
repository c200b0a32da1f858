import type { ApiHandler } from '../../meta/index.ts';
import { ExecPluginError, type PluginCredentials } from './exec-credential.ts';
import type { ExecPlugin } from './exec-plugin.ts';

export interface WithExecPluginOptions {
  readonly plugin: ExecPlugin;
  /** Why standard input is not available; empty when it is. */
  readonly stdinUsed: string;
  /** Connects to the server, with this client certificate if there is one. */
  readonly connect: (identity: PluginCredentials['identity']) => ApiHandler;
  /** Called when credentials were rejected and the plugin returned no new ones. */
  readonly onRefreshFailed: (why: string) => void;
}

/**
 * Adds a plugin's credentials to requests that have no Authorization header. Does not retry a 401: the next request uses new credentials.
 * @throws ExecPluginError `getting credentials: …`
 */
export function withExecPlugin({ plugin, stdinUsed, connect, onRefreshFailed }: WithExecPluginOptions): ApiHandler {
  return async (request) => {
    if (request.headers.get('authorization') !== null) return connect(undefined)(request);
    const credentials = await plugin.credentials(stdinUsed).catch((error: unknown) => {
      throw error instanceof ExecPluginError ? new ExecPluginError(`getting credentials: ${error.message}`) : error;
    });
    const headers = new Headers([...request.headers]);
    if (credentials.token !== '') headers.set('authorization', `Bearer ${credentials.token}`);
    const answer = await connect(credentials.identity)({ ...request, headers });
    if (answer.status === 401) {
      await plugin.refresh(credentials, stdinUsed).catch((error: unknown) => {
        if (!(error instanceof ExecPluginError)) throw error;
        onRefreshFailed(error.message);
      });
    }
    return answer;
  };
}
