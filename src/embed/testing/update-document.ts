import type { DocumentExample } from '../markdown/index.ts';
import type { ExampleReport } from './test-document.ts';

/** The document with the actual outputs in place of the documented ones that differ. Everything else is unchanged. */
export function updateDocument(source: string, examples: readonly DocumentExample[], reports: readonly ExampleReport[]): string {
  const lines = source.split('\n');
  // From the end, since the numbers of earlier lines must not change.
  for (const [index, { output }] of [...examples.entries()].reverse()) {
    const report = reports[index];
    if (output === undefined || report === undefined || report.failure === '') continue;
    const [start, end] = output.content;
    const actual = report.output.trimEnd().split('\n');
    lines.splice(start, end - start, ...actual.map((line) => (output.prefix + line).trimEnd()));
  }
  return lines.join('\n');
}
