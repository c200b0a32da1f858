import { ShownCertificates } from '../../client/certificate/index.ts';
import type { PluginHost } from '../../client/exec-plugin/index.ts';
import type { Clock } from '../../env/index.ts';
import type { KnownPlugins } from '../../kubectl/index.ts';
import { openUserWay } from '../../kubectl/kubeconfig/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { kubeconfigPath } from './identities.ts';
import type { VirtualHome } from './virtual-home.ts';

export interface UserWaysOptions {
  readonly api: ApiHandler;
  readonly home: VirtualHome;
  readonly product: Product;
  readonly clock: Clock;
  readonly host: PluginHost;
  readonly known: KnownPlugins;
}

/** Requests of users whom a token does not name: by certificates and by plugins. Loaded with the first of them. */
export class UserWays {
  readonly #options: UserWaysOptions;
  readonly #shown: ShownCertificates;

  constructor(options: UserWaysOptions) {
    this.#options = options;
    this.#shown = new ShownCertificates(options.api, crypto.subtle, globalThis.origin);
  }

  /** Requests that show this certificate. */
  as(identity: { readonly certificate: string; readonly key: string }): ApiHandler {
    return this.#shown.as(identity, this.#options.api);
  }

  /** Requests as the current user of the kubeconfig. */
  async asCurrent(): Promise<ApiHandler> {
    const { api, home, product, clock, host, known } = this.#options;
    const connect = (_: string, tls?: { readonly identity: Parameters<UserWays['as']>[0] | undefined }): ApiHandler =>
      tls?.identity ? this.as(tls.identity) : api;
    const way = await openUserWay({ files: home.files, file: kubeconfigPath, product, clock, connect, host, known });
    return way ?? api;
  }
}
