import { ByteQueue, type Env } from '../../env/index.ts';
import {
  badRequest,
  conflict,
  forbidden,
  formatTime,
  type GroupResource,
  invalid,
  invalidObject,
  isDns1123Subdomain,
  isJsonObject,
  type Json,
  type JsonObject,
  type Labels,
  matchesFields,
  matchesLabels,
  methodNotAllowed,
  optimisticLockError,
  parseFieldSelector,
  parseLabelSelector,
  recordAt,
  required,
  resourceExpired,
  SelectorError,
  StatusError,
  stringifyJson,
  textAt,
  textsAt,
  toStatus,
} from '../../meta/index.ts';
import { applyJsonPatch, applyMergePatch, decodeJsonPatch, PatchError } from '../../patch/index.ts';
import type { HttpAnswer } from '../process/listeners.ts';
import { ObjectStore, type StoredObject, type StoreEvent } from './object-store.ts';
import { group, type WardleResource, type WardleVersion } from './wardle.ts';

/** A request for a resource of the group. */
export interface ResourceRequest {
  readonly method: string;
  readonly version: WardleVersion;
  readonly namespace: string;
  /** Undefined: a collection. */
  readonly name: string | undefined;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: string;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
}

const unknownFormat =
  'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf';

const isDryRun = ({ query }: ResourceRequest): boolean => query.getAll('dryRun').includes('All');

export const jsonAnswer = (status: number, value: Json): HttpAnswer => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: `${stringifyJson(value)}\n`,
});

/** The response for an error. */
export function errorAnswer(error: unknown): HttpAnswer {
  if (!(error instanceof StatusError)) throw error;
  return jsonAnswer(error.code, toStatus(error) as unknown as JsonObject);
}

/** Serves one resource in each of its versions. Flunders whose name a Fischer disallows are refused. */
export class ResourceService {
  readonly store: ObjectStore;
  readonly #resource: WardleResource;
  readonly #of: GroupResource;
  readonly #env: Env;
  readonly #isBanned: (name: string) => boolean;

  constructor(resource: WardleResource, env: Env, isBanned: (name: string) => boolean) {
    this.#resource = resource;
    this.#of = { group, name: resource.plural };
    this.store = new ObjectStore(this.#of);
    this.#env = env;
    this.#isBanned = isBanned;
  }

  /** @throws StatusError */
  serve(request: ResourceRequest): HttpAnswer {
    const { method, contentType } = request;
    if ((method === 'POST' || method === 'PUT') && contentType !== '' && contentType !== 'application/json')
      throw new StatusError(415, 'UnsupportedMediaType', unknownFormat);
    return request.name === undefined ? this.#serveCollection(request) : this.#serveObject(request, request.name);
  }

  #serveCollection(request: ResourceRequest): HttpAnswer {
    switch (request.method) {
      case 'GET':
        return isWatch(request.query) ? this.#watch(request) : jsonAnswer(200, this.#list(request, this.#selected(request)));
      case 'POST':
        return jsonAnswer(201, this.#show(this.#create(request), request.version));
      case 'DELETE': {
        const selected = this.#selected(request);
        for (const object of selected) this.store.remove(object, isDryRun(request));
        return jsonAnswer(200, this.#list(request, selected));
      }
      default:
        throw methodNotAllowed();
    }
  }

  #serveObject(request: ResourceRequest, name: string): HttpAnswer {
    const found = (): StoredObject => this.store.get(request.namespace, name);
    switch (request.method) {
      case 'GET':
        return jsonAnswer(200, this.#show(found(), request.version));
      case 'PUT':
        return jsonAnswer(200, this.#show(this.#update(request, found(), parseObject(request.body), true), request.version));
      case 'PATCH': {
        const current = found();
        return jsonAnswer(200, this.#show(this.#update(request, current, this.#patched(request, current), false), request.version));
      }
      case 'DELETE': {
        const removed = found();
        this.store.remove(removed, isDryRun(request));
        const details = { name, group, kind: this.#resource.plural, uid: textAt(removed.metadata, 'uid') };
        return jsonAnswer(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
      }
      default:
        throw methodNotAllowed();
    }
  }

  #show(object: StoredObject, version: WardleVersion): JsonObject {
    const { kind, fromStored } = this.#resource;
    return { kind, apiVersion: `${group}/${version}`, metadata: object.metadata, ...fromStored(object, version) };
  }

  #list({ version }: ResourceRequest, objects: readonly StoredObject[]): JsonObject {
    return {
      kind: `${this.#resource.kind}List`,
      apiVersion: `${group}/${version}`,
      metadata: { resourceVersion: String(this.store.revision) },
      items: objects.map((object) => this.#show(object, version)),
    };
  }

  #selected(request: ResourceRequest): readonly StoredObject[] {
    return this.store.list().filter(selectorOf(request));
  }

  #create(request: ResourceRequest): StoredObject {
    const { version, namespace, body } = request;
    const object = parseObject(body);
    const { kind, isNamespaced, toStored } = this.#resource;
    this.#requireKind(object, version);
    const given = recordAt(object, 'metadata');
    if (isNamespaced && textAt(given, 'namespace') !== '' && textAt(given, 'namespace') !== namespace)
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    const { clock, random } = this.#env;
    const prefix = textAt(given, 'generateName');
    const name = textAt(given, 'name') || (prefix === '' ? '' : `${prefix}${random.uuid().slice(0, 5)}`);
    const { resourceVersion: _, ...fields } = given;
    const metadata = {
      ...fields,
      name,
      ...(isNamespaced ? { namespace } : {}),
      uid: random.uuid(),
      creationTimestamp: formatTime(clock.nowMs()),
    };
    const stored = { metadata, ...toStored(object, version) };
    if (name === '') throw invalidObject({ group, name: kind }, name, [required('metadata.name', 'name or generateName is required')]);
    if (this.#isBanned(name)) throw forbidden(this.#of, name, 'this name may not be used, please change the resource name');
    const errors = [...isDns1123Subdomain(name).map((text) => invalid('metadata.name', name, text)), ...this.#resource.validate(stored)];
    if (errors.length > 0) throw invalidObject({ group, name: kind }, name, errors);
    return this.store.create(stored, isDryRun(request));
  }

  #update(request: ResourceRequest, current: StoredObject, object: JsonObject, requiresVersion: boolean): StoredObject {
    const { version } = request;
    this.#requireKind(object, version);
    const given = recordAt(object, 'metadata');
    const name = textAt(current.metadata, 'name');
    if (textAt(given, 'name') !== name)
      throw badRequest(`the name of the object (${textAt(given, 'name')}) does not match the name on the URL (${name})`);
    const resourceVersion = textAt(given, 'resourceVersion');
    if (resourceVersion === '' && requiresVersion)
      throw invalidObject({ group, name: this.#resource.kind }, name, [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
    const uid = textAt(given, 'uid');
    if (uid !== '' && uid !== textAt(current.metadata, 'uid')) throw conflict(this.#of, name, optimisticLockError);
    const { uid: ownUid, creationTimestamp, namespace } = current.metadata;
    const metadata = {
      ...given,
      ...(namespace === undefined ? {} : { namespace }),
      uid: ownUid,
      creationTimestamp,
      resourceVersion: resourceVersion || textAt(current.metadata, 'resourceVersion'),
    };
    return this.store.replace({ metadata, ...this.#resource.toStored(object, version) }, isDryRun(request));
  }

  #patched({ version, contentType, body }: ResourceRequest, current: StoredObject): JsonObject {
    const shown = this.#show(current, version);
    try {
      if (contentType === 'application/json-patch+json') {
        const result = applyJsonPatch(shown, decodeJsonPatch(parseJsonBody(body)));
        return isJsonObject(result) ? result : {};
      }
      // A strategic merge patch equals a merge patch here: no list of these kinds has a merge key.
      return applyMergePatch(shown, parseObject(body));
    } catch (error) {
      throw error instanceof PatchError ? badRequest(error.message, error) : error;
    }
  }

  #requireKind(object: JsonObject, version: WardleVersion): void {
    const wanted = `${group}/${version}`;
    // Without a kind an object has that of its resource.
    const [apiVersion, kind] = [textAt(object, 'apiVersion') || wanted, textAt(object, 'kind') || this.#resource.kind];
    if (apiVersion !== wanted || kind !== this.#resource.kind)
      throw badRequest(`the object provided is unrecognized (must be of type ${this.#resource.kind}): ${apiVersion}, Kind=${kind}`);
  }

  /** The events as JSON lines until the timeout of the request, or the end of the server. */
  #watch(request: ResourceRequest): HttpAnswer {
    const revision = Number(request.query.get('resourceVersion') ?? 0);
    const isSelected = selectorOf(request);
    const past = revision > 0 ? this.store.eventsAfter(revision) : [];
    if (!past) throw resourceExpired(`too old resource version: ${revision} (${this.store.revision})`);
    const queue = new ByteQueue();
    const encoder = new TextEncoder();
    const send = (type: StoreEvent['type'], object: StoredObject): void => {
      const line = `${stringifyJson({ type, object: this.#show(object, request.version) })}\n`;
      void queue.push(encoder.encode(line));
    };
    const receive = ({ type, object, previous }: StoreEvent): void => {
      const [was, is] = [previous !== undefined && isSelected(previous), type !== 'DELETED' && isSelected(object)];
      if (is) send(was ? 'MODIFIED' : 'ADDED', object);
      else if (was) send('DELETED', object);
    };
    if (revision === 0) for (const object of this.#selected(request)) send('ADDED', object);
    past.forEach(receive);
    const unwatch = this.store.watch(receive);
    const timeoutMs = (Number(request.query.get('timeoutSeconds')) || defaultTimeoutSeconds) * 1_000;
    const cancel = this.#env.clock.schedule(timeoutMs, () => queue.end());
    request.signal.addEventListener('abort', () => queue.end(), { once: true });
    return {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      stream: closing(queue, () => {
        unwatch();
        cancel();
      }),
    };
  }
}

/** The least time of a watch by `--min-request-timeout`. */
const defaultTimeoutSeconds = 1_800;

async function* closing(source: AsyncIterable<Uint8Array>, close: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } finally {
    close();
  }
}

/** Whether a list is a watch: `?watch`, `?watch=true`, `?watch=1`. */
export const isWatch = (query: URLSearchParams): boolean => ['', 'true', '1'].includes(query.get('watch') ?? 'false');

/** @throws StatusError 400 */
function selectorOf({ namespace, query }: ResourceRequest): (object: StoredObject) => boolean {
  try {
    const labels = parseLabelSelector(query.get('labelSelector') ?? '');
    const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
    return ({ metadata }) =>
      (namespace === '' || textAt(metadata, 'namespace') === namespace) &&
      matchesLabels(labels, recordAt(metadata, 'labels') as Labels) &&
      matchesFields(fields, (field) => textAt(metadata, field.replace(/^metadata\./, '')));
  } catch (error) {
    throw error instanceof SelectorError ? badRequest(error.message, error) : error;
  }
}

/** @throws StatusError 400 */
function parseJsonBody(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

/** @throws StatusError 400 */
function parseObject(body: string): JsonObject {
  const value = parseJsonBody(body);
  if (!isJsonObject(value)) throw badRequest('the object provided is unrecognized: it is not a JSON object');
  return value;
}

/** The names that a Fischer disallows. */
export const disallowedNames = (fischers: ObjectStore): readonly string[] =>
  fischers.list().flatMap((fischer) => textsAt(fischer, 'disallowedFlunders'));
