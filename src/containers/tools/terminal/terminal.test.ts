import { expect, test } from 'vitest';
import { TestSandbox } from '../../pod/sandbox.test-support.ts';
import { openTerminal } from '../tools.test-support.ts';

test('without a terminal, and without logins', async () => {
  const output = await new TestSandbox({}).run(
    'tty; echo $?; stty size; groups; groups nobody; groups none; who; who -H; w; users; logname; echo $?',
  );
  expect(output).toBe(
    `not a tty
1
stty: standard input: Inappropriate ioctl for device
root wheel
nobody
groups: unknown user none
USER\t\tTTY\t\tIDLE\tTIME\t\t HOST
USER\t\tTTY\t\tIDLE\tTIME\t\t HOST

logname: getlogin: No such device or address
1
`,
  );
});

test('the settings of a terminal are shown and changed', async () => {
  const { type, output } = await openTerminal('sh');
  output();
  await type('tty; stty size; stty rows 30 cols 100; stty size\r');
  expect(output()).toContain('/dev/pts/0\r\n24 80\r\n30 100\r\n');
  await type('stty -echo\r');
  output();
  await type('stty | tail -n 1\r');
  expect(output()).toBe('\r\n-echo\r\n/ # ');
  await type('stty echo\r');
  await type('true\r');
  expect(output()).toBe('\r\n/ # true\r\n/ # ');
});

test('top is refreshed until q is typed', async () => {
  const { type, output, advance } = await openTerminal('sh');
  await type('top -d 2\r');
  const first = output();
  expect(first).toContain('\x1b[H\x1b[JMem: 388608K used');
  expect(first).toContain('\x1b[7m  PID  PPID USER     STAT   VSZ %VSZ CPU %CPU COMMAND\x1b[m\r\n');
  await advance(4);
  expect(output().split('\x1b[H')).toHaveLength(3);
  await type('q');
  expect(output()).toBe('/ # ');
  await type('echo back\r');
  expect(output()).toBe('echo back\r\nback\r\n/ # ');
});

test('the output of nohup is appended to a file', async () => {
  const { type, output } = await openTerminal('sh');
  output();
  await type('cd /tmp; nohup echo hello; cat nohup.out\r');
  expect(output()).toContain('nohup: appending output to nohup.out\r\nhello\r\n/tmp # ');
});
