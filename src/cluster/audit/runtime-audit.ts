import {
  type AuditConfig,
  type AuditEvent,
  type AuditPolicy,
  AuditPolicyError,
  type AuditRingLimits,
  createAuditRing,
  encodeEvent,
} from '../../audit/index.ts';
import { auditPath } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, hostErrorResponse, type Product } from '../../meta/index.ts';
import type { KeySpace } from '../../storage/index.ts';
import { EventStream } from '../../watch/index.ts';
import { readAuditPolicyFile } from './audit-policy.ts';
import { defaultAuditPolicy } from './default-audit-policy.ts';

/** Storage key outside of the API objects; copied with the cluster. */
const policyKey = '/tabplane/audit-policy';
const policyMaxBytes = 64 * 1024;
const limits: AuditRingLimits = { events: 2_000, bodies: 16 * 1024 * 1024 };

export interface RuntimeAuditOptions {
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
export class RuntimeAudit {
  readonly #options: RuntimeAuditOptions;
  readonly #ring = createAuditRing(limits);
  readonly #streams = new Set<EventStream>();
  #text = '';
  #policy: AuditPolicy | undefined;

  static async open(parts: RuntimeAuditOptions): Promise<RuntimeAudit> {
    const audit = new RuntimeAudit(parts);
    const stored = await parts.storage.get(policyKey);
    try {
      audit.#setPolicy(stored?.value ?? defaultAuditPolicy(parts.product));
    } catch (error) {
      // An imported copy may have an invalid policy; the cluster must open anyway.
      if (!(error instanceof AuditPolicyError)) throw error;
      parts.env.log.warn('the stored audit policy is invalid', { error });
    }
    return audit;
  }

  private constructor(parts: RuntimeAuditOptions) {
    this.#options = parts;
  }

  get auditing(): AuditConfig {
    const policy = (): AuditPolicy | undefined => this.#policy;
    return {
      get policy() {
        return policy();
      },
      sink: { processEvents: (events) => this.#ring.processEvents(events), close: () => this.#close() },
    };
  }

  /** Handles requests below `/~audit`, and passes all others to `next`. */
  wrapHandler(next: ApiHandler): ApiHandler {
    return (request) => {
      if (!request.target.startsWith(auditPath)) return next(request);
      const [path, query] = request.target.split('?');
      if (path === auditPath) return Promise.resolve(this.#handleEvents(request, new URLSearchParams(query)));
      return path === `${auditPath}/policy` ? this.#handlePolicy(request) : next(request);
    };
  }

  #handleEvents({ method, signal }: ApiRequest, query: URLSearchParams): ApiResponse {
    if (method !== 'GET') return hostErrorResponse(405, 'audit events can only be read');
    const id = query.get('id');
    const isMeant = (event: AuditEvent): boolean => id === null || event.auditId === id;
    const retained = this.#ring.events
      .filter(isMeant)
      .map((event) => this.#encodeLine(event))
      .join('');
    const headers = [['content-type', 'application/x-ndjson']] as const;
    if (query.get('watch') === null) return { status: 200, headers, body: retained };
    const stop = this.#ring.onEvent((event) => {
      if (isMeant(event)) stream.write(this.#encodeLine(event));
    });
    const stream = new EventStream(() => {
      stop();
      this.#streams.delete(stream);
    });
    this.#streams.add(stream);
    signal.addEventListener('abort', () => stream.end());
    stream.write(retained);
    return { status: 200, headers, body: stream };
  }

  /** Empty for an event with a body that is not JSON: it cannot be encoded, as in a log file. */
  #encodeLine(event: AuditEvent): string {
    const text = encodeEvent(event, this.#options.product);
    return text === undefined ? '' : `${text}\n`;
  }

  async #handlePolicy({ method, body }: ApiRequest): Promise<ApiResponse> {
    const { storage, product } = this.#options;
    try {
      if (method === 'PUT') {
        if (body !== undefined && body.length > policyMaxBytes) return hostErrorResponse(413, 'the audit policy is too large');
        const text = new TextDecoder().decode(body);
        this.#setPolicy(text);
        await this.#storePolicy(text);
      } else if (method === 'DELETE') {
        this.#setPolicy(defaultAuditPolicy(product));
        await this.#storePolicy(undefined);
      } else if (method !== 'GET') return hostErrorResponse(405, 'the audit policy can be read, put and deleted');
    } catch (error) {
      if (error instanceof AuditPolicyError) return hostErrorResponse(422, error.message);
      // A policy that could not be stored does not take effect.
      this.#setPolicy((await storage.get(policyKey))?.value ?? defaultAuditPolicy(product));
      throw error;
    }
    return { status: 200, headers: [['content-type', 'application/yaml']], body: this.#text };
  }

  /** @throws AuditPolicyError; the previous policy stays in effect */
  #setPolicy(text: string): void {
    const { product, env } = this.#options;
    this.#policy = text.trim() === '' ? undefined : readAuditPolicyFile(text, product, env.log);
    this.#text = text;
  }

  async #storePolicy(value: string | undefined): Promise<void> {
    const { storage } = this.#options;
    const stored = await storage.get(policyKey);
    if (stored === undefined && value === undefined) return;
    await storage.commit({ key: policyKey, expected: stored?.revision ?? 'absent', value });
  }

  async #close(): Promise<void> {
    for (const stream of [...this.#streams]) stream.end();
    await this.#ring.close();
  }
}
