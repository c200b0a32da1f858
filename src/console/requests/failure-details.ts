import { isJsonObject, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import type { RequestRecord } from '../model/request-log.ts';

/** The conflicting fields of an apply, by manager. */
export interface OwnershipConflict {
  readonly mine: string;
  readonly others: readonly { readonly manager: string; readonly fields: readonly string[] }[];
}

type ResponseRecord = Pick<RequestRecord, 'status' | 'target' | 'responseBody'>;

/** Parses the 409 response of an apply. Returns undefined for every other response. */
export function parseApplyConflict({ status, target, responseBody }: ResponseRecord): OwnershipConflict | undefined {
  const causes = status === 409 ? causesOf(parseStatus(responseBody)) : [];
  const fields = new Map<string, string[]>();
  for (const { reason, message, field } of causes) {
    const manager = reason === 'FieldManagerConflict' ? /^conflict with "([^"]*)"/.exec(String(message))?.[1] : undefined;
    if (manager !== undefined) fields.set(manager, [...(fields.get(manager) ?? []), String(field)]);
  }
  if (fields.size === 0) return undefined;
  const others = Array.from(fields, ([manager, owned]) => ({ manager, fields: owned }));
  return { mine: new URLSearchParams(queryOf(target)).get('fieldManager') ?? '', others };
}

/** The available revisions, for a request for a compacted one. */
export interface RevisionRange {
  readonly requested: number;
  /** Undefined when the response does not include it. */
  readonly oldest: number | undefined;
  readonly newest: number;
}

/** Parses a 410 response or watch event. `newest` is the newest revision that the console has observed. */
export function parseExpiredRevision({ status, target, responseBody }: ResponseRecord, newest: number): RevisionRange | undefined {
  const expired = status === 410 ? parseStatus(responseBody) : parseLastError(responseBody);
  if (expired?.['code'] !== 410) return undefined;
  const [, reported, oldest] = /too old resource version: (\d+) \((\d+)\)/.exec(String(expired['message'])) ?? [];
  const requested = Number(reported ?? new URLSearchParams(queryOf(target)).get('resourceVersion') ?? 0);
  return { requested, oldest: oldest === undefined ? undefined : Number(oldest), newest: Math.max(newest, Number(oldest ?? 0)) };
}

function queryOf(target: string): string {
  return target.slice(target.indexOf('?') + 1);
}

function parseStatus(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) && value['kind'] === 'Status' ? value : undefined;
  } catch {
    // YAML, or not a Status.
    return undefined;
  }
}

/** The Status of the ERROR event at the end of a stream. */
function parseLastError(body: string): JsonObject | undefined {
  const line = body.trimEnd().split('\n').at(-1) ?? '';
  return line.startsWith('{"type":"ERROR","object":') ? parseStatus(line.slice('{"type":"ERROR","object":'.length, -1)) : undefined;
}

function causesOf(status: JsonObject | undefined): readonly JsonObject[] {
  return objectsAt(recordAt(status, 'details'), 'causes');
}
