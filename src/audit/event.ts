import type { Identity } from '../authz/index.ts';
import { formatMicroTime, goQuote, type JsonObject, omitEmpty, type Product, type Status, stringifyJson, trimEnd } from '../meta/index.ts';
import { invalidJson } from './json-body.ts';
import type { AuditLevel, AuditStage } from './policy.ts';

/** The audit event of one stage of one request. Immutable, so sinks may retain it. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  readonly user: Identity | undefined;
  readonly impersonatedUser: Identity | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: AuditedStatus | undefined;
  /** Bodies as JSON. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** Milliseconds since 1970. */
  readonly receivedMs: number;
  readonly stageMs: number;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Empty members are omitted. */
export interface ObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

export type AuditedStatus = Partial<Pick<Status, 'status' | 'message' | 'reason' | 'details' | 'code'>>;

/** The event as one line of JSON; undefined when its request body is not JSON. */
export function encodeEvent(event: AuditEvent, product: Product): string | undefined {
  if (event.requestObject === invalidJson) return undefined;
  return encodeObject([['kind', '"Event"'], ['apiVersion', JSON.stringify(groupVersionOf(product))], ...membersOf(event)]);
}

/** Events as an EventList; undefined when one of their request bodies is not JSON. */
export function encodeEventList(events: readonly AuditEvent[], product: Product): string | undefined {
  if (events.some(({ requestObject }) => requestObject === invalidJson)) return undefined;
  const items = events.map((event) => encodeObject(membersOf(event)));
  return `{"kind":"EventList","apiVersion":${JSON.stringify(groupVersionOf(product))},"metadata":{},"items":[${items.join(',')}]}`;
}

function groupVersionOf(product: Product): string {
  return product.rename('audit.k8s.io/v1');
}

type Member = readonly [name: string, text: string | undefined];

function encodeObject(members: readonly Member[]): string {
  return `{${members.flatMap(([name, text]) => (text === undefined ? [] : [`${JSON.stringify(name)}:${text}`])).join(',')}}`;
}

/** In the order of upstream's struct. */
function membersOf(event: AuditEvent): readonly Member[] {
  const { user, impersonatedUser, sourceIps, objectRef, responseStatus, annotations } = event;
  return [
    ['level', JSON.stringify(event.level)],
    ['auditID', stringifyJson(event.auditId)],
    ['stage', JSON.stringify(event.stage)],
    ['requestURI', stringifyJson(event.requestUri)],
    ['verb', stringifyJson(event.verb)],
    ['user', stringifyJson(user ? userObject(user) : {})],
    ['impersonatedUser', impersonatedUser && stringifyJson(userObject(impersonatedUser))],
    ['sourceIPs', sourceIps.length > 0 ? stringifyJson(sourceIps) : undefined],
    ['userAgent', event.userAgent === '' ? undefined : stringifyJson(event.userAgent)],
    ['objectRef', objectRef && stringifyJson(omitEmpty(objectRef))],
    ['responseStatus', responseStatus && stringifyJson(statusObject(responseStatus))],
    ['requestObject', event.requestObject],
    ['responseObject', event.responseObject],
    ['requestReceivedTimestamp', JSON.stringify(formatMicroTime(event.receivedMs))],
    ['stageTimestamp', JSON.stringify(formatMicroTime(event.stageMs))],
    ['annotations', Object.keys(annotations).length > 0 ? stringifyJson(sortKeys(annotations)) : undefined],
  ];
}

function userObject({ username, uid, groups, extra }: Identity): JsonObject {
  return {
    ...omitEmpty({ username, uid }),
    ...(groups.length > 0 ? { groups } : {}),
    ...(Object.keys(extra).length > 0 ? { extra: sortKeys(extra) } : {}),
  };
}

function statusObject({ status, message, reason, details, code }: AuditedStatus): JsonObject {
  return {
    metadata: {},
    ...omitEmpty({ status: status ?? '', message: message ?? '', reason: reason ?? '' }),
    ...(details === undefined ? {} : { details: details as unknown as JsonObject }),
    ...(code === undefined ? {} : { code }),
  };
}

/** Go encodes maps sorted by key. */
function sortKeys<T>(map: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `2026-01-01T00:00:00Z AUDIT: id="…" stage="…" …`: the legacy format. */
export function formatLegacyEvent(event: AuditEvent): string {
  const { user, impersonatedUser, sourceIps, objectRef, responseStatus } = event;
  const named = user !== undefined && user.username !== '' ? user : undefined;
  const groups = named && named.groups.length > 0 ? quotedList(named.groups) : '<none>';
  const parts: readonly (readonly [name: string, text: string])[] = [
    ['id', event.auditId],
    ['stage', event.stage],
    ['ip', sourceIps[0] ?? '<unknown>'],
    ['method', event.verb],
    ['user', named?.username ?? '<none>'],
    ['groups', groups],
    ['as', impersonatedUser?.username ?? '<self>'],
    ['asgroups', impersonatedUser ? quotedList(impersonatedUser.groups) : '<lookup>'],
    ['user-agent', event.userAgent],
    ['namespace', objectRef?.namespace || '<none>'],
    ['uri', event.requestUri],
  ];
  const fields = parts.map(([name, text]) => `${name}=${goQuote(text)}`).join(' ');
  const response = responseStatus ? String(responseStatus.code ?? 0) : '<deferred>';
  return `${formatRfc3339Nano(event.receivedMs)} AUDIT: ${fields} response="${response}"`;
}

function quotedList(texts: readonly string[]): string {
  return texts.map(goQuote).join(',');
}

/** Go's RFC 3339 with nanoseconds: without trailing zeros. */
function formatRfc3339Nano(ms: number): string {
  const withoutZone = new Date(ms).toISOString().slice(0, -1);
  return `${trimEnd(trimEnd(withoutZone, '0'), '.')}Z`;
}
