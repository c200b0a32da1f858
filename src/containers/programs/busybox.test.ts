import { expect, test } from 'vitest';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

test('busybox lists its applets and runs them', async () => {
  const pod = new TestSandbox({});
  const output = await pod.run(
    'busybox --list | grep -E "^(md5sum|ls|busybox)$"; busybox ls /etc/passwd; busybox none; echo $?; busybox | head -n 1',
  );
  expect(output).toBe(
    'busybox\nls\nmd5sum\n/etc/passwd\nnone: applet not found\n127\nBusyBox v1.36.1 (2023-05-18 22:34:17 UTC) multi-call binary.\n',
  );
});

test('images with the GNU tools have those that Debian has', async () => {
  const pod = new TestSandbox({});
  await pod.start(
    { command: ['sh', '-c', 'md5sum /dev/null; gzip -c /dev/null | wc -c; ping -c 1 localhost; busybox'] },
    'docker.io/library/debian',
  );
  await pod.advance(2);
  expect(await pod.logs()).toBe('d41d8cd98f00b204e9800998ecf8427e  /dev/null\n20\nsh: ping: not found\nsh: busybox: not found\n');
});
