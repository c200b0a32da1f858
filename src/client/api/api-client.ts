import type { ApiHandler, JsonObject } from '../../meta/index.ts';
import { isJsonObject } from '../../meta/index.ts';
import type { ApiResource } from '../../schema/api/index.ts';
import { AbortGroup } from '../transport/abort-group.ts';
import { parseJsonOrText, readText } from '../transport/read-body.ts';
import { ApiError } from './api-error.ts';
import { type KubeObject, ResourceClient } from './resource-client.ts';

export interface ApiClientOptions {
  /** The API, with the credentials of the client. */
  readonly api: ApiHandler;
  /** Names of Kubernetes in paths and API versions are replaced by those of the product. */
  readonly product: { rename(text: string): string };
  /** Aborts all requests. */
  readonly signal: AbortSignal;
}

/** A request of `ApiClient.send`. */
export interface ApiCall {
  /** Default: application/json. */
  readonly accept?: string;
  /** Encoded as JSON. */
  readonly body?: object;
  /** Default: application/json. */
  readonly contentType?: string;
}

/** A typed client of the API, with the rights of one user. */
export class ApiClient {
  readonly options: ApiClientOptions;
  /** The requests without a response. */
  readonly #pending: AbortGroup;

  constructor(options: ApiClientOptions) {
    this.options = options;
    this.#pending = new AbortGroup(options.signal);
  }

  /** The client of one resource, such as `corev1Pods`. For a custom resource, pass its own ApiResource. */
  resource<T extends KubeObject>(resource: ApiResource<T>): ResourceClient<T> {
    return new ResourceClient(this, resource);
  }

  /**
   * Sends a request and returns the decoded object; `{}` for an empty body. `target` is the path with the query: `/api/v1/pods?limit=5`.
   * Not for watches, which do not end.
   *
   * @throws ApiError for a status of 300 or more
   * @throws the reason of the client's signal when it is aborted
   */
  async send(method: string, target: string, { accept = 'application/json', body, contentType }: ApiCall = {}): Promise<JsonObject> {
    const headers = new Headers({ accept });
    if (body) headers.set('content-type', contentType ?? 'application/json');
    const bytes = body && new TextEncoder().encode(JSON.stringify(body));
    this.options.signal.throwIfAborted();
    const request = this.#pending.add();
    try {
      const response = await this.options.api({ method, target, headers, body: bytes, signal: request.signal });
      const value = parseJsonOrText((await readText(response.body)) || '{}');
      if (response.status >= 300) throw new ApiError(response.status, value);
      return isJsonObject(value) ? value : {};
    } finally {
      this.#pending.remove(request);
    }
  }
}
