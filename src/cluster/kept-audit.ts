import {
  type AuditEvent,
  type Auditing,
  type AuditPolicy,
  AuditPolicyError,
  type AuditRingLimits,
  createAuditRing,
  eventText,
} from '../audit/index.ts';
import { auditPath } from '../client/index.ts';
import type { Env } from '../env/index.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, hostRefusal, type Product } from '../meta/index.ts';
import type { KeySpace } from '../storage/index.ts';
import { EventStream } from '../watch/index.ts';
import { readAuditPolicyFile } from './audit-policy.ts';
import { defaultAuditPolicy } from './default-audit-policy.ts';

/** Storage key outside of the API objects; copied with the cluster. */
const storedUnder = '/tabplane/audit-policy';
const policyMaxBytes = 64 * 1024;
const limits: AuditRingLimits = { events: 2_000, bodies: 16 * 1024 * 1024 };

export interface KeptAuditParts {
  readonly storage: KeySpace;
  readonly product: Product;
  readonly env: Env;
}

/**
 * Auditing of a cluster without flags and files. The policy is stored with the cluster and can change at runtime; the events stay in
 * memory:
 *
 *     GET    /~audit                 the latest events, one JSON line each, as in a log file
 *     GET    /~audit?id=3f2a…        the events of one request
 *     GET    /~audit?watch=1         followed by new events
 *     GET    /~audit/policy          the text of the policy; empty: auditing is off
 *     PUT    /~audit/policy          replaces the policy from the next request on; empty turns auditing off
 *     DELETE /~audit/policy          restores the default policy
 */
export class KeptAudit {
  readonly #parts: KeptAuditParts;
  readonly #ring = createAuditRing(limits);
  readonly #streams = new Set<EventStream>();
  #text = '';
  #policy: AuditPolicy | undefined;

  static async open(parts: KeptAuditParts): Promise<KeptAudit> {
    const audit = new KeptAudit(parts);
    const stored = await parts.storage.get(storedUnder);
    try {
      audit.#use(stored?.value ?? defaultAuditPolicy(parts.product));
    } catch (error) {
      // An imported copy may have an invalid policy; the cluster must open anyway.
      if (!(error instanceof AuditPolicyError)) throw error;
      parts.env.log.warn('the audit policy that was kept is none', { error });
    }
    return audit;
  }

  private constructor(parts: KeptAuditParts) {
    this.#parts = parts;
  }

  get auditing(): Auditing {
    const policy = (): AuditPolicy | undefined => this.#policy;
    return {
      get policy() {
        return policy();
      },
      sink: { take: (events) => this.#ring.take(events), close: () => this.#close() },
    };
  }

  /** Handles requests below `/~audit`, and passes all others to `next`. */
  handling(next: ApiHandler): ApiHandler {
    return (request) => {
      if (!request.target.startsWith(auditPath)) return next(request);
      const [path, query] = request.target.split('?');
      if (path === auditPath) return Promise.resolve(this.#events(request, new URLSearchParams(query)));
      return path === `${auditPath}/policy` ? this.#policyAnswer(request) : next(request);
    };
  }

  #events({ method, signal }: ApiRequest, query: URLSearchParams): ApiResponse {
    if (method !== 'GET') return hostRefusal(405, 'audit events can only be read');
    const id = query.get('id');
    const isMeant = (event: AuditEvent): boolean => id === null || event.auditId === id;
    const kept = this.#ring.events
      .filter(isMeant)
      .map((event) => this.#line(event))
      .join('');
    const headers = [['content-type', 'application/x-ndjson']] as const;
    if (query.get('watch') === null) return { status: 200, headers, body: kept };
    const stop = this.#ring.onEvent((event) => {
      if (isMeant(event)) stream.write(this.#line(event));
    });
    const stream = new EventStream(() => {
      stop();
      this.#streams.delete(stream);
    });
    this.#streams.add(stream);
    signal.addEventListener('abort', () => stream.end());
    stream.write(kept);
    return { status: 200, headers, body: stream };
  }

  /** Empty for an event with a body that is not JSON: it cannot be encoded, as in a log file. */
  #line(event: AuditEvent): string {
    const text = eventText(event, this.#parts.product);
    return text === undefined ? '' : `${text}\n`;
  }

  async #policyAnswer({ method, body }: ApiRequest): Promise<ApiResponse> {
    const { storage, product } = this.#parts;
    try {
      if (method === 'PUT') {
        if (body !== undefined && body.length > policyMaxBytes) return hostRefusal(413, 'the audit policy is too large');
        const text = new TextDecoder().decode(body);
        this.#use(text);
        await this.#keep(text);
      } else if (method === 'DELETE') {
        this.#use(defaultAuditPolicy(product));
        await this.#keep(undefined);
      } else if (method !== 'GET') return hostRefusal(405, 'the audit policy can be read, put and deleted');
    } catch (error) {
      if (error instanceof AuditPolicyError) return hostRefusal(422, error.message);
      // A policy that could not be stored does not take effect.
      this.#use((await storage.get(storedUnder))?.value ?? defaultAuditPolicy(product));
      throw error;
    }
    return { status: 200, headers: [['content-type', 'application/yaml']], body: this.#text };
  }

  /** @throws AuditPolicyError; the previous policy stays in effect */
  #use(text: string): void {
    const { product, env } = this.#parts;
    this.#policy = text.trim() === '' ? undefined : readAuditPolicyFile(text, product, env.log);
    this.#text = text;
  }

  async #keep(value: string | undefined): Promise<void> {
    const { storage } = this.#parts;
    const stored = await storage.get(storedUnder);
    if (stored === undefined && value === undefined) return;
    await storage.commit({ key: storedUnder, expected: stored?.revision ?? 'absent', value });
  }

  async #close(): Promise<void> {
    for (const stream of [...this.#streams]) stream.end();
    await this.#ring.close();
  }
}
