import type { ByteSource, ByteStream } from '../env/index.ts';

/** Header lines in order; names as sent. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** A request as a server receives it. */
export interface HttpRequest {
  readonly method: string;
  /** The path with the query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: HeaderLines;
  readonly body: ByteSource;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: ByteSource;
  /** With status 101: the connection after the head. */
  readonly upgraded?: ByteStream | undefined;
}

/** A message that is no valid HTTP/1.1. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
}

/** The first header of a name in lower case; empty when there is none. */
export function headerOf(headers: HeaderLines, name: string): string {
  return headers.find(([one]) => one === name)?.[1] ?? '';
}
