import { expect, test } from 'vitest';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

const spec = { volumes: [{ name: 'host', hostPath: { path: '/' } }] };
const fields = { volumeMounts: [{ name: 'host', mountPath: '/host' }] };

test('chroot runs a shell with the files of a node', async () => {
  const script = 'chroot /host sh -c "ls -d /etc /host; cd /tmp; echo x > made; pwd"; cat /host/tmp/made; chroot /none ls; echo $?';
  expect(await new TestSandbox(spec).run(script, fields)).toBe(
    "ls: /host: No such file or directory\n/etc\n/tmp\nx\nchroot: can't change root directory to '/none': No such file or directory\n1\n",
  );
});

test('nsenter runs a command in the mount namespace of a node, which is writable', async () => {
  const volumeMounts = [{ name: 'host', mountPath: '/host', readOnly: true }];
  const script =
    'nsenter --mount=/host/proc/1/ns/mnt -- mkdir -p /tmp/a/b; ls /host/tmp/a; nsenter --mount=/proc/9/ns/mnt -- true; echo $?';
  expect(await new TestSandbox(spec).run(script, { volumeMounts })).toBe(
    "b\nnsenter: can't open '/proc/9/ns/mnt': No such file or directory\n1\n",
  );
});

test('only root may change the root directory', async () => {
  const pod = new TestSandbox({ ...spec, securityContext: { runAsUser: 1000 } });
  expect(await pod.run('chroot /host ls', fields)).toBe("chroot: can't change root directory to '/host': Operation not permitted\n");
});

test('a program in another root ends with its process', async () => {
  const pod = new TestSandbox(spec);
  const container = await pod.start({ command: ['chroot', '/host', 'sleep', '100'], ...fields });
  await pod.advance(1);
  container.kill();
  await pod.advance(1);
  expect(container.exit?.code).toBe(137);
});
