import type { PluginHost } from '../../client/exec-plugin/index.ts';
import type { Env, OutboundTls } from '../../env/index.ts';
import { type ConsoleShell, createShell, type PluginCache } from '../../kubectl/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { clusterOrigin, homeDirectory, kubeconfigPath } from './identities.ts';
import type { VirtualHome } from './virtual-home.ts';

export interface ConsoleShellOptions {
  readonly env: Env;
  readonly product: Product;
  readonly home: VirtualHome;
  readonly allow?: readonly string[];
  readonly api: (tls?: OutboundTls) => ApiHandler;
  /** For completion, which sends internal requests. */
  readonly internalApi: ApiHandler;
  /** Undefined where commands do not come from the user. */
  readonly plugins?: PluginHost;
  readonly knownPlugins?: PluginCache;
  readonly edit: (path: string) => Promise<boolean>;
  readonly clear: () => void;
}

/** Creates a shell over the cluster and the files of the page. Connections to other hosts are not possible, by design. */
export function createConsoleShell({ home, api, internalApi, ...options }: ConsoleShellOptions): ConsoleShell {
  return createShell({
    ...options,
    files: home.files,
    connect: (origin, tls) => (origin === clusterOrigin ? api(tls) : undefined),
    connectQuietly: (origin) => (origin === clusterOrigin ? internalApi : undefined),
    variables: { HOME: homeDirectory, PWD: homeDirectory, KUBECONFIG: kubeconfigPath, APISERVER: clusterOrigin, TOKEN: 'admin-token' },
  });
}
