import {
  badRequest,
  type FieldError,
  forbiddenField,
  formatTime,
  invalid,
  invalidObject,
  notSupported,
  parseTime,
  TimeError,
} from '../../../meta/index.ts';
import { isTrue, readInteger } from '../../parameters/query-values.ts';
import type { RequestContext } from '../../request-context.ts';

/** Options of a log request (PodLogOptions of core/v1). */
export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds: number | undefined;
  /** Milliseconds since 1970. */
  readonly sinceTime: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Only where it can be chosen. */
  readonly stream: string | undefined;
}

const streams = ['All', 'Stderr', 'Stdout'];
/** The beginning of the year 1, Go's zero time, for an empty parameter. */
const zeroTimeMs = -62_135_596_800_000;

/** @throws StatusError 400, 422 */
export function readLogOptions({ info, server }: RequestContext): LogOptions {
  const { query } = info;
  const streamSelection = server.featureGates.enabled('PodLogsQuerySplitStreams');
  const options: LogOptions = {
    follow: isTrue(query, 'follow'),
    previous: isTrue(query, 'previous'),
    sinceSeconds: readInteger(query, 'sinceSeconds'),
    sinceTime: readSinceTime(query.get('sinceTime')),
    timestamps: isTrue(query, 'timestamps'),
    tailLines: readInteger(query, 'tailLines'),
    limitBytes: readInteger(query, 'limitBytes'),
    stream: query.get('stream') ?? (streamSelection ? 'All' : undefined),
  };
  const errors = [...validate(options), ...validateStream(options, streamSelection)];
  if (errors.length > 0) throw invalidObject({ group: '', name: 'PodLogOptions' }, info.name, errors);
  return options;
}

function readSinceTime(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (text === '') return zeroTimeMs;
  try {
    return parseTime(text);
  } catch (error) {
    if (error instanceof TimeError) throw badRequest(error.message);
    throw error;
  }
}

/** Field path of errors about no single field, as upstream prints an empty path. */
const whole = '[]';

function* validate({ tailLines, limitBytes, sinceSeconds, sinceTime }: LogOptions): Generator<FieldError> {
  if (tailLines !== undefined && tailLines < 0) yield invalid('tailLines', tailLines, 'must be greater than or equal to 0');
  if (limitBytes !== undefined && limitBytes < 1) yield invalid('limitBytes', limitBytes, 'must be greater than 0');
  if (sinceSeconds === undefined) return;
  if (sinceTime !== undefined) yield forbiddenField(whole, 'at most one of `sinceTime` or `sinceSeconds` may be specified');
  else if (sinceSeconds < 1) yield invalid('sinceSeconds', sinceSeconds, 'must be greater than 0');
}

function* validateStream({ stream, tailLines }: LogOptions, selectable: boolean): Generator<FieldError> {
  if (stream === undefined) return;
  if (!selectable) {
    yield forbiddenField('stream', 'may not be specified');
    return;
  }
  if (!streams.includes(stream)) yield notSupported('stream', stream, streams);
  if (stream !== 'All' && tailLines !== undefined)
    yield forbiddenField(whole, '`tailLines` and specific `stream` are mutually exclusive for now');
}

/** The kubelet's query string, sorted by name. */
export function logQuery(options: LogOptions): string {
  const { follow, limitBytes, previous, sinceSeconds, sinceTime, stream, tailLines, timestamps } = options;
  const values = {
    follow: follow || undefined,
    limitBytes,
    previous: previous || undefined,
    sinceSeconds,
    sinceTime: sinceTime === undefined ? undefined : formatTime(sinceTime),
    stream,
    tailLines,
    timestamps: timestamps || undefined,
  };
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`]))
    .join('&');
}
