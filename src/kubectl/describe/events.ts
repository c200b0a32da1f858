import { formatHumanDuration, type JsonObject } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import type { ApiResource } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { itemsOf, metadataOf } from '../resources/info.ts';
import type { Report } from './report.ts';

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

type Event = Decoded<corev1.Event>;

export function writeEvents(report: Report, events: readonly Event[] | undefined): void {
  if (!events) return;
  if (events.length === 0) {
    report.line(0, 'Events:', '<none>');
    return;
  }
  report.flush();
  report.line(0, 'Events:');
  report.line(1, 'Type', 'Reason', 'Age', 'From', 'Message');
  report.line(1, '----', '------', '----', '----', '-------');
  const lastMs = ({ lastTimestamp }: Event): number => Date.parse(lastTimestamp ?? '');
  const sorted = events.toSorted((left, right) => lastMs(left) - lastMs(right) || 0);
  for (const event of sorted) {
    const from = event.source?.component || event.reportingComponent;
    report.line(1, event.type, event.reason, formatInterval(event, report.nowMs), from, event.message?.trim());
  }
}

function formatInterval({ eventTime, firstTimestamp, lastTimestamp, series, count = 0 }: Event, nowMs: number): string {
  const since = (time: string | null | undefined): string => (time ? formatHumanDuration(nowMs - Date.parse(time)) : '<unknown>');
  const first = since(eventTime || firstTimestamp);
  if (series) return `${since(series.lastObservedTime)} (x${series.count ?? 0} over ${first})`;
  if (count > 1) return `${since(lastTimestamp)} (x${count} over ${first})`;
  return first;
}
