import { expect, test } from 'vitest';
import { formatTranscript } from './transcript.ts';

test('a transcript has commands, outputs and exit codes, and escapes fences in outputs', () => {
  const text = formatTranscript([
    { line: 'kubectl get ns', output: 'NAME\ndefault\n', exit: 0 },
    { line: 'cat a.md', output: '```\nx\n```', exit: 1 },
    { line: 'true', output: '', exit: 0 },
  ]);
  expect(text).toBe(
    '```sh\nkubectl get ns\n```\n\n```text\nNAME\ndefault\n```\n\n```sh\ncat a.md\n```\n\n````text\n```\nx\n```\n````\n\nexit 1\n\n```sh\ntrue\n```\n\n',
  );
});
