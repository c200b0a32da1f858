import { downloadFile } from '../model/download-file.ts';
import type { CommandBlock } from './command-block.ts';

/** One command with its output. */
export interface TranscriptEntry {
  readonly line: string;
  readonly output: string;
  readonly exit: number | undefined;
}

export function downloadTranscript(blocks: Iterable<CommandBlock>): void {
  const text = formatTranscript([...blocks].map(({ command, outputText }) => ({ ...command, output: outputText })));
  downloadFile('transcript.md', text, 'text/markdown');
}

/** Commands and outputs as Markdown. Each fence is longer than any backtick run in its text. */
export function formatTranscript(entries: readonly TranscriptEntry[]): string {
  return entries.map(({ line, output, exit }) => `${fence('sh', line)}${fence('text', output)}${exit ? `exit ${exit}\n\n` : ''}`).join('');
}

function fence(language: string, text: string): string {
  if (text === '') return '';
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n?$/, '\n')}${fence}\n\n`;
}
