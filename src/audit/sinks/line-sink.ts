import type { Log } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import { type AuditEvent, eventText, legacyText } from '../event.ts';
import { tellLoss } from './loss.ts';
import type { AuditSink } from './sink.ts';

/** Writes lines, each with its line feed, to a file or standard output. */
export interface LineWriter {
  write(line: string): void;
  close(): Promise<void>;
}

export interface LineSinkParts {
  readonly writer: LineWriter;
  /** `--audit-log-format`. */
  readonly format: 'json' | 'legacy';
  readonly product: Product;
  readonly log: Log;
}

/** `--audit-log-path`: one line per event. */
export function lineSink({ writer, format, product, log }: LineSinkParts): AuditSink {
  const textOf = (event: AuditEvent): string | undefined => (format === 'json' ? eventText(event, product) : legacyText(event));
  return {
    async take(events) {
      let isWhole = true;
      for (const event of events) {
        const problem = written(writer, textOf(event));
        if (problem === undefined) continue;
        isWhole = false;
        tellLoss(log, 'log', [event], problem);
      }
      return isWhole;
    },
    close: () => writer.close(),
  };
}

/** Writes a line; returns the error, or undefined on success. */
function written(writer: LineWriter, text: string | undefined): unknown {
  if (text === undefined) return 'a body is no JSON';
  try {
    writer.write(`${text}\n`);
    return undefined;
  } catch (error) {
    // A full or lost disk must not stop the server, except in mode blocking-strict.
    return error;
  }
}
