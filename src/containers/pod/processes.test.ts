import { expect, test } from 'vitest';
import { TestSandbox } from './sandbox.test-support.ts';

test('a script runs with its exit code, output and termination message', async () => {
  const pod = new TestSandbox({});
  const container = await pod.start({ command: ['sh', '-c', 'echo out; echo err >&2; echo reason > /dev/termination-log; exit 3'] });
  await pod.advance(1);
  expect(container.exit).toMatchObject({ code: 3, message: 'reason\n' });
  expect(await pod.logs()).toBe('out\nerr\n');
  expect(await pod.logs({ stream: 'Stderr' })).toBe('err\n');
});

test.each([
  ['a missing program', 'nothing-here; echo $?', 'sh: nothing-here: not found\n127\n'],
  ['a file that may not be executed', 'echo x > /tmp/f; /tmp/f; echo $?', 'sh: /tmp/f: Permission denied\n126\n'],
  ['a script in a file', 'printf "#!/bin/sh\\necho $0 \\$1\\n" > /tmp/f; chmod +x /tmp/f; /tmp/f a', 'sh a\n'],
  ['a write to a missing folder', 'echo x > /none/f; echo $?', "sh: can't create /none/f: nonexistent directory\n1\n"],
  ['set -e', 'set -e; if false; then echo a; fi; false || echo b; false; echo c', 'b\n'],
  ['set -e of the shell', 'echo a; false; echo b', 'a\nb\n'],
  [
    'links and modes',
    'ln -s /etc/passwd /tmp/l; readlink /tmp/l; touch /tmp/x; chmod 640 /tmp/x; stat -c "%a %U" /tmp/x',
    '/etc/passwd\n640 root\n',
  ],
  [
    'find with a link before a slash',
    'mkdir /tmp/d; touch /tmp/d/a; ln -s d /tmp/l; find /tmp/l; find /tmp/l/ -mindepth 1',
    '/tmp/l\n/tmp/l/a\n',
  ],
  ['tests of files', '[ -x /bin/sh ] && [ -L /proc/self ] && [ ! -w /none ] && echo yes', 'yes\n'],
  [
    'a file that is read while it is written',
    'for i in 1 2; do echo $i; cat /tmp/all; done > /tmp/all; cat /tmp/all',
    '1\n1\n2\n1\n1\n2\n',
  ],
  ['a sleep of less than a millisecond', 'sleep 0.0001; echo done', 'done\n'],
  ['expr', 'expr 2 + 3 \\* 4; expr 1 = 2; echo $?', '14\n0\n1\n'],
  ['output of the first process', 'echo hidden > /dev/null; echo shown > /proc/1/fd/1', 'shown\n'],
])('%s', async (_title, script, output) => {
  expect(await new TestSandbox({}).run(script)).toBe(output);
});

test('the first process ignores SIGTERM without a handler, and SIGKILL ends it', async () => {
  const pod = new TestSandbox({});
  const container = await pod.start({ command: ['sleep', '1000'] });
  await pod.advance(1);
  container.terminate();
  await pod.advance(1);
  expect(container.exit).toBeUndefined();
  container.kill();
  expect(container.exit?.code).toBe(137);
});

test('a trap runs between two commands, and interrupts wait', async () => {
  for (const body of ['while true; do sleep 1; done', 'sleep 1000 & wait']) {
    const pod = new TestSandbox({});
    const container = await pod.start({ command: ['sh', '-c', `trap 'echo caught; exit 7' TERM; ${body}`] });
    await pod.advance(2);
    container.terminate();
    await pod.advance(2);
    expect([await pod.logs(), container.exit?.code]).toEqual(['caught\n', 7]);
  }
});

test('a fork bomb is limited, and other containers run on', async () => {
  const [bomb, other] = [new TestSandbox({}), new TestSandbox({})];
  const container = await bomb.start({ command: ['sh', '-c', 'bomb() { bomb | bomb & }; bomb; sleep 100'] });
  expect(await other.run('echo still here')).toBe('still here\n');
  await bomb.advance(5);
  expect(await bomb.logs()).toContain("can't fork: Resource temporarily unavailable");
  container.kill();
});

test('a function that calls itself endlessly ends its script', async () => {
  const pod = new TestSandbox({});
  expect(await pod.run('f() { f; f; }; f; echo never')).toBe('sh: Maximum function recursion depth (1000) reached\n');
});

test('an endless loop lets other work proceed', async () => {
  const pod = new TestSandbox({});
  const container = await pod.start({ command: ['sh', '-c', 'while true; do :; done'] });
  await pod.advance(1);
  container.kill();
  expect(container.exit?.code).toBe(137);
});

test('the message is taken from the log when the program has failed without one', async () => {
  for (const [code, message] of [
    [1, 'DONE'],
    [0, ''],
  ] as const) {
    const pod = new TestSandbox({});
    const container = await pod.start({
      command: ['sh', '-c', `echo -n DONE; exit ${code}`],
      terminationMessagePolicy: 'FallbackToLogsOnError',
    });
    await pod.advance(1);
    expect(container.exit?.message).toBe(message);
  }
});

test('a program that is missing in the image fails the start', async () => {
  await expect(new TestSandbox({}).start({ command: ['nothing'] })).rejects.toThrow(
    'RunContainerError: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "nothing": executable file not found in $PATH: unknown',
  );
});

test('agnhost prints its arguments, and ends on SIGTERM as programs in Go do', async () => {
  const pod = new TestSandbox({});
  const agnhost = 'registry.k8s.io/e2e-test-images/agnhost';
  await pod.start({ args: ['entrypoint-tester', 'a', '$(A)'], env: [{ name: 'A', value: 'b' }] }, agnhost);
  await pod.advance(1);
  expect(await pod.logs()).toBe('[/agnhost entrypoint-tester a b]\n');
  const server = await pod.start({ args: ['test-webserver'] }, agnhost);
  await pod.advance(1);
  server.terminate();
  await pod.advance(1);
  expect(server.exit?.code).toBe(2);
});

test('exec, HTTP, TCP and gRPC probes are performed', async () => {
  const pod = new TestSandbox({});
  const container = await pod.start(
    { args: ['grpc-health-checking', '--delay-unhealthy-sec=5'] },
    'registry.k8s.io/e2e-test-images/agnhost',
  );
  await pod.advance(1);
  const grpc = { port: 5000, service: '' };
  expect((await container.probe({ grpc })).isSuccess).toBe(true);
  expect(await container.probe({ tcpSocket: { port: 81 } })).toEqual({
    isSuccess: false,
    output: 'dial tcp 10.244.0.2:81: connect: connection refused',
  });
  expect((await container.probe({ tcpSocket: { port: 8080 } })).isSuccess).toBe(true);
  expect((await container.probe({ httpGet: { port: 8080, path: '/none' } })).output).toBe('HTTP probe failed with statuscode: 404');
  expect(await container.probe({ exec: { command: ['sh', '-c', 'echo no; exit 1'] } })).toEqual({ isSuccess: false, output: 'no\n' });
  const notFound = 'unable to start container process: exec: "nope": executable file not found in $PATH: unknown';
  expect(await container.probe({ exec: { command: ['nope'] } })).toMatchObject({
    isError: true,
    output: expect.stringContaining(notFound),
  });
  const unknown = { grpc: { ...grpc, service: 'a' } };
  expect((await container.probe(unknown)).output).toBe('error: health rpc probe failed: rpc error: code = NotFound desc = unknown service');
  const refused = await container.probe({ grpc: { port: 81, service: '' }, timeoutSeconds: 61 });
  expect(refused.output).toBe('timeout: failed to connect service "10.244.0.2:81" within 1m1s: context deadline exceeded');
  await pod.advance(6);
  expect((await container.probe({ grpc })).output).toBe('service unhealthy (responded with "NOT_SERVING")');
});

test('hooks fail with the output of their command, or without a response', async () => {
  const pod = new TestSandbox({});
  const container = await pod.start({ args: ['netexec', '--http-port=8080'] }, 'registry.k8s.io/e2e-test-images/agnhost');
  await pod.advance(1);
  expect(await container.runHook({ exec: { command: ['sh', '-c', 'echo err >&2; echo out; exit 3'] } })).toEqual({
    message: "command 'sh -c echo err >&2; echo out; exit 3' exited with 3: err\n",
    output: 'out\nerr\n',
  });
  expect(await container.runHook({ httpGet: { port: 8080, path: '/none' } })).toBeUndefined();
  expect(await container.runHook({ httpGet: { port: 81 } })).toEqual({
    message: 'Get "http://10.244.0.2:81/": dial tcp 10.244.0.2:81: connect: connection refused',
  });
});

test('a redirect to another host is not followed, and is a success with a warning', async () => {
  const pod = new TestSandbox({});
  const container = await pod.start({ args: ['liveness'] }, 'registry.k8s.io/e2e-test-images/agnhost');
  await pod.advance(1);
  const { output, ...outcome } = await container.probe({ httpGet: { port: 8080, path: '/redirect?loc=http%3A%2F%2F0.0.0.0%2F' } });
  expect(outcome).toEqual({ isSuccess: true, isWarning: true });
  expect(output).toMatch(/^Probe terminated redirects, Response body: <a href="http:\/\/0\.0\.0\.0\/">Found<\/a>/);
});

test('the cgroup of a container shows its resources, also after a resize', async () => {
  const pod = new TestSandbox({});
  const script = 'mount -t cgroup2; cd /sys/fs/cgroup; cat cpu.max cpu.weight memory.max; sleep 2; cat cpu.max cpu.weight memory.max';
  const container = await pod.start({ command: ['sh', '-c', script], resources: { requests: { cpu: '500m' }, limits: { memory: '1Mi' } } });
  await pod.advance(1);
  container.resize({ limits: { cpu: '2' } });
  await pod.advance(2);
  expect(await pod.logs()).toBe('cgroup2 on /sys/fs/cgroup type cgroup2 (ro,relatime)\nmax 100000\n20\n1048576\n200000 100000\n79\nmax\n');
});

test('a probe that takes longer than its timeout fails', async () => {
  const pod = new TestSandbox({});
  const container = await pod.start({ command: ['sleep', '100'] });
  const outcome = container.probe({ exec: { command: ['sh', '-c', 'sleep 90'] }, timeoutSeconds: 61 });
  await pod.advance(62);
  expect(await outcome).toEqual({ isSuccess: false, output: 'command timed out: "sh -c sleep 90" timed out after 1m1s' });
});
