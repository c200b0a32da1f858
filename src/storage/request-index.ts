import type { Change, CompactedCommit } from './key-space.ts';

/** A request with a compacted revision. */
export interface CompactedRequest extends CompactedCommit {
  readonly requestId: string;
  readonly timeMs: number;
}

/** Index of commits by request id. Of several commits of one request, it has the last. */
export class RequestIndex {
  readonly #byId = new Map<string, Change | CompactedRequest>();
  /** Sorted by revision. */
  readonly #idAt = new Map<number, { readonly requestId: string; readonly timeMs: number }>();

  add(requestId: string, change: Change, timeMs: number): void {
    this.#byId.set(requestId, change);
    this.#idAt.set(change.revision, { requestId, timeMs });
  }

  restore(request: CompactedRequest): void {
    this.#byId.set(request.requestId, request);
    this.#idAt.set(request.revision, request);
  }

  find(requestId: string): Change | CompactedCommit | undefined {
    return this.#byId.get(requestId);
  }

  idAt(revision: number): string | undefined {
    return this.#idAt.get(revision)?.requestId;
  }

  /** Drops requests up to `revision` that are older than `sinceMs`, and reduces the others up to it to compacted ones. */
  compact(revision: number, sinceMs: number): void {
    for (const [at, { requestId, timeMs }] of this.#idAt) {
      if (at > revision) return;
      const commit = this.#byId.get(requestId);
      const isLast = commit?.revision === at;
      if (isLast && timeMs >= sinceMs) this.#byId.set(requestId, { requestId, timeMs, revision: at, key: commit.key, isCompacted: true });
      else {
        this.#idAt.delete(at);
        if (isLast) this.#byId.delete(requestId);
      }
    }
  }

  /** The requests up to `revision`, as compacted ones. */
  compacted(revision: number): readonly CompactedRequest[] {
    const requests: CompactedRequest[] = [];
    for (const [at, { requestId, timeMs }] of this.#idAt) {
      if (at > revision) break;
      const commit = this.#byId.get(requestId);
      if (commit?.revision === at) requests.push({ requestId, timeMs, revision: at, key: commit.key, isCompacted: true });
    }
    return requests;
  }
}
