import type { ApiHandler, ApiResponse } from '../../src/meta/index.ts';
import { headersOf } from '../../src/meta/index.ts';
import { type Attempt, contentOf, type Ledger, prefix, type Verb } from './ledger.ts';
import type { Readings } from './readings.ts';
import { require, type World } from './world.ts';

const collection = '/api/v1/namespaces/default/configmaps';
const names = ['a', 'b', 'c', 'd'];
const sides = ['left', 'right'];
/** How often a write is sent again when its answer was lost, under the same id. */
const retries = 2;

export interface WriterOptions {
  readonly name: string;
  readonly world: World;
  readonly api: ApiHandler;
  readonly ledger: Ledger;
  readonly readings: Readings;
}

/** A client that reads and writes a few objects, without looking at what others do. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #versions = new Map<string, string>();
  #count = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** One operation, whatever comes of it. */
  async act(): Promise<void> {
    const { random, once } = this.#options.world;
    const name = names[random.integer(names.length)] ?? '';
    if (once(6)) return this.#list(once(2) ? 2 : undefined);
    if (once(4)) return this.#get(name);
    const verbs: readonly Verb[] = ['create', 'create', 'replace', 'replace', 'overwrite', 'patch', 'patch', 'apply', 'delete', 'delete'];
    await this.#write(verbs[random.integer(verbs.length)] ?? 'create', name);
  }

  async #write(verb: Verb, name: string): Promise<void> {
    const { world, ledger } = this.#options;
    const id = `${this.#options.name}-${++this.#count}`;
    const version = verb === 'replace' || (verb === 'delete' && world.once(2)) ? (this.#versions.get(name) ?? '1') : undefined;
    const attempt = ledger.begin({ id, verb, name, base: version === undefined ? undefined : Number(version) });
    const request = requestFor(attempt, version, sides[world.random.integer(2)] ?? '');
    for (let sent = 0; sent <= retries; sent++) {
      const answer = await this.#send(request.method, request.target, { ...request.headers, 'x-tabplane-attempt-id': id }, request.body);
      if (answer) return this.#told(attempt, answer);
      await world.clock.sleep(5 + world.random.integer(60));
    }
  }

  #told(attempt: Attempt, { status, body }: ApiResponse): void {
    const { ledger } = this.#options;
    // The store did not answer in time: nobody knows.
    if (status >= 500) return;
    if (status >= 300) {
      attempt.outcome = 'refused';
      return;
    }
    attempt.outcome = 'done';
    const object = JSON.parse(String(body)) as { readonly kind: string; readonly metadata: { readonly resourceVersion?: string } };
    if (object.kind !== 'ConfigMap' || object.metadata.resourceVersion === undefined) return;
    const { value } = contentOf(object, `the answer to ${attempt.id}`);
    require(value === attempt.id, 'an answer shows what was written', () => `${attempt.id} was answered with ${value}`);
    attempt.revision = Number(object.metadata.resourceVersion);
    this.#versions.set(attempt.name, object.metadata.resourceVersion);
    ledger.learn(attempt.revision);
  }

  async #get(name: string): Promise<void> {
    const { ledger, readings } = this.#options;
    const floor = ledger.known;
    const answer = await this.#send('GET', `${collection}/${name}`);
    if (answer?.status === 404) readings.absent(prefix + name, floor);
    if (answer?.status !== 200) return;
    const object = JSON.parse(String(answer.body)) as { readonly metadata: { readonly resourceVersion: string } };
    const { value } = contentOf(object, `a get of ${name}`);
    const revision = Number(object.metadata.resourceVersion);
    this.#versions.set(name, object.metadata.resourceVersion);
    readings.present(prefix + name, { revision, value }, floor);
    ledger.learn(revision);
  }

  async #list(limit: number | undefined): Promise<void> {
    const { ledger, readings } = this.#options;
    const floor = ledger.known;
    const items: { readonly name: string; readonly revision: number; readonly value: string }[] = [];
    let token = '';
    for (;;) {
      const query = limit === undefined ? '' : `?limit=${limit}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
      const answer = await this.#send('GET', collection + query);
      if (answer?.status !== 200) return;
      const page = JSON.parse(String(answer.body)) as ListPage;
      for (const item of page.items)
        items.push({
          name: item.metadata.name,
          revision: Number(item.metadata.resourceVersion),
          value: contentOf(item, 'a list').value,
        });
      token = page.metadata.continue ?? '';
      if (token !== '') continue;
      const revision = Number(page.metadata.resourceVersion);
      readings.listed(items, revision, floor);
      ledger.learn(revision);
      return;
    }
  }

  /** Undefined when no answer came. */
  async #send(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<ApiResponse | undefined> {
    const { world, api, name } = this.#options;
    world.tell(name, `${method} ${target} ${headers['x-tabplane-attempt-id'] ?? ''}`);
    try {
      const answer = await api({
        method,
        target,
        headers: headersOf(Object.entries({ accept: 'application/json', ...headers })),
        body: body && new TextEncoder().encode(JSON.stringify(body)),
        signal: new AbortController().signal,
      });
      world.tell(name, `${answer.status} ${method} ${headers['x-tabplane-attempt-id'] ?? target}`);
      return answer;
    } catch (error) {
      world.tell(
        name,
        `no answer to ${method} ${headers['x-tabplane-attempt-id'] ?? target}: ${error instanceof Error ? error.message : error}`,
      );
      return undefined;
    }
  }
}

interface ListPage {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string; readonly resourceVersion: string } }[];
}

interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** What a write says is told twice in its data, so that half an object shows. */
function requestFor({ verb, name, id }: Attempt, version: string | undefined, side: string): Request {
  const item = `${collection}/${name}`;
  const named = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { side } }, data: { value: id, copy: id } };
  const json = { 'content-type': 'application/json' };
  switch (verb) {
    case 'create':
      return { method: 'POST', target: collection, headers: json, body: named };
    case 'replace':
      return { method: 'PUT', target: item, headers: json, body: { ...named, metadata: { ...named.metadata, resourceVersion: version } } };
    case 'overwrite':
      return { method: 'PUT', target: item, headers: json, body: named };
    case 'patch':
      return { method: 'PATCH', target: item, headers: { 'content-type': 'application/merge-patch+json' }, body: named };
    case 'apply':
      return {
        method: 'PATCH',
        target: `${item}?fieldManager=applier&force=true`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: named,
      };
    case 'delete':
      return version === undefined
        ? { method: 'DELETE', target: item, headers: {} }
        : { method: 'DELETE', target: item, headers: json, body: { preconditions: { resourceVersion: version } } };
  }
}
