import type { WebhookCredentials } from '../../authz/index.ts';
import {
  ExecConfigError,
  ExecPlugin,
  ExecPluginError,
  type PluginCredentials,
  readExecConfig,
  toExecCluster,
} from '../../client/exec-plugin/index.ts';
import { OutboundError } from '../../env/index.ts';
import { type JsonObject, textAt } from '../../meta/index.ts';
import { readTypedFile } from '../configuration/configuration-file.ts';
import type { UsableContext } from './checks.ts';
import type { WebhookConfigOptions } from './connection.ts';
import { KubeconfigError } from './document.ts';

export interface PluginOptions extends WebhookConfigOptions {
  readonly context: UsableContext;
  readonly pathOf: (written: string) => string;
}

/** Credentials of an exec plugin, run on first use and again when they expire or are rejected. @throws KubeconfigError */
export async function createPluginCredentials(exec: JsonObject, parts: PluginOptions): Promise<WebhookCredentials> {
  const plugin = await createPlugin(exec, parts);
  const convertPluginError = async <T>(pending: Promise<T>): Promise<T> =>
    pending.catch((error: unknown) => {
      throw error instanceof ExecPluginError ? new OutboundError('unreachable', `getting credentials: ${error.message}`, error) : error;
    });
  let used: PluginCredentials | undefined;
  return {
    async current() {
      used = await convertPluginError(plugin.credentials(''));
      return { headers: used.token === '' ? {} : { authorization: `Bearer ${used.token}` }, identity: used.identity };
    },
    async invalidate() {
      // The next request uses the new credentials, or reports the plugin's error.
      if (used) await plugin.refresh(used, '').catch(ignorePluginError);
    },
  };
}

function ignorePluginError(error: unknown): void {
  if (!(error instanceof ExecPluginError)) throw error;
}

async function createPlugin(exec: JsonObject, { context, pathOf, readFile, plugins, clock, product }: PluginOptions): Promise<ExecPlugin> {
  const { cluster, userName } = context;
  const rename = (text: string): string => product.rename(text);
  const file = textAt(cluster, 'certificate-authority');
  const data = textAt(cluster, 'certificate-authority-data');
  const authorities = data !== '' ? atob(data) : file === '' ? '' : await readFile(pathOf(file));
  try {
    const read = readExecConfig(exec, userName, rename);
    // A plain name is resolved by the host; a path is relative to the kubeconfig.
    const command = read.command.includes('/') ? pathOf(read.command) : read.command;
    return new ExecPlugin({
      config: { ...read, command },
      cluster: toExecCluster(cluster, { server: textAt(cluster, 'server'), authorities, rename }),
      host: plugins,
      clock,
      rename,
      parse: async (output) => readTypedFile(output).document,
    });
  } catch (error) {
    if (error instanceof ExecConfigError) throw new KubeconfigError(error.message, { cause: error });
    throw error;
  }
}

/** How long a token is cached before its file is read again. Cf. client-go transport: cached file period minus leeway. */
const tokenCacheMs = 50_000;

/** Credentials of a token file; `first` is used until the file is read. @throws KubeconfigError */
export async function createTokenFileCredentials(
  path: string,
  first: string,
  { readFile, clock }: WebhookConfigOptions,
): Promise<WebhookCredentials> {
  let token = first;
  let readMs = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    const found = (await readFile(path)).trim();
    if (found === '') throw new KubeconfigError(`read empty token from file ${JSON.stringify(path)}`);
    token = found;
    readMs = clock.monotonicMs();
  };
  if (first === '') await read();
  return {
    async current() {
      // A file that cannot be read may be about to be replaced: the last token is still used.
      if (clock.monotonicMs() - readMs > tokenCacheMs) await read().catch(() => undefined);
      return { headers: { authorization: `Bearer ${token}` }, identity: undefined };
    },
    invalidate: () => Promise.resolve(),
  };
}
