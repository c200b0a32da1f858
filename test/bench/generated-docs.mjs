// Documents with generated examples, whose outputs are those of kubectl and kube-apiserver 1.34.

/** Examples of one document, in the order of a story, for values that differ between documents. */
const story = ({ name, namespace, key, first, second, replicas, image, limit }) => [
  yaml(configMap(name, key, first), `configmap/${name} created`),
  yaml(configMap(name, key, second), `configmap/${name} configured`),
  yaml(configMap(name, key, second), `configmap/${name} unchanged`),
  sh(`kubectl get configmap ${name} -o jsonpath='{.data.${key}}{"\\n"}'`, second),
  session(`kubectl get configmap/${name} -o name`, `configmap/${name}`),
  sh(`kubectl create configmap ${name}`, `error: failed to create configmap: configmaps "${name}" already exists`),
  sh(`kubectl get configmap ${name}-none`, `Error from server (NotFound): configmaps "${name}-none" not found`),
  sh(
    `kubectl patch configmap ${name} --type=json -p '[{"op": "test", "path": "/data/${key}", "value": "${first}"}]'`,
    'The request is invalid: the server rejected our request due to an error in our request',
  ),
  sh(
    `value='${first} and ${second}'\nkubectl create secret generic ${name} --from-literal=${key}="$value"\nkubectl get secret ${name} -o jsonpath='{.data.${key}}' | base64 -d\necho`,
    `secret/${name} created\n${first} and ${second}`,
  ),
  yaml(deployment(name, image, replicas, name), `deployment.apps/${name} created`),
  sh(
    `kubectl get deployment ${name}`,
    `NAME   READY   UP-TO-DATE   AVAILABLE   AGE\n${name}   0/${replicas}     0            0           2s`,
  ),
  sh(`kubectl scale deployment ${name} --replicas=${replicas + 2}`, `deployment.apps/${name} scaled`),
  sh(`kubectl set image deployment/${name} web=${image}:2`, `deployment.apps/${name} image updated`),
  sh(
    `kubectl get deployment ${name} -o custom-columns='NAME:.metadata.name,IMAGE:.spec.template.spec.containers[*].image,REPLICAS:.spec.replicas'`,
    `NAME   IMAGE   REPLICAS\n${name}   ${image}:2   ${replicas + 2}`,
    `expect="jsonpath:deployment/${name} {.spec.replicas} ${replicas + 2}"`,
  ),
  yaml(
    deployment(`${name}-other`, image, replicas, 'different'),
    `The Deployment "${name}-other" is invalid: spec.template.metadata.labels: Invalid value: {"app":"different"}: \`selector\` does not match template \`labels\``,
  ),
  json(
    { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { clusterIP: 'None', ports: [{ port: limit }] } },
    `service/${name} created`,
  ),
  sh(
    `kubectl get service ${name}`,
    `NAME   TYPE   CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE\n${name}   ClusterIP   None   <none>   ${limit}/TCP   0s`,
  ),
  sh(
    `kubectl create namespace ${namespace}\nkubectl create quota limit -n ${namespace} --hard=count/configmaps=${replicas}`,
    `namespace/${namespace} created\nresourcequota/limit created`,
  ),
  sh(
    `for step in $(seq 1 ${replicas}); do kubectl create configmap step-$step -n ${namespace} --dry-run=client -o name; done`,
    Array.from({ length: replicas }, (_, at) => `configmap/step-${at + 1}`).join('\n'),
  ),
  yaml(statefulSet(name, image), `statefulset.apps/${name} created`),
  sh(`kubectl describe statefulset ${name} | grep StorageClass:`, '  StorageClass:  fast'),
  sh(`kubectl label deployment ${name} tier=${key} --overwrite`, `deployment.apps/${name} labeled`),
  sh(`kubectl get deployments -l tier=${key} -o name | sort | wc -l`, '1'),
  sh(`kubectl auth can-i create pods -n ${namespace} --as=jane`, 'no'),
  sh(
    `kubectl delete configmap/${name} deployment/${name} --wait=false`,
    `configmap "${name}" deleted from default namespace\ndeployment.apps "${name}" deleted from default namespace`,
  ),
];

const fence = (words, code, output) => `\`\`\`${words}\n${code}\n\`\`\`\n\`\`\`text output\n${output}\n\`\`\`\n`;
const yaml = (code, output) => fence('yaml tabplane', code, output);
const json = (object, output) => fence('json tabplane', JSON.stringify(object, null, 2), output);
const sh = (code, output, attributes = '') => fence(`sh tabplane ${attributes}`.trim(), code, output);
const session = (command, output) => `\`\`\`console tabplane\n$ ${command}\n${output}\n\`\`\`\n`;

const configMap = (name, key, value) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  ${key}: ${value}`;

const deployment = (name, image, replicas, label) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${replicas}
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${label}}
    spec:
      containers:
      - {name: web, image: "${image}:1"}`;

const statefulSet = (name, image) => `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: ${name}
spec:
  serviceName: ${name}
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
      - {name: data, image: "${image}:1"}
  volumeClaimTemplates:
  - metadata:
      name: data
      annotations: {volume.beta.kubernetes.io/storage-class: fast}
    spec:
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 1Gi}}`;

const words = ['amber', 'basalt', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath', 'inlet', 'jade', 'krill', 'larch'];
const images = ['nginx', 'redis', 'registry.example/web', 'httpd'];

/** Documents of 25 examples each. */
export function generatedDocuments(count) {
  return Array.from({ length: count }, (_, at) => {
    const word = (offset) => words[(at + offset) % words.length];
    const name = `${word(0)}${at}`;
    const values = { name, namespace: `space-${at}`, key: word(1), first: word(2 + (at % 3)), second: word(6 + (at % 5)) };
    const numbers = { replicas: 1 + (at % 7), limit: 8_000 + at, image: images[at % images.length] };
    return `# ${name}\n\n${story({ ...values, ...numbers }).join('\n')}`;
  });
}
