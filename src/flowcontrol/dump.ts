import { formatTime } from '../meta/index.ts';
import type { FlowCounts } from './flow-counts.ts';
import type { PriorityLevel } from './priority-level.ts';
import type { Queue, QueuedRequest } from './queue-set.ts';

/** The priority levels with the counts of their requests, as a table. Cf. k8s.io/apiserver util/flowcontrol/apf_controller_debug.go. */
export function dumpPriorityLevels(levels: readonly PriorityLevel[]): string {
  const header = [
    ...['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'],
    ...['DispatchedRequests', 'RejectedRequests', 'TimedoutRequests', 'CancelledRequests'],
  ];
  const rows = levels.map(({ name, requests }) => {
    const { executing, waiting, counts, hasQueues, queues } = requests;
    const active = hasQueues ? queues.filter((queue) => queue.waiting.length > 0).length : 0;
    const isIdle = executing === 0 && waiting === 0;
    const sumOf = (count: (flow: FlowCounts) => number): number => [...counts.values()].reduce((sum, flow) => sum + count(flow), 0);
    return [
      ...[name, active, isIdle, false, waiting, executing, sumOf(({ dispatched }) => dispatched)],
      sumOf(({ rejected }) => rejected['concurrency-limit'] + rejected['queue-full']),
      ...[sumOf(({ rejected }) => rejected['time-out']), sumOf(({ rejected }) => rejected.cancelled)],
    ];
  });
  return table([header, ...rows]);
}

/** The queues of all levels that have them. */
export function dumpQueues(levels: readonly PriorityLevel[]): string {
  const header = [
    ...['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse', 'NextDispatchR'],
    ...['InitialSeatsSum', 'MaxSeatsSum', 'TotalWorkSum'],
  ];
  const rows = queuesOf(levels).map(({ level, index, queue: { waiting, executing, nextDispatchR, seatsInUse, seatsWaiting } }) => [
    ...[level.name, index, waiting.length, executing.size, seatsInUse, seatSeconds(nextDispatchR)],
    ...[seatsWaiting, seatsWaiting, seatSeconds(seatsWaiting * estimatedSeconds)],
  ]);
  return table([header, ...rows]);
}

/** The requests that wait or are executed; `hasDetails` adds the user and what is requested. */
export function dumpRequests(levels: readonly PriorityLevel[], hasDetails: boolean): string {
  const header = [
    ...['PriorityLevelName', 'FlowSchemaName', 'QueueIndex', 'RequestIndexInQueue', 'FlowDistingsher'],
    ...['ArriveTime', 'InitialSeats', 'FinalSeats', 'AdditionalLatency', 'StartTime'],
    ...(hasDetails ? ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'] : []),
  ];
  const rows = requestsOf(levels).map(({ level, queue, index, request }) => [
    ...[level.name, request.flowSchema, queue, index, request.distinguisher],
    ...[timeText(request.arrivedMs), request.seats, 0, '0s', request.startedMs === undefined ? zeroTime : timeText(request.startedMs)],
    ...(hasDetails ? detailsOf(request) : []),
  ]);
  return table([header, ...rows]);
}

/** The zero time of Go. */
const zeroTime = '0001-01-01T00:00:00Z';

/** The assumed duration of a request. Cf. estimatedServiceDuration. */
const estimatedSeconds = 0.003;

interface NumberedQueue {
  readonly level: PriorityLevel;
  readonly index: number;
  readonly queue: Queue;
}

function queuesOf(levels: readonly PriorityLevel[]): readonly NumberedQueue[] {
  const withQueues = levels.filter(({ requests }) => requests.hasQueues);
  return withQueues.flatMap((level) => level.requests.queues.map((queue, index) => ({ level, index, queue })));
}

interface NumberedRequest {
  readonly level: PriorityLevel;
  /** -1: the level has no queues. */
  readonly queue: number;
  /** -1: it is executed. */
  readonly index: number;
  readonly request: QueuedRequest;
}

function requestsOf(levels: readonly PriorityLevel[]): readonly NumberedRequest[] {
  return levels.flatMap((level) =>
    level.requests.queues.flatMap(({ waiting, executing }, at) => {
      const queue = level.requests.hasQueues ? at : -1;
      const first = waiting.map((request, index) => ({ level, queue, index, request }));
      return [...first, ...[...executing].map((request) => ({ level, queue, index: -1, request }))];
    }),
  );
}

function detailsOf({ attributes }: QueuedRequest): readonly string[] {
  const { user, verb, path, namespace, name, group, version, resource, subresource } = attributes;
  return [user.username, verb, path, namespace, name, group === '' ? version : `${group}/${version}`, resource, subresource];
}

/** As Go prints seat-seconds. */
const seatSeconds = (amount: number): string => `${amount.toFixed(8)}ss`;

/** RFC 3339 without zeros at the end of the fraction, which has milliseconds. Cf. time.RFC3339Nano. */
function timeText(ms: number): string {
  const fraction = String(ms % 1_000).padStart(3, '0');
  const digits = fraction.endsWith('00') ? fraction.slice(0, 1) : fraction.endsWith('0') ? fraction.slice(0, 2) : fraction;
  return digits === '0' ? formatTime(ms) : formatTime(ms).replace('Z', `.${digits}Z`);
}

type Cell = string | number | boolean;

/** Columns are at least 8 characters wide, padded by at least one space. Cf. Go text/tabwriter. */
function table(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell, index) => (index < row.length - 1 ? `${cell},` : String(cell))));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(8, ...cells.map((row) => (row[column]?.length ?? 0) + 1)));
  const last = widths.length - 1;
  return cells.map((row) => `${row.map((cell, index) => (index < last ? cell.padEnd(widths[index] ?? 0) : cell)).join('')}\n`).join('');
}
