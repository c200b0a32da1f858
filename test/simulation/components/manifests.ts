import type { PartialObject } from '../../../src/client/index.ts';
import type { appsv1, batchv1, corev1 } from '../../../src/schema/api/index.ts';
import type { Environment } from '../environment.ts';

/** The label by which workloads select their pods. */
export const appLabel = 'app';

type Template = PartialObject<corev1.PodTemplateSpec>;

/** A pod that runs until it is stopped, or a command. */
export function templateOf(app: string, version: number, command?: string): Template {
  const run = command === undefined ? {} : { command: ['sh', '-c', command] };
  return {
    metadata: { labels: { [appLabel]: app } },
    spec: {
      terminationGracePeriodSeconds: 2,
      containers: [
        {
          name: 'main',
          image: command === undefined ? 'pause' : 'busybox',
          env: [{ name: 'VERSION', value: `${version}` }],
          resources: { requests: { cpu: '100m' } },
          ...run,
        },
      ],
    },
  };
}

export function deploymentOf(name: string, { pick, random, once }: Environment): PartialObject<appsv1.Deployment> {
  const [maxSurge, maxUnavailable] = pick<readonly [number | string, number | string]>([
    [1, 0],
    [0, 1],
    [1, 1],
    [2, 0],
    ['25%', '25%'],
    ['50%', 0],
    [0, '40%'],
  ]);
  return {
    metadata: { name, namespace: 'default' },
    spec: {
      replicas: 1 + random.integer(4),
      selector: { matchLabels: { [appLabel]: name } },
      minReadySeconds: pick([0, 0, 2]),
      revisionHistoryLimit: pick([1, 2, 10]),
      strategy: once(6) ? { type: 'Recreate' } : { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
      template: templateOf(name, 1),
    },
  };
}

export function statefulSetOf(name: string, { pick, random, once }: Environment): PartialObject<appsv1.StatefulSet> {
  return {
    metadata: { name, namespace: 'default' },
    spec: {
      replicas: 1 + random.integer(3),
      selector: { matchLabels: { [appLabel]: name } },
      serviceName: name,
      podManagementPolicy: pick(['OrderedReady', 'OrderedReady', 'Parallel']),
      updateStrategy: once(4) ? { type: 'OnDelete' } : { type: 'RollingUpdate', rollingUpdate: { partition: pick([0, 0, 1]) } },
      template: templateOf(name, 1),
    },
  };
}

export function daemonSetOf(name: string, { pick }: Environment): PartialObject<appsv1.DaemonSet> {
  return {
    metadata: { name, namespace: 'default' },
    spec: {
      selector: { matchLabels: { [appLabel]: name } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: pick([{ maxUnavailable: 1 }, { maxSurge: 1, maxUnavailable: 0 }]) },
      template: templateOf(name, 1),
    },
  };
}

export function jobOf(name: string, { pick, random, once }: Environment): PartialObject<batchv1.Job> {
  const completions = 1 + random.integer(4);
  const fails = once(4);
  const template = templateOf(name, 1, `sleep ${random.integer(6)}${fails ? '; exit 3' : ''}`);
  return {
    metadata: { name, namespace: 'default' },
    spec: {
      completions,
      parallelism: 1 + random.integer(completions),
      completionMode: pick(['Indexed', 'NonIndexed']),
      suspend: once(6),
      backoffLimit: fails ? random.integer(3) : 10,
      ...(once(4) ? { ttlSecondsAfterFinished: random.integer(20) } : {}),
      template: { ...template, spec: { ...template.spec, restartPolicy: fails ? 'Never' : pick(['Never', 'OnFailure']) } },
    },
  };
}
