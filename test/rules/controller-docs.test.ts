import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the page about controllers shows the code of its example', () => {
  const example = read('src/controllers/volume-protection/persistent-volume-protection.ts');
  expect(read('docs/writing-a-controller.md')).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  expect(example.split('\n').length).toBeLessThanOrEqual(60);
});
