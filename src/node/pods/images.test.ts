import { expect, test } from 'vitest';
import { SimulatedPod } from './simulated-pod.test-support.ts';

const container = (image: string, imagePullPolicy = 'IfNotPresent'): object => ({ name: 'c', image, imagePullPolicy });

test('a failed pull is repeated after 10, 20, 40 … seconds', () => {
  const pod = new SimulatedPod({ containers: [container('nginx:does-not-exist')] });
  pod.runTo(2.5);
  expect(pod.containers).toEqual(['c ContainerCreating 0']);
  pod.runTo(10);
  const waiting = pod.status.containerStatuses?.[0]?.state.waiting;
  expect(waiting?.reason).toBe('ErrImagePull');
  expect(waiting?.message).toMatch(/^rpc error: code = NotFound desc = failed to pull and unpack image .*: not found$/);
  expect(pod.events).toEqual(['0.25 Pulling c', '1.838 Failed c', '1.838 Failed c', '2.838 BackOff c', '2.838 Failed c']);
  expect(pod.messages.slice(2)).toEqual([
    'Error: ErrImagePull',
    'Back-off pulling image "nginx:does-not-exist"',
    'Error: ImagePullBackOff',
  ]);
  pod.runTo(20);
  expect(pod.status.containerStatuses?.[0]?.state.waiting).toMatchObject({
    reason: 'ImagePullBackOff',
    message: expect.stringMatching(/^Back-off pulling image "nginx:does-not-exist": ErrImagePull: rpc error/),
  });
  pod.runTo(30);
  expect(pod.containers).toEqual(['c ErrImagePull 0']);
  pod.runTo(100);
  const pulls = pod.events.filter((event) => event.includes('Pulling')).map((event) => Math.round(Number(event.split(' ')[0])));
  expect(pulls).toEqual([0, 12, 33, 75]);
});

test.each([
  ['IfNotPresent', true, 'Pulled Created Started', 'Container image "nginx" already present on machine'],
  ['IfNotPresent', false, 'Pulling Pulled Created Started', 'Pulling image "nginx"'],
  ['Always', true, 'Pulling Pulled Created Started', 'Pulling image "nginx"'],
  ['Never', true, 'Pulled Created Started', 'Container image "nginx" already present on machine'],
  ['Never', false, 'ErrImageNeverPull Failed ErrImageNeverPull Failed', 'Container image "nginx" is not present with pull policy of Never'],
])('pull policy %s, present %s: %s', (policy, isPresent, reasons, message) => {
  const pod = new SimulatedPod({ containers: [container('nginx', policy)] });
  if (isPresent) pod.images.add('docker.io/library/nginx:latest');
  pod.runTo(5);
  expect(pod.events.map((event) => event.split(' ')[1]).join(' ')).toBe(reasons);
  expect(pod.messages[0]).toBe(message);
});

test('an invalid name is refused', () => {
  const pod = new SimulatedPod({ containers: [container('NGINX!')] });
  pod.runTo(2);
  expect(pod.containers).toEqual(['c InvalidImageName 0']);
  expect(pod.events).toEqual(['0.25 InspectFailed c', '0.25 Failed c', '1.25 InspectFailed c', '1.25 Failed c']);
  expect(pod.messages[0]).toBe(
    'Failed to apply default image tag "NGINX!": couldn\'t parse image name "NGINX!": ' +
      'invalid reference format: repository name (library/NGINX!) must be lowercase',
  );
});

test('the back-off of an image ends with a change of the image', () => {
  const pod = new SimulatedPod({ containers: [container('nginx:does-not-exist')] });
  pod.runTo(60);
  pod.change({}, { containers: [container('nginx:1')] });
  expect([pod.events.at(-1), pod.messages.at(-1)]).toEqual(['60 Pulling c', 'Pulling image "nginx:1"']);
  expect(pod.status.containerStatuses?.[0]?.image).toBe('nginx:1');
  pod.runTo(70);
  expect(pod.containers).toEqual(['c running ready 0']);
});

test.each(['Always', 'Never'])('a container is started again when its image changes, with the restart policy %s', (restartPolicy) => {
  const pod = new SimulatedPod({ restartPolicy, containers: [container('redis:6')] });
  pod.runTo(10);
  pod.change({}, { containers: [container('redis:7')] });
  expect(pod.messages.at(-1)).toBe('Container c definition changed, will be restarted');
  expect(pod.runTo(20).phase).toBe('Running');
  expect([pod.containers, pod.status.containerStatuses?.[0]?.image]).toEqual([['c running ready 1'], 'docker.io/library/redis:7']);
});

test('a container that fails is started at once when its image changes', () => {
  const crashing = (image: string): object => ({ ...container(image), command: ['sh', '-c', 'exit 1'] });
  const pod = new SimulatedPod({ containers: [crashing('busybox:1')] });
  pod.images.add('docker.io/library/busybox:2');
  pod.runTo(60);
  pod.change({}, { containers: [crashing('busybox:2')] });
  expect(pod.events).toContain('60 Started c');
});

test('a container without its configuration waits for it', () => {
  const pod = new SimulatedPod({ containers: [container('pause')] });
  pod.configErrors = new Map([['c', 'configmap "a" not found']]);
  pod.runTo(5);
  expect([pod.containers, pod.messages.at(-1)]).toEqual([['c CreateContainerConfigError 0'], 'Error: configmap "a" not found']);
  pod.configErrors = new Map();
  pod.runTo(15);
  expect(pod.containers).toEqual(['c running ready 0']);
});

test('secrets for pulls that do not exist are reported with every pull', () => {
  const pod = new SimulatedPod({ containers: [container('nginx:1')] });
  pod.missingPullSecrets = ['a', 'b'];
  pod.runTo(5);
  const message = 'Unable to retrieve some image pull secrets (a, b); attempting to pull the image may not succeed.';
  expect(pod.messages.filter((text) => text === message)).toHaveLength(2);
  expect(pod.events.slice(0, 3)).toEqual(['0 FailedToRetrieveImagePullSecret', '0.25 FailedToRetrieveImagePullSecret', '0.25 Pulling c']);
});

test('an image that the registry does not have is not pulled', () => {
  const pod = new SimulatedPod({ containers: [container('app:1')] });
  pod.isPullable = ({ full }) => full !== 'docker.io/library/app:1';
  pod.runTo(60);
  expect(pod.containers).toEqual(['c ImagePullBackOff 0']);
  expect(pod.status.containerStatuses?.[0]?.state.waiting?.message).toMatch(/pull access denied, repository does not exist/);
});

test('an event reports that an image is not emulated, once', () => {
  const pod = new SimulatedPod({ containers: [{ ...container('app:1'), command: ['sh', '-c', 'exit 1'] }] });
  pod.runTo(60);
  const message = 'Image "app:1" is not emulated: no output, no files';
  expect(pod.messages.filter((text) => text === message)).toHaveLength(1);
});
