import { errorMessage as messageOf } from '../../env/index.ts';
import { type StatusCause, StatusError } from '../../meta/index.ts';

export { messageOf };

/** A failure with kubectl's message; printed with the prefix `error: ` unless the message has one. */
export class KubectlError extends Error {
  override readonly name: string = 'KubectlError';
  readonly code: number;

  constructor(message: string, code = 1) {
    super(message);
    this.code = code;
  }
}

/** Printed without a prefix. */
export class PlainError extends KubectlError {
  override readonly name = 'PlainError';
}

/** A resource type or kind that the server does not serve. */
export class NoMatchError extends KubectlError {
  override readonly name = 'NoMatchError';
}

/** Several failures, each printed on its own line; as one of several failures, in brackets on one line. */
export class AggregatedErrors extends Error {
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    const texts = [...new Set(leafErrors(errors).map(messageOf))];
    super(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
    this.errors = errors;
  }
}

/** Cf. apimachinery errors.Flatten. */
export function leafErrors(errors: readonly unknown[]): readonly unknown[] {
  return errors.flatMap((error) => (error instanceof AggregatedErrors ? leafErrors(error.errors) : [error]));
}

const connectionRefusedSuffix = ': connect: connection refused';

/** No response was received. The message is that of Go's HTTP client. */
export class UnreachableError extends Error {
  readonly reason: string;
  readonly host: string;

  constructor(method: string, url: string, why: string) {
    super(`${method.charAt(0)}${method.slice(1).toLowerCase()} "${url}": ${why}`);
    this.reason = why;
    this.host = new URL(url).host;
  }
}

/** Nothing listens at this address. */
export function connectionRefused(method: string, url: string): UnreachableError {
  const { host, hostname } = new URL(url);
  const address = hostname === 'localhost' ? host.replace('localhost', '127.0.0.1') : host;
  return new UnreachableError(method, url, `dial tcp ${address}${connectionRefusedSuffix}`);
}

/** Throws the collected failures: nothing, the single one, or all as AggregatedErrors. */
export function throwCollected(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  throwAggregated(errors);
}

/** Throws the collected failures as AggregatedErrors: with a single one that is aggregated itself, its failures have no prefix. */
export function throwAggregated(errors: readonly unknown[]): void {
  if (errors.length > 0) throw new AggregatedErrors(errors);
}

/** The collected failures of a selection, without those that `ignored` accepts. Cf. apimachinery errors.FilterOut. */
export function collectErrors(error: unknown, ignored: (one: unknown) => boolean = () => false): readonly unknown[] {
  if (!(error instanceof AggregatedErrors)) return error === undefined || ignored(error) ? [] : [error];
  const errors = error.errors.flatMap((one) => collectErrors(one, ignored));
  return errors.length === 0 ? [] : [new AggregatedErrors(errors)];
}

/** The same failure with a changed message; a Status stays one. */
export function mapMessage(error: unknown, change: (message: string) => string): unknown {
  if (error instanceof StatusError) return new StatusError(error.code, error.reason, change(error.message), error.details, error);
  return new KubectlError(change(messageOf(error)));
}

/** `error when creating "a.yaml": …`. */
export function withSource(error: unknown, verb: string, source: string | undefined): unknown {
  return source === undefined ? error : mapMessage(error, (message) => `error when ${verb} ${JSON.stringify(source)}: ${message}`);
}

export function isStatus(error: unknown, reason: StatusError['reason']): error is StatusError {
  return error instanceof StatusError && error.reason === reason;
}

/** Resolves to undefined on NotFound. */
export async function undefinedIfNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isStatus(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** The printed text and exit code, cf. kubectl cmd/util checkErr. */
export function describeError(failure: unknown): { readonly text: string; readonly code: number } {
  const error = failure instanceof AggregatedErrors && failure.errors.length === 1 ? failure.errors[0] : failure;
  if (error instanceof StatusError && error.reason === 'Invalid') return { text: invalidText(error), code: 1 };
  if (error instanceof AggregatedErrors)
    return { text: error.errors.map((one) => `${connectionErrorText(one) ?? messageOf(one)}\n`).join(''), code: 1 };
  const line = connectionErrorText(error);
  if (line !== undefined) return { text: `${line}\n`, code: 1 };
  if (error instanceof PlainError) return { text: withNewline(error.message), code: error.code };
  if (!(error instanceof KubectlError)) throw error;
  return { text: withNewline(error.message.startsWith('error: ') ? error.message : `error: ${error.message}`), code: error.code };
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** The text for a failure of the server or the connection. */
function connectionErrorText(error: unknown): string | undefined {
  if (error instanceof UnreachableError && error.reason.endsWith(connectionRefusedSuffix)) {
    return `The connection to the server ${error.host} was refused - did you specify the right host or port?`;
  }
  if (error instanceof UnreachableError) return `Unable to connect to the server: ${error.reason}`;
  if (!(error instanceof StatusError)) return undefined;
  if (error.reason === 'Unauthorized') return `error: You must be logged in to the server (${error.message})`;
  return `Error from server${error.reason === '' ? '' : ` (${error.reason})`}: ${error.message}`;
}

function invalidText({ message, details }: StatusError): string {
  const causes = details?.causes ?? [];
  let text = 'The request is invalid';
  if (!details) return `${text}${message === '' ? '' : `: ${message}`}\n`;
  if (details.kind || details.name) text = `The ${details.kind ?? ''} ${JSON.stringify(details.name ?? '')} is invalid`;
  else if (message !== '' && causes.length === 0) text += `: ${message}`;
  if (causes.length === 0) return `${text}\n`;
  const lines = [...new Set(causes.map(causeText))];
  return lines.length === 1 ? `${text}: ${lines[0]}\n` : `${text}: \n${lines.map((line) => `* ${line}\n`).join('')}`;
}

function causeText({ field = '', message = '' }: StatusCause): string {
  return `${field}: ${message}`;
}
/** The abort reason when `--request-timeout` is over. */
export class RequestTimeout extends Error {}
