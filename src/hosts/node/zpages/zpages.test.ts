import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../../env/index.ts';
import { readFlags } from '../flags/read-flags.ts';
import { createFlagz } from './flagz.ts';
import { createStatusz } from './statusz.ts';

const version = {
  major: '1',
  minor: '34',
  emulationMajor: '1',
  emulationMinor: '33',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '32',
  gitVersion: 'v1.34.4',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '',
  goVersion: 'go1.24',
  compiler: '',
  platform: '',
};
const warning =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

test('statusz shows the start of the process, its versions and the roots of its paths', async () => {
  const clock = createManualClock(Date.UTC(2024, 9, 6, 21, 3, 43));
  const page = createStatusz({ clock, random: createSeededRandom(1), log: createMemoryLog() });
  await clock.advance(3_723_000);
  const text = page({ paths: ['/', '/api/v1', '/healthz/ping', '/healthz', '/metrics'], version });
  expect(text.startsWith(`\napiserver statusz\n${warning}\n\n`)).toBe(true);
  const lines = text.split('\n').slice(4, -1);
  const expected = {
    Started: 'Sun Oct  6 21:03:43 UTC 2024',
    Up: '1 hr 02 min 03 sec',
    'Go version': 'go1.24',
    'Binary version': '1.34.4',
    'Emulation version': '1.33',
    Paths: '/healthz /metrics',
  };
  expect(lines).toHaveLength(Object.keys(expected).length);
  for (const [at, [name, value]] of Object.entries(expected).entries()) {
    expect(lines[at]?.startsWith(name)).toBe(true);
    expect(lines[at]?.endsWith(` ${value}`)).toBe(true);
  }
});

test('flagz shows the values of all flags, in order of name', () => {
  const { values } = readFlags(['--secure-port=8443', '--api-audiences=a,b', '--profiling=F', '--feature-gates=ComponentFlagz=true']);
  const text = createFlagz(values, { integer: () => 2, uuid: () => '' })({ paths: [], version });
  expect(text.startsWith(`\napiserver flags\n${warning}\n\n`)).toBe(true);
  const lines = text.split('\n').slice(4, -1);
  const names = lines.map((line) => line.split('=')[0] ?? '');
  expect(names).toEqual(names.toSorted());
  expect(lines).toEqual(
    expect.arrayContaining(['secure-port=8443', 'api-audiences=[a,b]', 'profiling=false', 'feature-gates=[ComponentFlagz=true]', 'v=0']),
  );
});
