// The objects that the benchmarks write.
const filler = 'x'.repeat(700);

/** About 1 KB with the fields that the server adds. */
export const configMap = (name, changes = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'bench' }, ...changes }, data: { k: filler } });

export const deployment = (name, replicas) =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'nginx', env: [{ name: 'A', value: 'b' }] }] },
      },
    },
  });

/** About 2 KB with the fields that the server adds. */
export const pod = (name) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'bench' }, annotations: { text: 'y'.repeat(300) } },
    spec: {
      serviceAccountName: 'default',
      automountServiceAccountToken: false,
      containers: [
        { name: 'main', image: 'registry.example/nginx:1.29', ports: [{ containerPort: 80 }], resources: { requests: { cpu: '100m' } } },
      ],
    },
  });
