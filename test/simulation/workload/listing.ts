import { isJsonObject, type JsonObject } from '../../../src/meta/index.ts';
import { checkItems, messageOf } from '../checker/check-responses.ts';
import { check, rules } from '../checker/violation.ts';
import type { VersionedObject } from '../model/commit-history.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import type { Delivered } from '../network.ts';
import type { ApiClient } from './api-client.ts';
import type { KnownObjects } from './known-objects.ts';
import { objectNames, type RunContext, sides } from './run-context.ts';

/** Which objects of a collection a request selects. */
export interface Selection {
  readonly query: Readonly<Record<string, string>>;
  selects(object: VersionedObject): boolean;
}

export const everything: Selection = { query: {}, selects: () => true };
export const bySide = (side: string): Selection => ({
  query: { labelSelector: `side=${side}` },
  selects: ({ view }) => view.side === side,
});
export const byName = (name: string): Selection => ({
  query: { fieldSelector: `metadata.name=${name}` },
  selects: ({ view }) => view.name === name,
});

/** The resourceVersion semantics of a list (API concepts, "Resource versions"). */
type Mode = 'newest' | 'at 0' | 'not older than' | 'implicitly not older than' | 'exact' | 'of the future';

interface Page {
  readonly items: readonly JsonObject[];
  readonly revision: number;
  readonly continue: string;
  readonly remaining: number | undefined;
}

/** The list requests of a client. */
export class Listing {
  readonly #context: RunContext;
  readonly #api: ApiClient;
  readonly #known: KnownObjects;

  constructor(context: RunContext, api: ApiClient, known: KnownObjects) {
    this.#context = context;
    this.#api = api;
    this.#known = known;
  }

  async list(): Promise<void> {
    const { environment, kinds } = this.#context;
    const { pick, once } = environment;
    const selection = once(2) ? everything : once(2) ? bySide(pick(sides)) : byName(pick(objectNames));
    const kind = pick(kinds);
    if (once(3)) return this.#listPages(kind, once(3) ? bySide(pick(sides)) : everything);
    const mode = once(12)
      ? 'of the future'
      : pick<Mode>(['newest', 'newest', 'at 0', 'not older than', 'implicitly not older than', 'exact', 'exact']);
    await this.#listOnce(kind, selection, mode);
  }

  async #listOnce(kind: SimulatedKind, { query, selects }: Selection, mode: Mode): Promise<void> {
    const { history, environment } = this.#context;
    const establishedBefore = history.established;
    const version =
      mode === 'of the future' ? history.newest + 1 + environment.random.integer(environment.once(2) ? 3 : 200) : this.#known.anyVersion();
    const delivered = await this.#api.get(`${kind.collection}?${new URLSearchParams({ ...query, ...versionQuery(mode, version) })}`);
    if (!delivered) return;
    const { status } = delivered.response;
    environment.coverage.count(`list ${mode} ${status}`);
    if (status >= 500) return;
    if (mode === 'exact' && this.#isExpired(delivered, version)) return;
    const { items, revision } = this.#page(delivered);
    if (mode === 'exact') check(revision === version, rules.exact, () => `${kind.name} at ${revision}, requested ${version}`);
    else this.#checkRevision(delivered, revision, { mode, version, establishedBefore });
    checkItems(kind, items, history.collectionAt(kind, revision).filter(selects), revision);
    this.#known.versions.push(revision);
  }

  #checkRevision(
    { arrival, newest }: Delivered,
    revision: number,
    { mode, version, establishedBefore }: { readonly mode: Mode; readonly version: number; readonly establishedBefore: number },
  ): void {
    if (mode === 'newest') {
      check(
        revision >= establishedBefore && revision <= newest,
        rules.linearizable,
        () => `a list at ${revision} between ${establishedBefore} and ${newest}`,
      );
      return;
    }
    const from = Math.max(mode === 'at 0' ? 0 : version, arrival.shown);
    check(revision >= from && revision <= newest, rules.notOlder, () => `a list at ${revision} instead of between ${from} and ${newest}`);
  }

  /** Lists in pages of one revision; after the continue token has expired the rest is of the newest revision. */
  async #listPages(kind: SimulatedKind, { query, selects }: Selection): Promise<void> {
    const { history, environment } = this.#context;
    const limit = 1 + environment.random.integer(2);
    const isExact = environment.once(4);
    const version = isExact ? this.#known.anyVersion() : undefined;
    let revision: number | undefined = version;
    let shown = 0;
    let token = '';
    let lastName = '';
    for (let page = 0; ; page++) {
      const establishedBefore = history.established;
      const parameters = { ...query, limit: String(limit), ...positionQuery(token, version) };
      const delivered = await this.#api.get(`${kind.collection}?${new URLSearchParams(parameters)}`);
      if (!delivered) return;
      environment.coverage.count(`list page ${page === 0 ? 'first' : 'later'} ${delivered.response.status}`);
      if (delivered.response.status >= 500) return;
      if (revision !== undefined && this.#isExpired(delivered, revision)) {
        if (page > 0) await this.#listRest(kind, { query, selects }, { token: tokenOf(delivered.body), lastName });
        return;
      }
      const read = this.#page(delivered);
      if (revision === undefined) this.#checkRevision(delivered, read.revision, { mode: 'newest', version: 0, establishedBefore });
      else check(read.revision === revision, rules.snapshot, () => `a page at ${read.revision} of a list at ${revision}`);
      revision = read.revision;
      const all = history.collectionAt(kind, revision).filter(selects);
      checkPage(kind, read, all.slice(shown), { limit, isCounted: Object.keys(query).length === 0 });
      shown += read.items.length;
      if (read.continue === '') return void this.#known.versions.push(revision);
      lastName = all[shown - 1]?.view.name ?? '';
      token = read.continue;
      // Time for changes between the pages, and for compaction.
      await environment.clock.sleep(environment.random.integer(environment.once(3) ? this.#context.retentionMs * 2 : 40));
    }
  }

  /** An expired list continues with the token of its 410: the objects after the last one shown, of the newest revision. */
  async #listRest(
    kind: SimulatedKind,
    { query, selects }: Selection,
    { token, lastName }: { readonly token: string; readonly lastName: string },
  ): Promise<void> {
    const { history, environment } = this.#context;
    const delivered = await this.#api.get(`${kind.collection}?${new URLSearchParams({ ...query, continue: token })}`);
    if (!delivered || delivered.response.status >= 500) return;
    const expired = Number(readToken(token));
    if (this.#isExpired(delivered, expired)) return;
    const { items, revision } = this.#page(delivered);
    environment.coverage.count('lists continued inconsistently');
    check(revision === expired, rules.snapshot, () => `the rest of an expired list at ${revision} instead of ${expired}`);
    const rest = history.collectionAt(kind, revision).filter((object) => selects(object) && object.view.name > lastName);
    checkItems(kind, items, rest, revision);
  }

  #page({ response, body }: Delivered): Page {
    check(response.status === 200 && isJsonObject(body), rules.explained, () => `${response.status} ${messageOf(body)} to a list`);
    const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
    const { items } = body;
    return {
      items: Array.isArray(items) ? items.filter(isJsonObject) : [],
      revision: Number(metadata['resourceVersion']),
      continue: tokenOf(body),
      remaining: metadata['remainingItemCount'] === undefined ? undefined : Number(metadata['remainingItemCount']),
    };
  }

  /** Whether the response is 410; it must be for compacted revisions, and only for them. */
  #isExpired({ response, body, arrival }: Delivered, revision: number): boolean {
    const { history, isShared } = this.#context;
    const isExpired = response.status === 410;
    const { atMost } = history.compaction;
    if (isExpired) check(revision < atMost, rules.expired, () => `410 ${messageOf(body)} at ${revision}, compacted is ${atMost}`);
    else
      check(
        isShared || revision >= arrival.compacted,
        rules.expired,
        () => `${response.status} at ${revision}, compacted is ${arrival.compacted}`,
      );
    return isExpired;
  }
}

/** The first page is of a version, the others have the token of the page before. */
function positionQuery(token: string, version: number | undefined): Readonly<Record<string, string>> {
  if (token !== '') return { continue: token };
  return version === undefined ? {} : { resourceVersion: String(version) };
}

/** A page has the first objects of the rest of a list; the others are counted where all objects of the collection are selected. */
function checkPage(
  kind: SimulatedKind,
  page: Page,
  rest: readonly VersionedObject[],
  { limit, isCounted }: { readonly limit: number; readonly isCounted: boolean },
): void {
  const isLast = page.continue === '';
  checkItems(kind, page.items, isLast ? rest : rest.slice(0, limit), page.revision);
  const remaining = isLast || !isCounted ? undefined : rest.length - page.items.length;
  check(page.remaining === remaining, rules.remaining, () => `${page.remaining} remaining instead of ${remaining}`);
}

function versionQuery(mode: Mode, version: number): Readonly<Record<string, string>> {
  switch (mode) {
    case 'newest':
      return {};
    case 'at 0':
      return { resourceVersion: '0' };
    case 'implicitly not older than':
    case 'of the future':
      return { resourceVersion: String(version) };
    case 'not older than':
      return { resourceVersion: String(version), resourceVersionMatch: 'NotOlderThan' };
    case 'exact':
      return { resourceVersion: String(version), resourceVersionMatch: 'Exact' };
  }
}

function tokenOf(body: unknown): string {
  const metadata = isJsonObject(body) && isJsonObject(body['metadata']) ? body['metadata'] : {};
  return String(metadata['continue'] ?? '');
}

/** The revision in a continue token (upstream storage.DecodeContinue). */
function readToken(token: string): unknown {
  return (JSON.parse(Buffer.from(token, 'base64url').toString()) as { readonly rv: unknown }).rv;
}
