import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import type { LogRequest } from '../../streaming/index.ts';
import { SimulatedPod } from '../pods/simulated-pod.test-support.ts';
import { createKubelet } from './kubelet.ts';

const request: LogRequest = {
  namespace: 'ns',
  name: 'web',
  uid: 'u',
  container: 'c',
  follow: false,
  previous: false,
  timestamps: false,
  sinceSeconds: undefined,
  sinceTime: undefined,
  tailLines: undefined,
  limitBytes: undefined,
  stream: 'All',
};

const spec = { containers: [{ name: 'c', image: 'example.com/unknown' }] };

const unused = (): Promise<never> => Promise.reject(new Error('not used'));

function kubeletOf(pod: SimulatedPod | undefined) {
  return createKubelet(() => pod && { pod: pod.pod as corev1.Pod, state: pod.state, sandbox: undefined }, unused);
}

const logError = (pod: SimulatedPod | undefined, options: Partial<LogRequest> = {}): Promise<unknown> =>
  kubeletOf(pod)
    .containerLogs({ ...request, ...options }, new AbortController().signal)
    .then(
      () => undefined,
      (error: Error & { status: number }) => [error.status, error.message],
    );

test('logs are refused with the errors of a kubelet', async () => {
  const pod = new SimulatedPod(spec);
  expect(await logError(undefined)).toEqual([404, 'pod "web" does not exist']);
  expect(await logError(pod, { container: 'x' })).toEqual([404, 'container "x" not found in pod "web"']);
  expect(await logError(pod)).toEqual([400, 'container "c" in pod "web" is waiting to start: ContainerCreating']);
  pod.runTo(60);
  expect(await logError(pod)).toBeUndefined();
  expect(await logError(pod, { previous: true })).toEqual([400, 'previous terminated container "c" in pod "web" not found']);
});

test('logs of a container whose image cannot be pulled are refused with the reason', async () => {
  const pod = new SimulatedPod({ containers: [{ name: 'c', image: 'registry.invalid/x' }] });
  pod.runTo(3);
  const { waiting } = pod.status.containerStatuses?.[0]?.state ?? {};
  const texts: Readonly<Record<string, string>> = {
    ErrImagePull: "image can't be pulled",
    ImagePullBackOff: 'trying and failing to pull image',
  };
  expect(await logError(pod)).toEqual([400, `container "c" in pod "web" is waiting to start: ${texts[waiting?.reason ?? '']}`]);
});

test('a command cannot be executed in a container that does not run, or whose image is not emulated', async () => {
  const pod = new SimulatedPod(spec);
  const exec = { ...request, command: ['ls'], stdin: false, stdout: true, stderr: true, tty: false };
  await expect(kubeletOf(pod).exec(exec)).rejects.toMatchObject({ status: 500, message: 'container not found ("c")' });
  await expect(kubeletOf(pod).attach(exec)).rejects.toMatchObject({ status: 500, message: 'container c not found in pod web_ns' });
  await expect(kubeletOf(undefined).exec(exec)).rejects.toMatchObject({ status: 404, message: 'pod does not exist' });
  pod.runTo(60);
  const session = await kubeletOf(pod).exec(exec);
  const streams = { stdin: undefined, stdout: undefined, stderr: undefined, resize: undefined };
  await expect(session.run(streams, new AbortController().signal)).rejects.toThrow('exec: "ls": executable file not found in $PATH');
});
