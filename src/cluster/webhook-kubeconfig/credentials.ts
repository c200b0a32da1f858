import type { WebhookCredentials } from '../../authz/index.ts';
import {
  ExecConfigError,
  ExecPlugin,
  ExecPluginError,
  execClusterOf,
  type PluginCredentials,
  readExecConfig,
} from '../../client/exec-plugin/index.ts';
import { OutboundError } from '../../env/index.ts';
import { type JsonObject, textAt } from '../../meta/index.ts';
import { readTypedFile } from '../configuration-file.ts';
import type { UsableContext } from './checks.ts';
import type { WebhookConfigParts } from './connection.ts';
import { KubeconfigError } from './document.ts';

export interface PluginParts extends WebhookConfigParts {
  readonly context: UsableContext;
  readonly pathOf: (written: string) => string;
}

/** Credentials that a program tells when they are first needed, and anew when they are over or refused. @throws KubeconfigError */
export async function pluginCredentials(exec: JsonObject, parts: PluginParts): Promise<WebhookCredentials> {
  const plugin = await pluginOf(exec, parts);
  const orUnsent = async <T>(asked: Promise<T>): Promise<T> =>
    asked.catch((error: unknown) => {
      throw error instanceof ExecPluginError ? new OutboundError('unreachable', `getting credentials: ${error.message}`, error) : error;
    });
  let used: PluginCredentials | undefined;
  return {
    async current() {
      used = await orUnsent(plugin.credentials(''));
      return { headers: used.token === '' ? {} : { authorization: `Bearer ${used.token}` }, identity: used.identity };
    },
    async refused() {
      // What it has instead shows at the next request, which also tells when it has nothing.
      if (used) await plugin.refresh(used, '').catch(ignorePluginError);
    },
  };
}

function ignorePluginError(error: unknown): void {
  if (!(error instanceof ExecPluginError)) throw error;
}

async function pluginOf(exec: JsonObject, { context, pathOf, readFile, plugins, clock, product }: PluginParts): Promise<ExecPlugin> {
  const { cluster, userName } = context;
  const rename = (text: string): string => product.rename(text);
  const file = textAt(cluster, 'certificate-authority');
  const data = textAt(cluster, 'certificate-authority-data');
  const authorities = data !== '' ? atob(data) : file === '' ? '' : await readFile(pathOf(file));
  try {
    const read = readExecConfig(exec, userName, rename);
    // A name alone is looked for as the host does; a path is one beside the configuration.
    const command = read.command.includes('/') ? pathOf(read.command) : read.command;
    return new ExecPlugin({
      config: { ...read, command },
      cluster: execClusterOf(cluster, { server: textAt(cluster, 'server'), authorities, rename }),
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

/** A token is read again after so long. Cf. client-go transport, the period of a cached file less its leeway. */
const tokenKeptMs = 50_000;

/** `first` is what is shown while the file has never been needed. @throws KubeconfigError */
export async function tokenFileCredentials(
  path: string,
  first: string,
  { readFile, clock }: WebhookConfigParts,
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
      // One that cannot be read just now may be about to be replaced: the last one still says who asks.
      if (clock.monotonicMs() - readMs > tokenKeptMs) await read().catch(() => undefined);
      return { headers: { authorization: `Bearer ${token}` }, identity: undefined };
    },
    refused: () => Promise.resolve(),
  };
}
