import { existsSync } from 'node:fs';
import { readWebhookConnection, readWebhookUsers, type WebhookUsers } from '../../../cluster/index.ts';
import type { Clock } from '../../../env/index.ts';
import type { Product } from '../../../meta/index.ts';
import { readNamedFile } from '../config/named-file.ts';
import { FlagError } from '../flags/flag-error.ts';
import { programPlugins } from '../kubectl/plugin-host.ts';

interface ConnectionContext {
  readonly product: Product;
  readonly clock: Clock;
}

/** The webhook connection of a kubeconfig, with the files and plugins of this machine. @throws KubeconfigError, FlagError */
export async function webhookConnection(path: string, context: ConnectionContext): ReturnType<typeof readWebhookConnection> {
  const { product } = context;
  return readWebhookConnection(path, await readKubeconfig(path), {
    ...context,
    userAgent: `${product.rename('kube-apiserver')}/v1`,
    readFile: readNamedFile,
    plugins: programPlugins,
  });
}

/** The users of a kubeconfig for the servers of admission webhooks. @throws KubeconfigError, FlagError */
export async function loadWebhookUsers(path: string, context: ConnectionContext): Promise<WebhookUsers> {
  const { product } = context;
  return readWebhookUsers(await readKubeconfig(path), {
    ...context,
    path,
    userAgent: `${product.rename('kube-apiserver')}-admission`,
    readFile: readNamedFile,
    plugins: programPlugins,
  });
}

async function readKubeconfig(path: string): Promise<string> {
  // The real server calls stat before it opens the file.
  if (!existsSync(path)) throw new FlagError(`stat ${path}: no such file or directory`);
  return readNamedFile(path, (why) => `error loading config file ${JSON.stringify(path)}: ${why}`);
}
