import type { Json, JsonObject } from '../../../src/meta/index.ts';
import { isJsonObject } from '../../../src/meta/index.ts';
import { pick, sortedJson } from './json.ts';
import type { RecordedEvent, RecordedObject, Recording, Scenario } from './scenario.ts';

/** Only so many differences are reported. */
const limit = 20;

/** The differences between a recording and a replay, as lines `path: expected …, got …`. */
export function differences(scenario: Scenario, actual: Recording): readonly string[] {
  const lines: string[] = [];
  collect(comparable(scenario.recorded, scenario), comparable(actual, scenario), '', lines);
  return lines;
}

function collect(expected: Json | undefined, actual: Json | undefined, path: string, lines: string[]): void {
  if (lines.length >= limit) return;
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      collect(expected[key], actual[key], `${path}/${key}`, lines);
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++)
      collect(expected[index], actual[index], `${path}/${index}`, lines);
  } else if (sortedJson(expected) !== sortedJson(actual)) {
    lines.push(`${path || '/'}: expected ${shorten(expected)}, got ${shorten(actual)}`);
  }
}

function shorten(value: Json | undefined): string {
  const text = sortedJson(value);
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

/** The compared sections of a recording. */
function comparable({ steps, final, events, dumps = {} }: Recording, { loose = [] }: Scenario): JsonObject {
  const objects = (list: readonly RecordedObject[]) =>
    keyed(
      list.map((entry) => comparableObject(entry, loose)),
      objectKey,
    );
  return {
    steps,
    ...(loose.includes('final') ? {} : { final: objects(final) }),
    ...(loose.includes('events') ? {} : { events: keyed(events.filter(isCompared).map(comparableEvent), eventKey) }),
    dumps: Object.fromEntries(Object.entries(dumps).map(([label, list]) => [label, objects(list)])),
  };
}

const objectKey = ({ kind, name }: RecordedObject): string => `${kind}/${name}`;
const eventKey = ({ about, reason, message }: RecordedEvent): string => `${about} ${reason} ${message}`;

/** Events that depend on the kubelet or the pace are not compared. */
function isCompared({ by, reason, message }: RecordedEvent): boolean {
  return !/^(kubelet|kwok)/.test(by) && reason !== 'RegisteredNode' && !message.includes('the object has been modified');
}

/** Without the numbers of events, which depend on the pace. */
function comparableEvent({ about, type, reason, message, by, action, fieldPath }: RecordedEvent): RecordedEvent {
  const optional = { ...(action === undefined ? {} : { action }), ...(fieldPath === undefined ? {} : { fieldPath }) };
  return { about, type, reason, message, by, ...optional };
}

/** Without the field managers, and what depends on the pace. */
function comparableObject(entry: RecordedObject, loose: readonly string[]): RecordedObject {
  const isLeftOut = (name: string): boolean => name === 'managers' || (entry.kind === 'EndpointSlice' && name === 'generation');
  const { metadata } = entry.object;
  const withoutManagers = isJsonObject(metadata) ? { ...entry.object, metadata: pick(metadata, (name) => !isLeftOut(name)) } : entry.object;
  const isLoose = loose.includes('kubelet') && entry.kind === 'Pod';
  return { ...entry, object: isLoose ? pick(withoutManagers, (name) => name !== 'status') : withoutManagers };
}

/** Numbers equal keys, so that a missing entry is one difference. */
function keyed<T extends RecordedObject | RecordedEvent>(list: readonly T[], keyOf: (entry: T) => string): JsonObject {
  const entries: Record<string, Json> = {};
  for (const entry of list) {
    let key = keyOf(entry);
    for (let number = 2; key in entries; number++) key = `${keyOf(entry)} #${number}`;
    entries[key] = { ...entry };
  }
  return entries;
}
