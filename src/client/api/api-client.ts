import type { ApiHandler, ApiRequest, ApiResponse, JsonObject } from '../../meta/index.ts';
import { createHeaders, isJsonObject } from '../../meta/index.ts';
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
  readonly body?: object | undefined;
  /** Default: application/json. */
  readonly contentType?: string | undefined;
}

/** A document, such as one of discovery, as it was when it had this ETag. */
export interface TaggedDocument {
  /** Undefined: the server has sent none. */
  readonly etag: string | undefined;
  readonly content: JsonObject;
}

/** A typed client of the API, with the rights of one user. */
export class ApiClient {
  readonly options: ApiClientOptions;
  readonly #requests: AbortGroup;
  /** Signals that no request uses: with a new one for each, requests would survive minor garbage collections of Node. */
  readonly #signals: AbortSignal[] = [];

  constructor(options: ApiClientOptions) {
    this.options = options;
    this.#requests = new AbortGroup(options.signal);
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
    const sent = body && ([['content-type', contentType ?? 'application/json']] as const);
    const bytes = body && new TextEncoder().encode(JSON.stringify(body));
    return this.#exchange({ method, target, headers: createHeaders([['accept', accept], ...(sent ?? [])]), body: bytes }, contentOf);
  }

  /** Reads a document, or returns the known one when it has not changed since. @throws ApiError */
  async readDocument(target: string, accept: string, known?: TaggedDocument): Promise<TaggedDocument> {
    const condition = known?.etag === undefined ? [] : [['if-none-match', known.etag] as const];
    const headers = createHeaders([['accept', accept], ...condition]);
    return this.#exchange({ method: 'GET', target, headers, body: undefined }, async (response) => {
      if (known && response.status === 304) return known;
      return { etag: response.headers.find(([name]) => name === 'etag')?.[1], content: await contentOf(response) };
    });
  }

  /** Sends a request, which the signal of the client aborts, and reads the response. */
  async #exchange<Result>(call: Omit<ApiRequest, 'signal'>, read: (response: ApiResponse) => Promise<Result>): Promise<Result> {
    this.options.signal.throwIfAborted();
    const signal = this.#signals.pop() ?? this.#requests.add().signal;
    try {
      return await read(await this.options.api({ signal, ...call }));
    } finally {
      this.#signals.push(signal);
    }
  }
}

/** @throws ApiError for a status of 300 or more */
async function contentOf({ status, body }: ApiResponse): Promise<JsonObject> {
  const value = parseJsonOrText((await readText(body)) || '{}');
  if (status >= 300) throw new ApiError(status, value);
  return isJsonObject(value) ? value : {};
}
