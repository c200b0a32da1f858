import { existsSync } from 'node:fs';
import { readWebhookConnection } from '../../../cluster/index.ts';
import type { Clock } from '../../../env/index.ts';
import type { Product } from '../../../meta/index.ts';
import { readNamedFile } from '../config/named-file.ts';
import { FlagError } from '../flags/flag-error.ts';
import { programPlugins } from '../kubectl/plugin-host.ts';

/** The webhook connection of a kubeconfig, with the files and plugins of this machine. @throws KubeconfigError, FlagError */
export async function webhookConnection(
  path: string,
  { product, clock }: { readonly product: Product; readonly clock: Clock },
): ReturnType<typeof readWebhookConnection> {
  // The real server calls stat before it opens the file.
  if (!existsSync(path)) throw new FlagError(`stat ${path}: no such file or directory`);
  return readWebhookConnection(path, await readNamedFile(path), {
    userAgent: `${product.rename('kube-apiserver')}/v1`,
    product,
    clock,
    readFile: readNamedFile,
    plugins: programPlugins,
  });
}
