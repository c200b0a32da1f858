import type { ApiHandler, ApiRequest } from '../../meta/index.ts';
import { type CurrentContext, credentialHeaders, parseCurrentContext } from './identities.ts';
import type { UserTransports } from './user-transports.ts';

/** The user of the kubeconfig's current context, and the requests sent as that user. */
export class CurrentUser {
  context: CurrentContext = parseCurrentContext('');
  readonly #api: ApiHandler;
  readonly #loadTransports: () => Promise<UserTransports>;
  #transports: Promise<UserTransports> | undefined;
  /** The transport of the current user. */
  #transport: Promise<ApiHandler> | undefined;
  #key = '';

  constructor(api: ApiHandler, loadTransports: () => Promise<UserTransports>) {
    this.#api = api;
    this.#loadTransports = loadTransports;
  }

  /** Reads the current context. Returns whether the user or the credentials have changed. */
  update(kubeconfig: string): boolean {
    this.context = parseCurrentContext(kubeconfig);
    this.#transport = undefined;
    const key = JSON.stringify([this.context.user, this.context.credentials]);
    if (key === this.#key) return false;
    this.#key = key;
    return true;
  }

  /** Adds the credentials of the user to a request without credentials. */
  withCredentials(request: ApiRequest): ApiRequest {
    const headers = new Headers([...request.headers]);
    if (!headers.has('authorization') && !headers.has('impersonate-user'))
      for (const [name, value] of credentialHeaders(this.context.credentials)) headers.append(name, value);
    return { ...request, headers };
  }

  /** Users with a client certificate or an exec plugin need their own transport. It is below the request log. */
  readonly send: ApiHandler = async (request) => {
    if (!this.context.credentials.needsTransport || request.headers.get('authorization') !== null) return this.#api(request);
    this.#transport ??= this.#userTransports().then((transports) => transports.forCurrentUser());
    return (await this.#transport)(request);
  };

  /** Sends a request with a client certificate, or with the credentials in its headers when undefined. */
  async sendWith(identity: Parameters<UserTransports['forCertificate']>[0] | undefined, request: ApiRequest): ReturnType<ApiHandler> {
    return identity ? (await this.#userTransports()).forCertificate(identity)(request) : this.#api(request);
  }

  #userTransports(): Promise<UserTransports> {
    this.#transports ??= this.#loadTransports();
    return this.#transports;
  }
}
