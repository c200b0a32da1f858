import { expect, test } from 'vitest';
import { TestSandbox } from '../../pod/sandbox.test-support.ts';
import { runInside, startPod } from '../tools.test-support.ts';

test('processes are found by their name and command line', async () => {
  const pod = await startPod();
  await runInside(pod, 'true');
  const sleeper = runInside(pod, 'sleep 500');
  expect(await runInside(pod, 'pidof sleep')).toBe('7 1\n');
  expect(
    await runInside(pod, 'sh -c "pidof none; echo $?; pidof -s sleep; pgrep sleep; pgrep -l sle; pgrep -f 500; pgrep -x slee; echo $?"'),
  ).toBe('1\n7\n1\n7\n1 sleep\n7 sleep\n7\n13\n1\n');
  expect(await runInside(pod, 'pgrep -a -n .')).toBe('7 sleep 500\n');
  expect(await runInside(pod, 'pkill -f 500')).toBe('');
  expect(await sleeper).toBe('');
  expect(await runInside(pod, 'killall none')).toBe('killall: none: no process killed\n');
  expect(await runInside(pod, 'sh -c "killall; killall -FOO x; killall -q none; echo $?"')).toBe(
    "killall: you need to specify whom to kill\nkillall: bad signal name 'FOO'\n1\n",
  );
});

test('killall sends a signal to every process of a name', async () => {
  const pod = await startPod();
  const sleepers = [runInside(pod, 'sh -c "sleep 500; true"'), runInside(pod, 'sh -c "sleep 600; true"')];
  expect(await runInside(pod, 'killall -9 sh')).toBe('');
  await Promise.all(sleepers);
  expect(await runInside(pod, 'pgrep -c sh')).toContain("pgrep: invalid option -- 'c'");
});

test('programs are started by nohup and setsid, and usleep waits', async () => {
  const output = await new TestSandbox({}).run(
    'nohup echo a; setsid echo b; setsid none; echo $?; usleep 1; usleep 1000; usleep x; setsid',
  );
  expect(output).toBe(
    "a\nb\nsetsid: can't execute 'none': No such file or directory\n127\nusleep: invalid number 'x'\nBusyBox v1.36.1 (2023-05-18 22:34:17 UTC) multi-call binary.\n\nUsage: setsid [-c] PROG ARGS\n",
  );
});

test('the memory and the load are shown', async () => {
  expect(await new TestSandbox({}).run('sleep 90; free; free -h; uptime', {}, 100)).toBe(
    `              total        used        free      shared  buff/cache   available
Mem:        8388608      388608     8000000           0           0     8000000
Swap:             0           0           0
              total        used        free      shared  buff/cache   available
Mem:           8.0G      379.5M        7.6G           0           0        7.6G
Swap:             0           0           0
 00:01:30 up 1 min,  0 users,  load average: 0.00, 0.00, 0.00
`,
  );
});

test('top shows the processes once, or until it is ended', async () => {
  const pod = await startPod();
  expect(await runInside(pod, 'top -b -n1')).toBe(`Mem: 388608K used, 8000000K free, 0K shrd, 0K buff, 0K cached
CPU:   0% usr   0% sys   0% nic 100% idle   0% io   0% irq   0% sirq
Load average: 0.00 0.00 0.00 1/2 7
  PID  PPID USER     STAT   VSZ %VSZ CPU %CPU COMMAND
    1     0 root     S     4404   0%   0   0% sleep 100000
    7     0 root     R     4404   0%   0   0% top -b -n1
`);
});
