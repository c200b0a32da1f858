import { expect, test } from 'vitest';
import { partAt, readLessonParts } from './lesson-parts.ts';

const source = `---
title: T
minutes: 5
---
Text.

## First {#first}
\`\`\`sh run
kubectl get pods
\`\`\`
\`\`\`check
- cel: "true"
  message: No.
\`\`\`
\`\`\`hint
Unclosed`;

const textsOf = (text: string): readonly string[] =>
  readLessonParts(text).map(({ kind, from, to, isYaml }) => `${kind}${isYaml ? ' yaml' : ''}: ${text.slice(from, to)}`);

test('finds the headings, the front matter and the blocks of a lesson, and which of them are YAML', () => {
  expect(textsOf(source)).toEqual([
    'opening: ---',
    'values yaml: title: T\nminutes: 5',
    'closing: ---',
    'heading: ## First {#first}',
    'opening: ```sh run',
    'code: kubectl get pods',
    'closing: ```',
    'opening: ```check',
    'code yaml: - cel: "true"\n  message: No.',
    'closing: ```',
    'opening: ```hint',
    'code: Unclosed',
  ]);
});

test('reads texts without front matter, empty ones, and empty blocks', () => {
  expect(textsOf('')).toEqual([]);
  expect(textsOf('## A\n```sh\n```\n')).toEqual(['heading: ## A', 'opening: ```sh', 'closing: ```']);
});

test('finds the part at a position, and none in prose', () => {
  const parts = readLessonParts(source);
  expect(partAt(parts, source.indexOf('minutes'))?.kind).toBe('values');
  expect(partAt(parts, source.indexOf('Text'))).toBeUndefined();
});
