import { expect, test } from 'vitest';
import { recordOf } from '../images/image-record.ts';
import { processOf } from './container-process.ts';
import { execDuration, execStatus } from './script.ts';

/** `exit CODE after SECONDS`, or `runs`. */
function courseOf(image: string, command?: readonly string[], args?: readonly string[], limit?: string): string {
  const resources = limit === undefined ? {} : { limits: { memory: limit } };
  const { exit } = processOf({ ...(command ? { command } : {}), ...(args ? { args } : {}), resources }, recordOf(image));
  return exit ? `${exit.reason ?? 'exit'} ${exit.code} after ${exit.atMs / 1000}` : 'runs';
}

const sh = (script: string): readonly string[] => ['sh', '-c', script];

test.each([
  ['library/nginx', undefined, undefined, 'runs'],
  ['library/unknown', undefined, undefined, 'runs'],
  ['library/busybox', undefined, undefined, 'exit 0 after 0'],
  ['library/hello-world', undefined, undefined, 'exit 0 after 0'],
  ['e2e-test-images/agnhost', undefined, ['netexec'], 'runs'],
  ['library/busybox', ['sleep', '1.5'], undefined, 'exit 0 after 1.5'],
  ['library/busybox', ['sleep'], ['2m'], 'exit 0 after 120'],
  ['library/busybox', ['sleep', 'infinity'], undefined, 'runs'],
  ['library/busybox', ['false'], undefined, 'exit 1 after 0'],
  ['library/busybox', undefined, ['true'], 'exit 0 after 0'],
  ['library/busybox', sh('echo hi; sleep 3 && exit 7'), undefined, 'exit 7 after 3'],
  ['library/busybox', sh('false || exit 2'), undefined, 'exit 2 after 0'],
  ['library/busybox', sh('true && false'), undefined, 'exit 1 after 0'],
  ['library/busybox', sh('while true; do date; sleep 1; done'), undefined, 'runs'],
  ['library/busybox', sh('echo "a; exit 3"'), undefined, 'exit 0 after 0'],
  ['library/busybox', sh('tail -f /dev/null'), undefined, 'runs'],
  ['library/alpine', ['/bin/sh', '-ec', 'sleep 1\nexit 4'], undefined, 'exit 4 after 1'],
  ['library/nginx', sh("nginx -g 'daemon off;'"), undefined, 'runs'],
  ['library/perl', ['perl', '-Mbignum=bpi', '-wle', 'print bpi(2000)'], undefined, 'exit 0 after 3'],
])('%s %j %j: %s', (image, command, args, expected) => {
  expect(courseOf(image, command, args)).toBe(expected);
});

test.each([
  ['100Mi', 'OOMKilled 137 after 1'],
  ['300Mi', 'runs'],
])('memory of 250M with the limit %s', (limit, expected) => {
  expect(courseOf('polinux/stress', ['stress'], ['--vm', '1', '--vm-bytes', '250M'], limit)).toBe(expected);
});

test('a script that handles SIGTERM ends at once', () => {
  const process = processOf({ command: sh("trap 'exit 3' TERM; while true; do sleep 1; done"), resources: {} }, recordOf('busybox'));
  expect([process.exit, process.onTerm]).toEqual([undefined, { atMs: 0, code: 3 }]);
});

test.each([
  [sh('sleep 5; exit 1'), 5_000],
  [['/bin/bash', '-ec', 'sleep 5'], 5_000],
  [['sleep', '3'], 3_000],
  [sh('sleep infinity'), undefined],
])('the hook %j takes %s ms', (command, expected) => {
  expect(execDuration(command)).toBe(expected);
});

test('commands see the files of a script', () => {
  const { files } = processOf({ command: sh('touch /tmp/a; sleep 5; rm /tmp/a; sleep 60'), resources: {} }, recordOf('busybox'));
  const status = (command: readonly string[], ms: number): number => execStatus(command, files, ms);
  expect([status(['cat', '/tmp/a'], 4_999), status(['cat', '/tmp/a'], 5_000)]).toEqual([0, 1]);
  expect([status(['test', '-f', '/tmp/a'], 0), status(sh('test -f /tmp/b && exit 0 || exit 9'), 0)]).toEqual([0, 9]);
});

test('a command that is too long to evaluate runs until it is stopped', () => {
  const script = (commands: number): readonly string[] => sh(`${'true && '.repeat(commands)}false`);
  expect(processOf({ command: script(1_000), resources: {} }, recordOf('busybox')).exit).toMatchObject({ code: 1 });
  expect(processOf({ command: script(5_000), resources: {} }, recordOf('busybox')).exit).toBeUndefined();
  const words = Array.from({ length: 10_000 }, (_, index) => `${index}`);
  expect(processOf({ command: ['echo', ...words], resources: {} }, recordOf('busybox')).exit).toBeUndefined();
});
