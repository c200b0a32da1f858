import type { Env } from '../../env/index.ts';
import { type ConsoleShell, createShell } from '../../kubectl/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { clusterOrigin } from './identities.ts';
import { homeDirectory, kubeconfigPath, type VirtualHome } from './virtual-home.ts';

export interface ConsoleShellOptions {
  readonly env: Env;
  readonly product: Product;
  readonly home: VirtualHome;
  readonly api: ApiHandler;
  /** For completion, whose requests are the console's own. */
  readonly internalApi: ApiHandler;
  readonly edit: (path: string) => Promise<boolean>;
  readonly clear: () => void;
}

/** The command language over the page's cluster and files. Every other host is out of reach, by design. */
export function createConsoleShell({ env, product, home, api, internalApi, edit, clear }: ConsoleShellOptions): ConsoleShell {
  return createShell({
    env,
    product,
    files: home.files,
    connect: (origin) => (origin === clusterOrigin ? api : undefined),
    connectQuietly: (origin) => (origin === clusterOrigin ? internalApi : undefined),
    variables: { HOME: homeDirectory, PWD: homeDirectory, KUBECONFIG: kubeconfigPath, APISERVER: clusterOrigin, TOKEN: 'admin-token' },
    edit,
    clear,
  });
}
