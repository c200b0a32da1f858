import { ClientCertificateSessions } from '../../client/certificate/index.ts';
import type { PluginHost } from '../../client/exec-plugin/index.ts';
import type { Clock } from '../../env/index.ts';
import type { PluginCache } from '../../kubectl/index.ts';
import { createUserTransport } from '../../kubectl/kubeconfig/index.ts';
import type { ApiHandler, Product } from '../../meta/index.ts';
import { kubeconfigPath } from './identities.ts';
import type { VirtualHome } from './virtual-home.ts';

export interface UserTransportsOptions {
  readonly api: ApiHandler;
  readonly home: VirtualHome;
  readonly product: Product;
  readonly clock: Clock;
  readonly host: PluginHost;
  readonly known: PluginCache;
}

/** Transports for users with a client certificate or an exec plugin. Loaded on first use. */
export class UserTransports {
  readonly #options: UserTransportsOptions;
  readonly #certificates: ClientCertificateSessions;

  constructor(options: UserTransportsOptions) {
    this.#options = options;
    this.#certificates = new ClientCertificateSessions(options.api, crypto.subtle, globalThis.origin);
  }

  /** Sends requests with this client certificate. */
  forCertificate(identity: { readonly certificate: string; readonly key: string }): ApiHandler {
    return this.#certificates.withCertificate(identity, this.#options.api);
  }

  /** Sends requests as the current user of the kubeconfig. */
  async forCurrentUser(): Promise<ApiHandler> {
    const { api, home, product, clock, host, known } = this.#options;
    const connect = (_: string, tls?: { readonly identity: Parameters<UserTransports['forCertificate']>[0] | undefined }): ApiHandler =>
      tls?.identity ? this.forCertificate(tls.identity) : api;
    const transport = await createUserTransport({ files: home.files, file: kubeconfigPath, product, clock, connect, host, known });
    return transport ?? api;
  }
}
