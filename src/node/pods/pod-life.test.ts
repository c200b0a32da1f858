import { expect, test } from 'vitest';
import { SimulatedPod } from './simulated-pod.test-support.ts';

const run = (command: string): object => ({ name: 'c', image: 'busybox', imagePullPolicy: 'IfNotPresent', command: ['sh', '-c', command] });

test('a server is pulled, started and ready, and then needs nothing', () => {
  const pod = new SimulatedPod({ containers: [{ name: 'c', image: 'redis:7', imagePullPolicy: 'IfNotPresent' }] });
  expect(pod.runTo(0)).toMatchObject({ phase: 'Pending', hostIP: '172.18.0.2' });
  expect([pod.containers, pod.condition('PodReadyToStartContainers')]).toEqual([['c ContainerCreating 0'], 'False']);
  expect(pod.condition('Ready')).toBe('False ContainersNotReady containers with unready status: [c]');
  pod.runTo(0.5);
  expect([pod.containers, pod.condition('PodReadyToStartContainers')]).toEqual([['c ContainerCreating 0'], 'True']);
  expect(pod.runTo(60)).toMatchObject({
    phase: 'Running',
    podIP: '10.244.0.2',
    containerStatuses: [{ image: 'docker.io/library/redis:7' }],
  });
  expect(pod.containers).toEqual(['c running ready 0']);
  expect(pod.events).toEqual(['0.25 Pulling c', '1.506 Pulled c', '1.506 Created c', '1.506 Started c']);
  expect(pod.messages[1]).toBe('Successfully pulled image "redis:7" in 1.256s (1.256s including waiting). Image size: 51380224 bytes.');
  expect(pod.isIdle).toBe(true);
  expect(pod.status.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
    'PodReadyToStartContainers True',
    'Initialized True',
    'Ready True',
    'ContainersReady True',
    'PodScheduled True',
  ]);
});

test('a pod in the network of its node has the address of the node at once', () => {
  const pod = new SimulatedPod({ hostNetwork: true, containers: [run('sleep 60')] });
  expect(pod.runTo(0)).toMatchObject({ podIP: '172.18.0.2', podIPs: [{ ip: '172.18.0.2' }] });
  expect(pod.condition('PodReadyToStartContainers')).toBe('False');
});

test('a pod that its kubelet rejects has failed, and shows the generation that was observed', () => {
  const pod = new SimulatedPod({ containers: [run('exit 0')] });
  pod.state.failure = { reason: 'OutOfcpu', message: 'Pod was rejected' };
  pod.state.isRejected = true;
  expect(pod.status).toEqual({
    observedGeneration: 1,
    phase: 'Failed',
    reason: 'OutOfcpu',
    message: 'Pod was rejected',
    startTime: '2026-01-01T00:00:00Z',
  });
});

test('a container that fails is restarted at once, then after 10, 20, 40 … 300 seconds', () => {
  const pod = new SimulatedPod({ containers: [run('exit 3')] });
  pod.runTo(2);
  expect(pod.containers).toEqual(['c CrashLoopBackOff 1']);
  expect(pod.status.containerStatuses?.[0]).toMatchObject({
    state: { waiting: { message: 'back-off 10s restarting failed container=c pod=web_ns(u)' } },
    lastState: { terminated: { exitCode: 3, reason: 'Error' } },
  });
  expect(pod.status.phase).toBe('Running');
  pod.runTo(20);
  expect(pod.containers).toEqual(['c Error 3 2']);
  pod.runTo(25);
  expect(pod.containers).toEqual(['c CrashLoopBackOff 2']);
  pod.runTo(1200);
  const starts = pod.events.filter((event) => event.includes('Started')).map((event) => Math.floor(Number(event.split(' ')[0])));
  expect(starts).toEqual([0, 0, 10, 30, 70, 150, 310, 610, 910]);
  expect(pod.messages).toContain('Back-off restarting failed container c in pod web_ns(u)');
  expect(pod.status.containerStatuses?.[0]?.state.waiting?.message).toContain('back-off 5m0s');
});

test.each([
  ['Never', 'exit 0', 'Succeeded', 'c Completed 0 0', 'True PodCompleted', 'False PodCompleted'],
  ['Never', 'sleep 1; exit 5', 'Failed', 'c Error 5 0', 'True', 'False PodFailed'],
  ['OnFailure', 'exit 0', 'Succeeded', 'c Completed 0 0', 'True PodCompleted', 'False PodCompleted'],
  ['OnFailure', 'exit 1', 'Running', 'c CrashLoopBackOff 1', 'True', 'False ContainersNotReady containers with unready status: [c]'],
  ['Always', 'exit 0', 'Running', 'c CrashLoopBackOff 1', 'True', 'False ContainersNotReady containers with unready status: [c]'],
])('policy %s, %s: %s', (restartPolicy, command, phase, container, initialized, ready) => {
  const pod = new SimulatedPod({ restartPolicy, containers: [run(command)] });
  expect(pod.runTo(5).phase).toBe(phase);
  expect([pod.containers, pod.condition('Initialized'), pod.condition('Ready')]).toEqual([[container], initialized, ready]);
});

test('rules of a container restart it for some exit codes', () => {
  const restartPolicyRules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
  const status = (code: number): string => {
    const container = { ...run(`exit ${code}`), restartPolicy: 'Never', restartPolicyRules };
    return new SimulatedPod({ restartPolicy: 'Never', containers: [container] }).runTo(5).phase ?? '';
  };
  expect([status(42), status(1)]).toEqual(['Running', 'Failed']);
});

test('init containers run one after the other, sidecars continue', () => {
  const pod = new SimulatedPod({
    restartPolicy: 'Never',
    initContainers: [
      { ...run('sleep 5'), name: 'first' },
      { name: 'proxy', image: 'busybox', command: ['sleep', 'infinity'], restartPolicy: 'Always' },
      { ...run('sleep 5'), name: 'second' },
    ],
    containers: [{ ...run('sleep 10') }],
    terminationGracePeriodSeconds: 3,
  });
  pod.runTo(3);
  expect(pod.containers).toEqual(['first running 0', 'proxy PodInitializing 0', 'second PodInitializing 0', 'c PodInitializing 0']);
  expect(pod.condition('Initialized')).toBe('False ContainersNotInitialized containers with incomplete status: [first proxy second]');
  pod.runTo(9);
  expect(pod.containers).toEqual(['first Completed 0 ready 0', 'proxy running ready 0', 'second running 0', 'c PodInitializing 0']);
  expect(pod.status.phase).toBe('Pending');
  pod.runTo(15);
  expect([pod.containers.at(-1), pod.status.phase]).toEqual(['c running ready 0', 'Running']);
  expect(pod.runTo(60).phase).toBe('Succeeded');
  expect(pod.containers).toEqual(['first Completed 0 ready 0', 'proxy Error 137 0', 'second Completed 0 ready 0', 'c Completed 0 0']);
});

test('the status of a container has its resources when it has been created', () => {
  const resources = { requests: { cpu: '1' } };
  const pod = new SimulatedPod({
    initContainers: [{ ...run('sleep 5'), name: 'i', resources }],
    containers: [{ ...run('sleep 60'), resources }],
  });
  pod.runTo(3);
  const { initContainerStatuses: [init] = [], containerStatuses: [main] = [] } = pod.status;
  expect(init).toMatchObject({ started: true, ready: false, allocatedResources: { cpu: '1' }, resources });
  expect(main).toMatchObject({ started: false, image: 'busybox' });
  expect(Object.keys(main ?? {})).not.toContain('allocatedResources');
  pod.runTo(20);
  expect(pod.status.containerStatuses?.[0]).toMatchObject({ started: true, allocatedResources: { cpu: '1' }, resources });
});

test('a failed init container fails the pod when nothing is restarted', () => {
  const pod = new SimulatedPod({ restartPolicy: 'Never', initContainers: [{ ...run('exit 1'), name: 'i' }], containers: [run('true')] });
  expect(pod.runTo(5).phase).toBe('Failed');
  expect(pod.containers).toEqual(['i Error 1 0', 'c PodInitializing 0']);
});

test('a pod fails after its deadline', () => {
  const pod = new SimulatedPod({ activeDeadlineSeconds: 5, terminationGracePeriodSeconds: 0, containers: [run('sleep 60')] });
  pod.runTo(4);
  expect(pod.status.phase).toBe('Running');
  expect(pod.runTo(7)).toMatchObject({
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  });
});

test('volumes are mounted when their objects exist', () => {
  const pod = new SimulatedPod({ containers: [run('sleep 60')] });
  pod.mountErrors = ['MountVolume.SetUp failed for volume "v" : secret "s" not found'];
  pod.runTo(8);
  expect(pod.events).toEqual(['0 FailedMount', '0.5 FailedMount', '1.5 FailedMount', '3.5 FailedMount', '7.5 FailedMount']);
  expect(pod.containers).toEqual(['c ContainerCreating 0']);
  pod.mountErrors = [];
  pod.runTo(20);
  expect(pod.containers).toEqual(['c running ready 0']);
});

test('a sandbox needs a runtime handler that its node has', () => {
  const pod = new SimulatedPod({ runtimeClassName: 'gvisor', containers: [run('sleep 60')] });
  pod.runtimeHandler = 'runsc';
  pod.runTo(13);
  expect(pod.events).toEqual(['0 FailedCreatePodSandBox', '12 FailedCreatePodSandBox']);
  const error = 'unable to get OCI runtime for sandbox "id-2": no runtime for "runsc" is configured';
  expect(pod.messages[1]).toBe(`Failed to create pod sandbox: rpc error: code = Unknown desc = ${error}`);
  expect([pod.containers, pod.condition('PodReadyToStartContainers')]).toEqual([['c ContainerCreating 0'], 'False']);
  pod.runtimeHandler = 'runc';
  pod.runTo(30);
  expect(pod.containers).toEqual(['c running ready 0']);
});

test('a sandbox needs the RuntimeClass of its pod', () => {
  const pod = new SimulatedPod({ runtimeClassName: 'missing', containers: [run('sleep 60')] });
  pod.runtimeClassError = 'runtimeclass.node.k8s.io "missing" not found';
  pod.runTo(1);
  expect(pod.messages).toEqual(['Failed to create pod sandbox: runtimeclass.node.k8s.io "missing" not found']);
});

/** Ends all that runs, as a power failure of the node. */
function losePower({ state, nowMs }: SimulatedPod): void {
  state.isSandboxLost = true;
  for (const { run } of state.containers) if (run) run.killed = { atMs: nowMs, code: 255, reason: 'Unknown' };
}

test('after a power failure, init containers run again in another sandbox', () => {
  const pod = new SimulatedPod({ initContainers: [{ ...run('sleep 2'), name: 'i' }], containers: [run('sleep 600')] });
  pod.runTo(10);
  expect([pod.containers, pod.status.podIP]).toEqual([['i Completed 0 ready 0', 'c running ready 0'], '10.244.0.2']);
  pod.events.length = 0;
  losePower(pod);
  pod.wake();
  expect([pod.events, pod.containers, pod.status.podIP]).toEqual([
    ['10 SandboxChanged'],
    ['i Completed 0 ready 0', 'c Unknown 255 0'],
    undefined,
  ]);
  expect(pod.condition('PodReadyToStartContainers')).toBe('False');
  pod.runTo(11);
  expect(pod.containers).toEqual(['i running 1', 'c Unknown 255 0']);
  pod.runTo(20);
  expect([pod.containers, pod.status.podIP]).toEqual([['i Completed 0 ready 1', 'c running ready 1'], '10.244.0.3']);
  expect(pod.messages).toContain('Pod sandbox changed, it will be killed and re-created.');
});

test('after a power failure, a pod whose containers are never restarted has failed', () => {
  const pod = new SimulatedPod({ restartPolicy: 'Never', containers: [run('sleep 600')] });
  pod.runTo(10);
  losePower(pod);
  pod.wake();
  expect([pod.status.phase, pod.events.some((event) => event.includes('SandboxChanged'))]).toEqual(['Failed', false]);
});

test('ephemeral containers do not wait for init containers', () => {
  const pod = new SimulatedPod({ initContainers: [{ ...run('sleep 600'), name: 'i' }], containers: [run('sleep 600')] });
  pod.runTo(5);
  pod.change({}, { ephemeralContainers: [{ ...run('sleep 600'), name: 'debug' }] });
  pod.runTo(10);
  expect(pod.containers).toEqual(['i running 0', 'c PodInitializing 0', 'debug running 0']);
});

test('ephemeral containers run beside the others, and end for good', () => {
  const pod = new SimulatedPod({ containers: [run('sleep 600')] });
  pod.runTo(5);
  pod.change({}, { ephemeralContainers: [{ ...run('sleep 5'), name: 'debug' }] });
  pod.runTo(8);
  const [status] = pod.status.ephemeralContainerStatuses ?? [];
  expect([pod.containers[1], status?.started, status?.resources]).toEqual(['debug running 0', undefined, {}]);
  pod.runTo(20);
  expect([pod.containers, pod.status.phase]).toEqual([['c running ready 0', 'debug Completed 0 0'], 'Running']);
});
