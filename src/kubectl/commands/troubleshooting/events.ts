import { formatHumanDuration, type JsonObject } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { bool, int, list, text } from '../../parse/flags.ts';
import { createPrinter } from '../../printers/printer.ts';
import { TableWriter } from '../../printers/table-writer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { outputFlags } from '../../program/global-flags.ts';
import { itemsOf, metadataOf, namespaceOf } from '../../resources/info.ts';

export const events: Command = {
  flags: {
    ...outputFlags,
    'all-namespaces': bool(false, 'A'),
    'chunk-size': int(500),
    for: text(),
    'no-headers': bool(),
    types: list(),
    watch: bool(false, 'w'),
  },
  run: runEvents,
};

async function runEvents(call: Call): Promise<number> {
  const { flags } = call;
  const { name } = await call.namespace();
  const types = flags.list('types').map((type) => type.toLowerCase());
  const selector = await fieldSelector(call, types);
  const client = await call.api();
  const all = flags.bool('all-namespaces');
  const show = await createEventPrinter(call, all);
  if (types.some((type) => type !== 'normal' && type !== 'warning')) throw new KubectlError('valid --types are Normal or Warning');
  const path = all ? '/api/v1/events' : `/api/v1/namespaces/${name}/events`;
  const found = await client.read('GET', path, { query: { fieldSelector: selector || undefined, limit: String(flags.int('chunk-size')) } });
  const fits = (event: JsonObject): boolean => types.length === 0 || types.includes(String(event['type']).toLowerCase());
  const sorted = itemsOf(found)
    .filter(fits)
    .sort((left, right) => lastSeen(left) - lastSeen(right));
  if (sorted.length === 0 && !flags.bool('watch')) {
    call.err(all ? 'No events found.\n' : `No events found in ${name} namespace.\n`);
    return 0;
  }
  show(sorted);
  if (!flags.bool('watch')) return 0;
  const query = { resourceVersion: String(metadataOf(found)['resourceVersion'] ?? ''), fieldSelector: selector || undefined };
  for await (const { type, object } of client.watch(path, { query }))
    if ((type === 'ADDED' || type === 'MODIFIED') && fits(object)) show([object]);
  return 0;
}

async function fieldSelector(call: Call, types: readonly string[]): Promise<string> {
  const target = call.flags.text('for');
  const parts = types.length === 1 ? [`type=${types[0] === 'normal' ? 'Normal' : 'Warning'}`] : [];
  if (target === '') return parts.join(',');
  const [type, name, more] = target.split('/');
  if (!type || !name || more !== undefined) throw new KubectlError('--for must be in resource/name form');
  const resource = await (await call.cluster()).resourceFor(type);
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  return [
    `involvedObject.kind=${resource.kind}`,
    `involvedObject.name=${name}`,
    ...(resource.group === '' ? [] : [`involvedObject.apiVersion=${apiVersion}`]),
    ...parts,
  ].join(',');
}

async function createEventPrinter(call: Call, all: boolean): Promise<(found: readonly JsonObject[]) => void> {
  const output = call.flags.text('output');
  // Without -o, a template has no effect.
  if (output !== '') {
    const printer = await createPrinter(call, { operation: '', typed: true });
    // Items of a typed list have no kind, so no name can be printed.
    if (output === 'name') return () => {};
    return (items) => call.out(printer({ apiVersion: 'v1', items, kind: 'EventList', metadata: {} }));
  }
  const writer = new TableWriter();
  let headed = call.flags.bool('no-headers');
  return (items) => {
    if (!headed) writer.add([...(all ? ['NAMESPACE'] : []), 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE']);
    headed = true;
    for (const event of items) writer.add(formatRow(call, event, all));
    call.out(writer.flush());
  };
}

type Event = Decoded<corev1.Event>;

function formatRow(call: Call, event: Event, all: boolean): string[] {
  const { involvedObject: about, type = '', reason = '', message = '' } = event;
  return [
    ...(all ? [namespaceOf(event)] : []),
    formatInterval(event, call.shell.clock.nowMs()),
    type,
    reason,
    `${about?.kind ?? ''}/${about?.name ?? ''}`,
    message.trim(),
  ];
}

const timeOf = (text: string | null | undefined): number => Date.parse(text ?? '');

function lastSeen({ series, lastTimestamp, eventTime, metadata }: Event): number {
  const times = [series?.lastObservedTime, lastTimestamp, eventTime, metadata?.creationTimestamp].map(timeOf);
  return times.find((time) => !Number.isNaN(time)) ?? 0;
}

/** `5m`, or `5m (x3 over 10m)`. */
export function formatInterval(event: Event, nowMs: number): string {
  const { series, count = 0 } = event;
  const age = (time: number): string => (Number.isNaN(time) ? '<unknown>' : formatHumanDuration(nowMs - time));
  const [first, last] = [timeOf(event.firstTimestamp), timeOf(event.lastTimestamp)];
  const began = age(Number.isNaN(first) ? timeOf(event.eventTime) : first);
  if (series) return `${age(timeOf(series.lastObservedTime))} (x${series.count ?? 0} over ${began})`;
  if (count > 1) return `${age(last)} (x${count} over ${began})`;
  return Number.isNaN(last) ? began : age(last);
}
