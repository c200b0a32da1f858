import type { PluginHost } from '../../client/exec-plugin/index.ts';
import type { Env, OutboundTls } from '../../env/index.ts';
import { type ConsoleShell, createShell, type KnownPlugins } from '../../kubectl/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { clusterOrigin, homeDirectory, kubeconfigPath } from './identities.ts';
import type { VirtualHome } from './virtual-home.ts';

export interface ConsoleShellOptions {
  readonly env: Env;
  readonly product: Product;
  readonly home: VirtualHome;
  readonly allow?: readonly string[];
  readonly api: (tls?: OutboundTls) => ApiHandler;
  /** For completion, whose requests are the console's own. */
  readonly internalApi: ApiHandler;
  /** Only where commands are the user's own. */
  readonly plugins?: PluginHost;
  readonly knownPlugins?: KnownPlugins;
  readonly edit: (path: string) => Promise<boolean>;
  readonly clear: () => void;
}

/** The command language over the page's cluster and files. Every other host is out of reach, by design. */
export function createConsoleShell({ home, api, internalApi, ...options }: ConsoleShellOptions): ConsoleShell {
  return createShell({
    ...options,
    files: home.files,
    connect: (origin, tls) => (origin === clusterOrigin ? api(tls) : undefined),
    connectQuietly: (origin) => (origin === clusterOrigin ? internalApi : undefined),
    variables: { HOME: homeDirectory, PWD: homeDirectory, KUBECONFIG: kubeconfigPath, APISERVER: clusterOrigin, TOKEN: 'admin-token' },
  });
}
