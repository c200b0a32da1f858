import type { Log } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import { type AuditEvent, encodeEvent, formatLegacyEvent } from '../event.ts';
import { logDroppedEvents } from './dropped-events.ts';
import type { AuditSink } from './sink.ts';

/** Writes lines, each with its line feed, to a file or standard output. */
export interface LineWriter {
  write(line: string): void;
  close(): Promise<void>;
}

export interface LineSinkOptions {
  readonly writer: LineWriter;
  /** `--audit-log-format`. */
  readonly format: 'json' | 'legacy';
  readonly product: Product;
  readonly log: Log;
}

/** `--audit-log-path`: one line per event. */
export function lineSink({ writer, format, product, log }: LineSinkOptions): AuditSink {
  const textOf = (event: AuditEvent): string | undefined => (format === 'json' ? encodeEvent(event, product) : formatLegacyEvent(event));
  return {
    async processEvents(events) {
      let allWritten = true;
      for (const event of events) {
        const problem = tryWriteLine(writer, textOf(event));
        if (problem === undefined) continue;
        allWritten = false;
        logDroppedEvents(log, 'log', [event], problem);
      }
      return allWritten;
    },
    close: () => writer.close(),
  };
}

/** Writes a line; returns the error, or undefined on success. */
function tryWriteLine(writer: LineWriter, text: string | undefined): unknown {
  if (text === undefined) return 'a body is no JSON';
  try {
    writer.write(`${text}\n`);
    return undefined;
  } catch (error) {
    // A full or lost disk must not stop the server, except in mode blocking-strict.
    return error;
  }
}
