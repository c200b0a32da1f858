import { isJsonObject } from '../../../src/meta/index.ts';
import { checkAcknowledgement, checkCollectionDeletion, checkItems, checkRefusal } from '../checker/check-responses.ts';
import { check, rules } from '../checker/violation.ts';
import type { VersionedObject } from '../model/commit-history.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import { metadataOf } from '../model/object-view.ts';
import type { WriteRecord } from '../model/write-log.ts';
import { attemptIdHeader, type HttpRequest, toHttp, type WriteRequest, type WriteVerb } from '../model/write-request.ts';
import type { Delivered } from '../network.ts';
import type { ApiClient } from './api-client.ts';
import type { KnownObjects } from './known-objects.ts';
import { objectNames, type RunContext, sides } from './run-context.ts';

/** How often a write without a response is retried, with the same attempt id. */
const maxRetries = 3;
/** A killed server may still have a pending request to the store: the retry waits until that has ended. */
const retryMs = 100;

const managers = ['alpha', 'beta', 'gamma'] as const;
const appliers = ['one', 'two'] as const;

/** The writing half of a client. */
export class Writing {
  readonly #name: string;
  readonly #context: RunContext;
  readonly #api: ApiClient;
  readonly #known: KnownObjects;
  #count = 0;

  constructor(name: string, context: RunContext, api: ApiClient, known: KnownObjects) {
    this.#name = name;
    this.#context = context;
    this.#api = api;
    this.#known = known;
  }

  /** Performs one write of any kind. */
  async write(): Promise<void> {
    const { environment, history, writes } = this.#context;
    const write = this.#choose();
    const record = writes.begin(write, history.established);
    const delivered = await this.#sendWithRetries(toHttp(write), write.id);
    const code = delivered?.response.status ?? 0;
    environment.coverage.count(`${write.isDryRun ? 'dry run ' : ''}${write.verb} ${delivered ? code : 'without an answer'}`);
    if (!delivered || code >= 500) return this.#learnOutcome(write);
    record.to = delivered.newest;
    if (code >= 300) this.#refused(record, delivered);
    else this.#acknowledged(record, delivered);
  }

  async deleteCollection(): Promise<void> {
    const { environment, history, writes, kinds } = this.#context;
    const kind = environment.pick(kinds);
    const side = environment.once(3) ? undefined : environment.pick(sides);
    const isDryRun = environment.once(4);
    const deletion = writes.beginCollection({ kind, side, isDryRun, from: history.established });
    const query = new URLSearchParams({
      ...(side === undefined ? {} : { labelSelector: `side=${side}` }),
      ...(isDryRun ? { dryRun: 'All' } : {}),
    });
    const request = { method: 'DELETE', target: `${kind.collection}?${query}`, headers: {}, body: undefined };
    const delivered = await this.#sendWithRetries(request, `${this.#name}-${++this.#count}`);
    const code = delivered?.response.status ?? 0;
    environment.coverage.count(`deletecollection ${delivered ? code : 'without an answer'}`);
    if (!delivered || code >= 500) return;
    const { newest: to, body } = delivered;
    deletion.to = to;
    check(code === 200, rules.explained, () => `${code} to the deletion of ${kind.name}: ${JSON.stringify(body)}`);
    const selects = ({ view }: VersionedObject): boolean => side === undefined || view.side === side;
    if (isJsonObject(body) && Array.isArray(body['items'])) {
      const revision = Number(metadataOf(body).resourceVersion);
      check(revision >= deletion.from && revision <= to, rules.linearizable, () => `${kind.name} at ${revision} after ${deletion.from}`);
      checkItems(kind, body['items'].filter(isJsonObject), history.collectionAt(kind, revision).filter(selects), revision);
    }
    if (!isDryRun) checkCollectionDeletion(history, { kind, selects, from: deletion.from, to });
  }

  #refused(record: WriteRecord, { response, body }: Delivered): void {
    record.outcome = 'refused';
    checkRefusal(this.#context.history, record, response.status, body);
    if (record.write.verb === 'apply' && response.status === 409) this.#context.environment.coverage.count('apply conflicts');
  }

  #acknowledged(record: WriteRecord, { response, body }: Delivered): void {
    const { history, writes } = this.#context;
    const { write } = record;
    record.outcome = 'acknowledged';
    check(isJsonObject(body), rules.answer, () => `${write.id} is answered without an object`);
    checkAcknowledgement(history, writes, record, response.status, body);
    if (!write.isDryRun) this.#known.learn(write.kind, write.name, body);
  }

  /** The outcome of the write is unknown: reads the object to learn it. */
  async #learnOutcome({ kind, name }: WriteRequest): Promise<void> {
    const { environment } = this.#context;
    environment.coverage.count('outcomes learned by reading');
    await this.#known.read(kind, name);
  }

  async #sendWithRetries(request: HttpRequest, id: string): Promise<Delivered | undefined> {
    const { clock, random } = this.#context.environment;
    const untilMs = clock.monotonicMs() + this.#context.retentionMs / 2;
    const headers = { ...request.headers, [attemptIdHeader]: id };
    for (let sent = 0; sent <= maxRetries && clock.monotonicMs() <= untilMs; sent++) {
      if (sent > 0) this.#context.environment.coverage.count('writes retried');
      const delivered = await this.#api.send({ ...request, headers }, id);
      if (delivered) return delivered;
      await clock.sleep(retryMs + random.integer(60));
    }
    return undefined;
  }

  #choose(): WriteRequest {
    const { environment, kinds } = this.#context;
    const { once, pick } = environment;
    const kind = pick(kinds);
    const name = pick(objectNames);
    const verb = this.#verb(kind);
    const known = this.#known.get(kind, name);
    const isVersioned = this.#isVersioned(verb, kind);
    const hasUid = this.#hasUid(verb);
    const isApply = verb === 'apply';
    const manager = pick(isApply ? appliers : managers);
    return {
      id: `${this.#name}-${++this.#count}`,
      verb,
      kind,
      name,
      manager,
      version: isVersioned ? (known?.version ?? '1') : undefined,
      uid: hasUid && known ? known.uid : undefined,
      side: pick(sides),
      x: this.#x(verb),
      // Each apply manager always sends the same fields: an omitted field would be removed.
      y: isApply ? (manager === 'two' ? 'y1' : undefined) : this.#y(verb),
      finalizers: this.#finalizers(verb),
      force: isApply && once(2),
      isDryRun: once(10),
      isInvalid: !isApply && verb !== 'delete' && verb !== 'patch-status' && once(20),
    };
  }

  #verb(kind: SimulatedKind): WriteVerb {
    const { environment } = this.#context;
    const verb = environment.pick([
      'create',
      'create',
      'create',
      'create',
      'update',
      'update',
      'update',
      'merge-patch',
      'merge-patch',
      'json-patch',
      'strategic-patch',
      'apply',
      'apply',
      'update-status',
      'patch-status',
      'patch-status',
      'delete',
      'delete',
      'delete',
    ]);
    if (verb === 'strategic-patch' && kind.isCustom) return 'merge-patch';
    if (verb.endsWith('status') && !kind.status) return 'update';
    return verb;
  }

  #isVersioned(verb: WriteVerb, kind: SimulatedKind): boolean {
    const { once } = this.#context.environment;
    const needsVersion = verb.startsWith('update') && !kind.allowsUnconditionalUpdate;
    if (needsVersion && !once(6)) return true;
    const mayHaveVersion = verb.startsWith('update') || verb === 'delete' || verb === 'merge-patch';
    return mayHaveVersion && once(isPatch(verb) ? 6 : 2);
  }

  #hasUid(verb: WriteVerb): boolean {
    const mayHaveUid = verb.startsWith('update') || verb === 'delete' || verb === 'json-patch' || verb === 'merge-patch';
    return mayHaveUid && this.#context.environment.once(5);
  }

  #x(verb: WriteVerb): string | undefined {
    const { once, random } = this.#context.environment;
    return isPatch(verb) && once(2) && verb !== 'patch-status' ? undefined : String(1 + random.integer(4));
  }

  #y(verb: WriteVerb): string | null | undefined {
    const { once, pick } = this.#context.environment;
    if (verb === 'json-patch') return undefined;
    if (once(2)) return pick(['y1', 'y2']);
    return isPatch(verb) && once(2) ? null : undefined;
  }

  #finalizers(verb: WriteVerb): WriteRequest['finalizers'] {
    const { once } = this.#context.environment;
    if (isPatch(verb)) return (verb === 'merge-patch' || verb === 'strategic-patch') && once(2) ? 'remove' : 'unchanged';
    return once(4) && verb !== 'apply' ? 'hold' : 'none';
  }
}

const isPatch = (verb: WriteVerb): boolean => verb.includes('patch');
