import { expect, test } from 'vitest';
import { sharesOf, simulate } from './cli.ts';

async function linesOf(...words: string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  // Each read of the clock advances it by a minute.
  let minutes = 0;
  await simulate(words, { print: (line) => lines.push(line), nowMs: () => 60_000 * minutes++ });
  return lines;
}

test('a run that ends before its last seed prints how to resume with the next', async () => {
  const lines = await linesOf('--seeds', '50', '--from', '7', '--operations', '1', '--minutes', '4');
  expect(lines[0]).toMatch(/^1 seeds from 7 pass in /);
  expect(lines[1]).toBe('resume: npm run simulate -- --from 8 --seeds 49');
});

test('distributes all seeds over several processes without overlap', () => {
  const shares = sharesOf(['--seeds', '10', '--from', '5', '--processes', '3', '--minutes', '2']);
  expect(shares?.map((share) => share.join(' '))).toEqual([
    '--from 5 --seeds 3 --operations 90 --minutes 2',
    '--from 8 --seeds 3 --operations 90 --minutes 2',
    '--from 11 --seeds 4 --operations 90 --minutes 2',
  ]);
  expect(sharesOf(['--seeds', '10'])).toBeUndefined();
});
