import type { ApiHandler } from '../../meta/index.ts';
import { ExecPluginError, type PluginCredentials } from './exec-credential.ts';
import type { ExecPlugin } from './exec-plugin.ts';

export interface WithExecPluginOptions {
  readonly plugin: ExecPlugin;
  /** By whom the standard input is read already; empty for nobody. */
  readonly stdinUsed: string;
  /** The way to the server, showing this certificate. */
  readonly connect: (identity: PluginCredentials['identity']) => ApiHandler;
  /** Credentials were refused, and the plugin has no others. */
  readonly onRefreshFailed: (why: string) => void;
}

/**
 * Requests with what a plugin gives; those that bring a token of their own go as they are. A refused request is not sent again:
 * the next one has new credentials. @throws ExecPluginError `getting credentials: …`
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
