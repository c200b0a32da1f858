import { downloadFile } from '../model/download-file.ts';
import type { CommandBlock } from './command-block.ts';

/** One command with what it printed. */
export interface TranscriptEntry {
  readonly line: string;
  readonly output: string;
  readonly exit: number | undefined;
}

export function downloadTranscript(blocks: Iterable<CommandBlock>): void {
  const text = transcriptOf([...blocks].map(({ command, outputText }) => ({ ...command, output: outputText })));
  downloadFile('transcript.md', text, 'text/markdown');
}

/** Commands and outputs as Markdown; a fence is longer than any in what was printed. */
export function transcriptOf(entries: readonly TranscriptEntry[]): string {
  return entries
    .map(({ line, output, exit }) => `${fenced('sh', line)}${fenced('text', output)}${exit ? `exit ${exit}\n\n` : ''}`)
    .join('');
}

function fenced(language: string, text: string): string {
  if (text === '') return '';
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n?$/, '\n')}${fence}\n\n`;
}
