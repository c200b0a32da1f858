import { readWebhookConnection } from '../../cluster/index.ts';
import type { Clock } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import { programPlugins } from './kubectl/plugin-host.ts';
import { readNamedFile } from './named-file.ts';

/** The webhook that a client configuration names, with the programs and files of this machine. @throws KubeconfigError, FlagError */
export async function webhookConnection(
  path: string,
  { product, clock }: { readonly product: Product; readonly clock: Clock },
): ReturnType<typeof readWebhookConnection> {
  return readWebhookConnection(path, await readNamedFile(path), {
    userAgent: `${product.rename('kube-apiserver')}/v1`,
    product,
    clock,
    readFile: readNamedFile,
    plugins: programPlugins,
  });
}
