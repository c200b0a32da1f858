import type { Identity } from '../authz/index.ts';
import type { Clock } from '../env/index.ts';
import { type ApiRequest, type JsonObject, type ObjectMeta, type Status, stringifyJson } from '../meta/index.ts';
import type { AuditEvent, AuditedStatus, ObjectReference } from './event.ts';
import { compactJsonBody } from './json-body.ts';
import { omitManagedFields } from './omit-managed-fields.ts';
import {
  type AuditedRequest,
  type AuditLevel,
  type AuditPolicy,
  type AuditStage,
  evaluatePolicyRule,
  isLevelAtLeast,
  type RequestAuditConfig,
} from './policy.ts';
import { sourceIpsOf, userAgentOf } from './request-origin.ts';
import type { AuditSink } from './sinks/sink.ts';

/** Metrics of auditing. */
export interface AuditMetrics {
  countAuditLevel(level: AuditLevel): void;
  countAuditEvent(): void;
}

/** A request with its time of arrival. */
export interface ReceivedRequest {
  readonly auditId: string;
  readonly request: ApiRequest;
  /** Milliseconds since 1970. */
  readonly receivedMs: number;
}

/** The audit policy and sink of the server. */
export interface AuditConfig {
  /** The current policy; undefined turns auditing off. A reload affects only later requests. */
  readonly policy: AuditPolicy | undefined;
  readonly sink: AuditSink;
}

/** An object with kind and apiVersion. */
interface TypedObject {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The auditing of one request, which uses one policy throughout. */
export interface MeteredAuditing {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
  readonly counts: AuditMetrics;
}

const notAudited: RequestAuditConfig = { level: 'None', omitStages: [], omitManagedFields: false };

/**
 * Collects the audit data of one request, as far as its level requires, and emits an event per stage.
 * Only annotations may be added before the policy is evaluated; other data is ignored until then. Cf. upstream AuditContext.
 */
export class AuditRecord {
  readonly #auditing: MeteredAuditing | undefined;
  readonly #received: ReceivedRequest;
  readonly #clock: Clock;
  readonly #annotations: Record<string, string> = {};
  #config = notAudited;
  #request: AuditedRequest | undefined;
  #impersonatedUser: Identity | undefined;
  #ref: ObjectReference | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #status: AuditedStatus | undefined;

  constructor(received: ReceivedRequest, clock: Clock, auditing: MeteredAuditing | undefined) {
    this.#received = received;
    this.#clock = clock;
    this.#auditing = auditing;
  }

  get auditId(): string {
    return this.#received.auditId;
  }

  /** Whether auditing is configured. */
  get isAudited(): boolean {
    return this.#auditing !== undefined;
  }

  /** Whether the level of this request is above None. */
  get isEnabled(): boolean {
    return this.#config.level !== 'None';
  }

  /** Whether the level of this request includes the request object. */
  get logsRequest(): boolean {
    return isLevelAtLeast(this.#config.level, 'Request');
  }

  /** Evaluates the policy for the request. */
  evaluatePolicy(request: AuditedRequest): void {
    if (!this.#auditing) return;
    this.#config = evaluatePolicyRule(this.#auditing.policy, request);
    this.#auditing.counts.countAuditLevel(this.#config.level);
    if (!this.isEnabled) return;
    this.#request = request;
    if (request.isResourceRequest) this.#ref = createObjectReference(request);
  }

  /** The first value of a key wins. */
  annotate(annotations: Readonly<Record<string, string>>): void {
    if (!this.#auditing) return;
    for (const [key, value] of Object.entries(annotations)) this.#annotations[key] ??= value;
  }

  setImpersonatedUser(user: Identity): void {
    this.#impersonatedUser = user;
  }

  /** Records the request object. `make` is called only at level Request or above. Cf. upstream LogRequestObject. */
  logRequestObject(metadata: Partial<ObjectMeta>, make: () => TypedObject): void {
    if (!this.isEnabled) return;
    const ref = this.#ref;
    if (ref) {
      this.#ref = {
        ...ref,
        namespace: ref.namespace || (metadata.namespace ?? ''),
        name: ref.name || (metadata.name ?? ''),
        uid: ref.uid || (metadata.uid ?? ''),
        resourceVersion: ref.resourceVersion || (metadata.resourceVersion ?? ''),
      };
    }
    if (!this.logsRequest) return;
    // The type comes first, even if the body omits it.
    const { kind, apiVersion, ...rest } = make();
    this.#requestObject = this.#encode({ kind, apiVersion, ...rest });
  }

  /** Records the body of a patch. Cf. upstream LogRequestPatch. */
  logRequestPatch(body: Uint8Array): void {
    if (this.logsRequest) this.#requestObject = compactJsonBody(body);
  }

  /** Records the response object; `make` is called only at level RequestResponse. */
  logResponseObject(make: () => JsonObject): void {
    if (isLevelAtLeast(this.#config.level, 'RequestResponse')) this.#responseObject = this.#encode(make());
  }

  /** Records a Status response, also as responseStatus. */
  logResponseStatus(status: Status): void {
    if (!this.isEnabled) return;
    const { status: outcome, message, reason, details, code } = status;
    this.#status = {
      ...(outcome === undefined ? {} : { status: outcome }),
      ...(message === undefined ? {} : { message }),
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      ...(code === undefined ? {} : { code }),
    };
    this.logResponseObject(() => status as unknown as JsonObject);
  }

  logResponseCode(code: number): void {
    if (this.isEnabled) this.#status = { ...this.#status, code };
  }

  /** Emits the event of a stage, unless the policy omits it. False: the event was dropped, and mode blocking-strict must fail the request. */
  async emitEvent(stage: AuditStage): Promise<boolean> {
    const { omitStages } = this.#config;
    if (!this.isEnabled || !this.#auditing || !this.#request || omitStages.includes(stage)) return true;
    this.#auditing.counts.countAuditEvent();
    return this.#auditing.sink.processEvents([this.#createEvent(stage, this.#request)]);
  }

  #createEvent(stage: AuditStage, { user, verb }: AuditedRequest): AuditEvent {
    const { auditId, request, receivedMs } = this.#received;
    return {
      level: this.#config.level,
      auditId,
      stage,
      requestUri: request.target,
      verb,
      user,
      impersonatedUser: this.#impersonatedUser,
      sourceIps: sourceIpsOf(request),
      userAgent: userAgentOf(request),
      objectRef: this.#ref,
      responseStatus: this.#status,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      receivedMs,
      stageMs: stage === 'RequestReceived' ? receivedMs : this.#clock.nowMs(),
      annotations: { ...this.#annotations },
    };
  }

  #encode(object: object): string {
    return stringifyJson(this.#config.omitManagedFields ? omitManagedFields(object as JsonObject) : object);
  }
}

function createObjectReference({ resource, namespace, name, group, version, subresource }: AuditedRequest): ObjectReference {
  return { resource, namespace, name, uid: '', apiGroup: group, apiVersion: version, resourceVersion: '', subresource };
}
