import { expect, test } from 'vitest';
import { TestSandbox } from './sandbox.test-support.ts';

const configMap = { metadata: { name: 'cm' }, data: { a: 'one', 'b.txt': 'two' }, binaryData: { c: 'AP8=' } };

test('files of a config map have their modes, and are replaced at once', async () => {
  const pod = new TestSandbox({ volumes: [{ name: 'v', configMap: { name: 'cm', defaultMode: 0o400 } }] });
  const path = '/api/v1/namespaces/ns/configmaps/cm';
  pod.objects.set(path, configMap);
  const fields = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };
  await pod.start({ command: ['sh', '-c', 'ls /v; stat -L -c %a /v/a; hexdump /v/c; sleep 3; ls /v; cat /v/a; touch /v/x'], ...fields });
  await pod.advance(1);
  pod.objects.set(path, { ...configMap, data: { a: 'new\n' }, binaryData: {} });
  await pod.sandbox.prepare(pod.pod);
  await pod.advance(4);
  expect(await pod.logs()).toBe('a\nb.txt\nc\n400\n0000000 ff00\n0000002\na\nnew\ntouch: /v/x: Read-only file system\n');
});

test('a file of a volume that is mounted by its subPath does not change', async () => {
  const pod = new TestSandbox({ volumes: [{ name: 'v', configMap: { name: 'cm' } }] });
  const path = '/api/v1/namespaces/ns/configmaps/cm';
  pod.objects.set(path, configMap);
  await pod.start({ command: ['sh', '-c', 'sleep 2; cat /etc/a'], volumeMounts: [{ name: 'v', mountPath: '/etc/a', subPath: 'a' }] });
  await pod.advance(1);
  pod.objects.set(path, { ...configMap, data: { a: 'new' } });
  await pod.sandbox.prepare(pod.pod);
  await pod.advance(2);
  expect(await pod.logs()).toBe('one');
});

test('fsGroup owns volumes, and the containers of the pod are its members', async () => {
  const volumes = [
    { name: 'v', secret: { secretName: 's', defaultMode: 0o440 } },
    { name: 'e', emptyDir: {} },
  ];
  const pod = new TestSandbox({ volumes, securityContext: { fsGroup: 1001, runAsUser: 1000 } });
  pod.objects.set('/api/v1/namespaces/ns/secrets/s', { metadata: { name: 's' }, data: { key: 'dmFsdWU=' } });
  const volumeMounts = [
    { name: 'v', mountPath: '/v' },
    { name: 'e', mountPath: '/e' },
  ];
  expect(await pod.run('cat /v/key; echo; stat -L -c "%a %g" /v/key; touch /e/f; stat -c "%u %g" /e/f; id -G', { volumeMounts })).toBe(
    'value\n440 1001\n1000 1001\n0 1001\n',
  );
});

test('a folder of a memory volume has its mode and group', async () => {
  const pod = new TestSandbox({ volumes: [{ name: 'm', emptyDir: { medium: 'Memory' } }], securityContext: { fsGroup: 123 } });
  const volumeMounts = [{ name: 'm', mountPath: '/m', subPath: 'new' }];
  expect(await pod.run('stat -c "%a %g" /m', { volumeMounts })).toBe('3777 123\n');
});

test('limits default to those of the pod, then to those of the node', async () => {
  const pod = new TestSandbox({ resources: { limits: { cpu: '1250m' } } });
  const env = ['cpu', 'memory'].map((name) => ({ name, valueFrom: { resourceFieldRef: { resource: `limits.${name}`, divisor: '0' } } }));
  expect(await pod.run('echo $cpu $memory', { env })).toBe('2 8589934592\n');
});

test('environment variables refer to fields, resources, keys and each other', async () => {
  const pod = new TestSandbox({}, { labels: { app: 'x' } });
  pod.objects.set('/api/v1/namespaces/ns/configmaps/cm', configMap);
  const service = { metadata: { name: 'my-db' }, spec: { clusterIP: '10.96.0.7', ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }] } };
  pod.objects.set('/api/v1/namespaces/ns/services', { metadata: {}, items: [service] });
  const env = [
    { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    { name: 'LABEL', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
    { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'requests.memory', divisor: '1Mi' } } },
    { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'cm', key: 'a' } } },
    { name: 'ALL', value: '$(KEY)-$(NONE)-$$(KEY)-$(MY_DB_SERVICE_PORT_SQL)' },
  ];
  const fields = { env, envFrom: [{ prefix: 'p_', configMapRef: { name: 'cm' } }], resources: { requests: { memory: '3000Ki' } } };
  const output = await pod.run('echo $IP $LABEL $CPU $MEMORY $ALL $p_a $HOSTNAME $MY_DB_PORT_5432_TCP', fields);
  expect(output).toBe('10.244.0.2 x 4 3 one-$(NONE)-$(KEY)-5432 one web tcp://10.96.0.7:5432\n');
});

test.each([
  ['an absolute subPath', { subPathExpr: '/x' }, 'error SubPath `/x` must not be an absolute path'],
  ['an unknown variable', { subPathExpr: '$(NONE)' }, 'missing value for "NONE"'],
])('%s is a configuration error', async (_title, fields, message) => {
  const pod = new TestSandbox({ volumes: [{ name: 'e', emptyDir: {} }] });
  const started = pod.start({ command: ['true'], volumeMounts: [{ name: 'e', mountPath: '/e', ...fields }] });
  await expect(started).rejects.toThrow(`CreateContainerConfigError: ${message}`);
});

test.each([
  [{ runAsUser: 1000 }, '1000 50000'],
  [{ runAsUser: 1000, supplementalGroups: [60000, 7], fsGroup: 50000 }, '1000 7 50000 60000'],
  [{ runAsUser: 1000, supplementalGroups: [60000], supplementalGroupsPolicy: 'Strict' }, '1000 60000'],
  [{ runAsUser: 1000, runAsGroup: 3000 }, '3000 50000'],
  [{ runAsUser: 1234, supplementalGroups: [60000] }, '0 60000'],
])('a process with %j belongs to the groups %s', async (securityContext, groups) => {
  const pod = new TestSandbox({ securityContext });
  const container = await pod.start({ command: ['bash', '-c', 'id -G'] }, 'registry.k8s.io/e2e-test-images/agnhost');
  await pod.advance(1);
  expect([...(container.user.supplementalGroups ?? [])].sort()).toEqual(groups.split(' ').map(Number).sort());
  expect(await pod.logs()).toBe(`${groups}\n`);
});

test('the user of an image is not root', async () => {
  const pod = new TestSandbox({ securityContext: { runAsNonRoot: true } });
  await pod.start({ command: ['id', '-u'] }, 'registry.k8s.io/e2e-test-images/nonroot');
  await pod.advance(1);
  expect(await pod.logs()).toBe('1234\n');
});

test('a container may not run as root if it must not', async () => {
  const started = new TestSandbox({ securityContext: { runAsNonRoot: true } }).start({ command: ['true'] });
  await expect(started).rejects.toThrow('container has runAsNonRoot and image will run as root (pod: "web_ns(u)", container: c)');
});

test('a pod whose emptyDir exceeds its limit is evicted; memory volumes are full instead', async () => {
  const pod = new TestSandbox({
    volumes: [
      { name: 'e', emptyDir: { sizeLimit: '1Ki' } },
      { name: 'm', emptyDir: { sizeLimit: '1Ki', medium: 'Memory' } },
    ],
  });
  const volumeMounts = [
    { name: 'e', mountPath: '/e' },
    { name: 'm', mountPath: '/m' },
  ];
  const output = await pod.run('dd if=/dev/zero of=/m/f bs=2k count=1; dd if=/dev/zero of=/e/f bs=2k count=1 status=none', {
    volumeMounts,
  });
  expect(output).toBe("dd: error writing '/m/f': No space left on device\n");
  expect(pod.evictions).toContain('Usage of EmptyDir volume "e" exceeds the limit "1Ki". ');
});

test('a pod is evicted when a container exceeds its limit of ephemeral storage', async () => {
  const pod = new TestSandbox({ containers: [{ name: 'other', resources: { limits: { 'ephemeral-storage': '4Ki' } } }] });
  const resources = { limits: { 'ephemeral-storage': '1Ki' } };
  await pod.run('dd if=/dev/zero of=/f bs=1k count=1 status=none', { resources });
  expect(pod.evictions).toEqual([]);
  await pod.run('dd if=/dev/zero of=/f bs=1k count=2 status=none', { resources });
  expect(pod.evictions).toContain('Container c exceeded its local ephemeral storage limit "1Ki". ');
  await pod.run('dd if=/dev/zero of=/f bs=1k count=6 status=none', { resources });
  expect(pod.evictions.at(-1)).toBe('Pod ephemeral local storage usage exceeds the total limit of containers 5Ki. ');
});

test('the root file system may be read-only, with volumes that are not', async () => {
  const pod = new TestSandbox({ volumes: [{ name: 'e', emptyDir: {} }] });
  const fields = { securityContext: { readOnlyRootFilesystem: true }, volumeMounts: [{ name: 'e', mountPath: '/e' }] };
  expect(await pod.run('echo x > /file; echo y > /e/file; cat /e/file', fields)).toBe("sh: can't create /file: Read-only file system\ny\n");
});

test.each([
  ['a profile of the container', {}, { seccompProfile: { type: 'RuntimeDefault' as const } }, 2],
  ['a profile of the pod', { seccompProfile: { type: 'RuntimeDefault' } }, {}, 2],
  ['no profile', {}, {}, 0],
  ['a privileged container', { seccompProfile: { type: 'RuntimeDefault' } }, { privileged: true }, 0],
])('the status of a process shows whether seccomp filters its system calls: %s', async (_title, ofPod, securityContext, mode) => {
  const pod = new TestSandbox({ securityContext: ofPod });
  expect(await pod.run('grep Seccomp: /proc/self/status', { securityContext })).toBe(`Seccomp:\t${mode}\n`);
});

test('names of sysctls may have slashes', async () => {
  const pod = new TestSandbox({ securityContext: { sysctls: [{ name: 'net/ipv4/tcp_syncookies', value: '0' }] } });
  expect(await pod.run('sysctl net/ipv4/tcp_syncookies; cat /proc/sys/net/ipv4/tcp_syncookies')).toBe('net.ipv4.tcp_syncookies = 0\n0\n');
});

test('logs have times, and are limited by lines, bytes and age', async () => {
  const pod = new TestSandbox({});
  await pod.run('for i in 1 2 3; do echo line $i; sleep 1; done');
  expect(await pod.logs({ tailLines: 2 })).toBe('line 2\nline 3\n');
  expect(await pod.logs({ limitBytes: 8 })).toBe('line 1\nl');
  expect(await pod.logs({ timestamps: true, tailLines: 1 })).toMatch(/^2026-01-01T00:00:0\d\.\d{9}Z line 3\n$/);
  expect(await pod.logs({ sinceTime: pod.clock.nowMs() })).toBe('');
  await pod.run('echo second');
  expect([await pod.logs(), await pod.logs({ previous: true, tailLines: 1 })]).toEqual(['second\n', 'line 3\n']);
});

test('a mount is found through links of the image', async () => {
  const pod = new TestSandbox({ volumes: [{ name: 'e', emptyDir: {} }] });
  const volumeMounts = [{ name: 'e', mountPath: '/var/run/secrets' }];
  expect(await pod.run('touch /var/run/secrets/f; ls /run/secrets', { volumeMounts })).toBe('f\n');
});
