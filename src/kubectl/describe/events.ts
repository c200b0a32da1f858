import { formatHumanDuration, type JsonObject, recordAt } from '../../meta/index.ts';
import type { ApiResource } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { itemsOf, metadataOf } from '../resources/info.ts';
import { type Report, textIn } from './report.ts';

/** Events of an object; undefined when they cannot be read. */
export async function listEvents(
  call: Call,
  { kind }: Pick<ApiResource, 'kind'>,
  object: JsonObject,
): Promise<readonly JsonObject[] | undefined> {
  const { name, namespace, uid } = metadataOf(object);
  const parts = [
    `involvedObject.name=${String(name)}`,
    `involvedObject.namespace=${String(namespace ?? '')}`,
    ...(kind === '' ? [] : [`involvedObject.kind=${kind}`]),
    `involvedObject.uid=${String(uid)}`,
  ];
  const path = namespace === undefined ? '/api/v1/events' : `/api/v1/namespaces/${String(namespace)}/events`;
  try {
    const client = await call.api();
    return itemsOf(await client.read('GET', path, { query: { fieldSelector: parts.join(','), limit: '500' } }));
  } catch {
    // Without access to events the rest is printed.
    return undefined;
  }
}

export function writeEvents(report: Report, events: readonly JsonObject[] | undefined): void {
  if (!events) return;
  if (events.length === 0) {
    report.line(0, 'Events:', '<none>');
    return;
  }
  report.flush();
  report.line(0, 'Events:');
  report.line(1, 'Type', 'Reason', 'Age', 'From', 'Message');
  report.line(1, '----', '------', '----', '----', '-------');
  const sorted = [...events].sort(
    (left, right) => Date.parse(textIn(left, 'lastTimestamp')) - Date.parse(textIn(right, 'lastTimestamp')) || 0,
  );
  for (const event of sorted) {
    const from = textIn(recordAt(event, 'source'), 'component') || textIn(event, 'reportingComponent');
    report.line(
      1,
      textIn(event, 'type'),
      textIn(event, 'reason'),
      formatInterval(event, report.nowMs),
      from,
      textIn(event, 'message').trim(),
    );
  }
}

function formatInterval(event: JsonObject, nowMs: number): string {
  const since = (text: string): string => (text === '' ? '<unknown>' : formatHumanDuration(nowMs - Date.parse(text)));
  const first = since(textIn(event, 'eventTime') || textIn(event, 'firstTimestamp'));
  if (event['series'] !== undefined && event['series'] !== null) {
    const series = recordAt(event, 'series');
    return `${since(textIn(series, 'lastObservedTime'))} (x${textIn(series, 'count', '0')} over ${first})`;
  }
  if (Number(event['count'] ?? 0) > 1) return `${since(textIn(event, 'lastTimestamp'))} (x${textIn(event, 'count')} over ${first})`;
  return first;
}
