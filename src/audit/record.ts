import type { Identity } from '../authz/index.ts';
import type { Clock } from '../env/index.ts';
import { type ApiRequest, type JsonObject, type ObjectMeta, type Status, stringifyJson } from '../meta/index.ts';
import { bodyText } from './body-text.ts';
import type { AuditEvent, AuditedStatus, ObjectReference } from './event.ts';
import { type AuditedRequest, type AuditLevel, type AuditPolicy, type AuditStage, type Ruling, rulingOn, tells } from './policy.ts';
import { sourceIpsOf, userAgentOf } from './received.ts';
import type { AuditSink } from './sinks/sink.ts';
import { withoutAnyManagedFields } from './without-managed-fields.ts';

/** What is counted of auditing. */
export interface AuditCounts {
  countAuditLevel(level: AuditLevel): void;
  countAuditEvent(): void;
}

/** A request and when it came. */
export interface ReceivedRequest {
  readonly auditId: string;
  readonly request: ApiRequest;
  /** Milliseconds since 1970. */
  readonly receivedMs: number;
}

/** What a policy is asked with, and where the answers go. */
export interface Auditing {
  /** Of the moment: requests that begin later may find another. Undefined: nothing is told. */
  readonly policy: AuditPolicy | undefined;
  readonly sink: AuditSink;
}

/** What says of itself what it is. */
interface TypedObject {
  readonly kind: string;
  readonly apiVersion: string;
}

/** Of one request: from its beginning to its end one policy is in force. */
export interface CountedAuditing {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
  readonly counts: AuditCounts;
}

const unjudged: Ruling = { level: 'None', omitStages: [], omitManagedFields: false };

/**
 * Takes down what one request does, as far as the policy wants it, and tells it stage by stage.
 * Annotations may come before the policy was asked; all else is of no account until then.
 */
export class AuditRecord {
  readonly #auditing: CountedAuditing | undefined;
  readonly #received: ReceivedRequest;
  readonly #clock: Clock;
  readonly #annotations: Record<string, string> = {};
  #ruling = unjudged;
  #request: AuditedRequest | undefined;
  #actsAs: Identity | undefined;
  #ref: ObjectReference | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #status: AuditedStatus | undefined;

  constructor(received: ReceivedRequest, clock: Clock, auditing: CountedAuditing | undefined) {
    this.#received = received;
    this.#clock = clock;
    this.#auditing = auditing;
  }

  get auditId(): string {
    return this.#received.auditId;
  }

  /** Whether there is a policy to be asked. */
  get isAudited(): boolean {
    return this.#auditing !== undefined;
  }

  /** Whether anything is told of this request. */
  get isOn(): boolean {
    return this.#ruling.level !== 'None';
  }

  /** Asks the policy what is to be told. */
  judge(request: AuditedRequest): void {
    if (!this.#auditing) return;
    this.#ruling = rulingOn(this.#auditing.policy, request);
    this.#auditing.counts.countAuditLevel(this.#ruling.level);
    if (!this.isOn) return;
    this.#request = request;
    if (request.isResourceRequest) this.#ref = referenceTo(request);
  }

  /** What was said first stays. */
  annotate(annotations: Readonly<Record<string, string>>): void {
    if (!this.#auditing) return;
    for (const [key, value] of Object.entries(annotations)) this.#annotations[key] ??= value;
  }

  actsAs(user: Identity): void {
    this.#actsAs = user;
  }

  /** What a request wants written. `make` is only called where bodies are told. */
  asksFor(metadata: Partial<ObjectMeta>, make: () => TypedObject): void {
    if (!this.isOn) return;
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
    if (!tells(this.#ruling.level, 'Request')) return;
    // What a body left out of its type stands first all the same.
    const { kind, apiVersion, ...rest } = make();
    this.#requestObject = this.#textOf({ kind, apiVersion, ...rest });
  }

  /** What a request wants changed. */
  patches(body: Uint8Array): void {
    if (tells(this.#ruling.level, 'Request')) this.#requestObject = bodyText(body);
  }

  /** What a request is answered with; `make` is only called where bodies are told. */
  answersWith(make: () => JsonObject): void {
    if (tells(this.#ruling.level, 'RequestResponse')) this.#responseObject = this.#textOf(make());
  }

  /** An answer that is a Status is told by its words too. */
  answersStatus(status: Status): void {
    if (!this.isOn) return;
    const { status: outcome, message, reason, details, code } = status;
    this.#status = {
      ...(outcome === undefined ? {} : { status: outcome }),
      ...(message === undefined ? {} : { message }),
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      ...(code === undefined ? {} : { code }),
    };
    this.answersWith(() => status as unknown as JsonObject);
  }

  answersCode(code: number): void {
    if (this.isOn) this.#status = { ...this.#status, code };
  }

  /** Tells a stage, unless the policy leaves it out. False: it is lost, and mode blocking-strict forbids to go on. */
  async tell(stage: AuditStage): Promise<boolean> {
    const { omitStages } = this.#ruling;
    if (!this.isOn || !this.#auditing || !this.#request || omitStages.includes(stage)) return true;
    this.#auditing.counts.countAuditEvent();
    return this.#auditing.sink.take([this.#eventOf(stage, this.#request)]);
  }

  #eventOf(stage: AuditStage, { user, verb }: AuditedRequest): AuditEvent {
    const { auditId, request, receivedMs } = this.#received;
    return {
      level: this.#ruling.level,
      auditId,
      stage,
      requestUri: request.target,
      verb,
      user,
      impersonatedUser: this.#actsAs,
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

  #textOf(object: object): string {
    return stringifyJson(this.#ruling.omitManagedFields ? withoutAnyManagedFields(object as JsonObject) : object);
  }
}

function referenceTo({ resource, namespace, name, group, version, subresource }: AuditedRequest): ObjectReference {
  return { resource, namespace, name, uid: '', apiGroup: group, apiVersion: version, resourceVersion: '', subresource };
}
