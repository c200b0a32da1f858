/**
 * node test/conformance/compare/generate-commands.mjs --kubectl KUBECTL [--seed 1] [--count 50] [--only PATTERN] DIR
 *
 * Writes sessions of kubectl with random flags: those that the help of the given kubectl lists for a command. Record them with it against
 * this project's server, and replay them with the console's shell (test/sessions/recorded/README.md).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from './mutate.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubectl: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
  },
});
const [folder] = positionals;
if (folder === undefined || options.kubectl === undefined) {
  throw new Error('usage: generate-commands.mjs --kubectl KUBECTL [--seed N] [--count N] [--only PATTERN] DIR');
}

const commandsOfSession = 25;
const random = createRandom(Number(options.seed));
const one = (list) => list[random(list.length)];

/** Files and objects of every session. */
const fixture = `$ cat > web.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, tier: front}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: nginx, ports: [{name: http, containerPort: 80}], env: [{name: A, value: b}]}, {name: d, image: busybox}]}
---
apiVersion: v1
kind: Service
metadata: {name: web, labels: {app: web}}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: http}]}
EOF
$ cat > pod.json <<'EOF'
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"nginx"},{"name":"d","image":"busybox","command":["sleep","1"]}]}}
EOF
$ cat > more.yaml <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, annotations: {note: x}}
data: {a: b}
---
apiVersion: v1
kind: Secret
metadata: {name: sec}
stringData: {a: b}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: nginx}]}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cron}
spec: {schedule: '0 0 1 1 *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: User, name: alice, apiGroup: rbac.authorization.k8s.io}]
EOF
$ printf 'A=b\\nC=d\\n' > vars.env
$ printf 'text' > file.txt
$ kubectl apply -f web.yaml -f pod.json -f more.yaml
`;

const objects = [
  'deployment/web',
  'deploy web',
  'pod/p',
  'po p',
  'svc/web',
  'service web',
  'cm/cm',
  'secret sec',
  'sts/db',
  'statefulsets.apps db',
  'cronjob/cron',
  'role/reader',
  'rolebinding readers',
  'pods',
  'deploy,svc',
  'all',
  'pod/absent',
  'deployment/web pod/p',
  'absent x',
  'deploy/web sts/db',
  '',
  'web',
  'pod p absent',
];
const object = () => one(objects);
const workload = () =>
  one(['deployment/web', 'deploy web', 'sts/db', 'cronjob/cron', 'pod/p', 'cm/cm', 'deploy/web sts/db', 'deploy', 'deploy/absent', '']);
const pod = () => one(['p', 'pod/p', 'deploy/web', 'svc/web', 'absent', 'sts/db', '', 'p -c c']);
const name = () => one(['x', 'x', 'x', 'web', 'X_y', '', 'x y', 'a.b', 'a:b']);
const program = () => one(['', '', '-- date', '-- sh -c "echo a b"', 'date']);
const words = (...lists) => lists.map((list) => one(list)).join(' ');
/** Flags that a command requires, so that most commands get beyond that error. */
const often = (...flags) => (random(5) > 0 ? one(flags) : '');

/** Commands by the words that select them, with their arguments. */
const commands = {
  'create deployment': () => `${name()} ${often('--image=nginx')} ${program()}`,
  'create job': () => `${name()} ${often('--image=nginx', '--from=cronjob/cron')} ${program()}`,
  'create cronjob': () => `${name()} ${often("--image=nginx --schedule='* * * * *'")} ${program()}`,
  'create configmap': name,
  'create secret generic': name,
  'create secret docker-registry': () => `${name()} ${often('--docker-username=u --docker-password=p')}`,
  'create secret tls': name,
  'create service clusterip': () => `${name()} ${often('--tcp=80:8080')}`,
  'create service nodeport': () => `${name()} ${often('--tcp=80:8080')}`,
  'create service loadbalancer': () => `${name()} ${often('--tcp=80:8080')}`,
  'create service externalname': () => `${name()} ${often('--external-name=example.com')}`,
  'create ingress': () => `${name()} ${often('--rule=a.b/c=d:80')}`,
  'create namespace': () => one(['', 'a b', 'X']),
  'create quota': name,
  'create role': () => `${name()} ${often('--verb=get --resource=pods')}`,
  'create clusterrole': () => `${name()} ${often('--verb=get --resource=pods', '--verb=get --non-resource-url=/healthz')}`,
  'create rolebinding': () => `${name()} ${often('--clusterrole=view', '--role=reader')}`,
  'create clusterrolebinding': () => `${name()} ${often('--clusterrole=view')}`,
  'create serviceaccount': name,
  'create priorityclass': name,
  'create poddisruptionbudget': () => `${name()} ${often('--selector=app=web --min-available=1')}`,
  'create token': () => one(['default', 'absent', '']),
  create: () => often('-f web.yaml', '-f more.yaml --dry-run=client', '-f pod.json --dry-run=server'),
  run: () => `${name()} ${often('--image=nginx')} ${program()}`,
  expose: () => `${object()} ${often('--port=80', '--name=n')}`,
  get: object,
  describe: object,
  delete: object,
  label: () => `${object()} ${one(['a=b', 'app-', 'app=web', 'a', 'a=b c=d', 'a=b a-', ''])}`,
  annotate: () => `${object()} ${one(['a=b', 'note-', 'note=x', 'a', "a='b c'", ''])}`,
  patch: () => `${object()} ${often(`-p '{"metadata":{"labels":{"a":"b"}}}'`)}`,
  replace: () => often('-f web.yaml', '-f pod.json'),
  apply: () => often('-f web.yaml', '-f more.yaml', '-f pod.json'),
  diff: () => often('-f web.yaml', '-f more.yaml', '-f pod.json'),
  'apply view-last-applied': object,
  'apply set-last-applied': () => often('-f web.yaml', '-f more.yaml'),
  scale: () => `${workload()} ${often('--replicas=3')}`,
  autoscale: () => `${workload()} ${often('--max=3')}`,
  'set image': () => `${workload()} ${one(['c=httpd', '*=httpd', 'x=y', 'c=httpd d=x', 'c', ''])}`,
  'set env': () => `${workload()} ${one(['A=c', 'A-', 'B=x C=y', '', 'x'])}`,
  'set resources': () => `${workload()} ${often('--limits=cpu=1')}`,
  'set serviceaccount': () => `${workload()} ${one(['default', 'x', ''])}`,
  'set selector': () => `${one(['svc/web', 'svc web', 'deploy/web', 'pod/p'])} ${one(['a=b', 'app=web,c=d', 'a', ''])}`,
  'set subject': () => `${often('--user=bob')} ${one(['rolebinding/readers', 'rolebinding readers', 'role/reader', 'deploy/web', ''])}`,
  'rollout status': () => `${workload()} --timeout=1s`,
  'rollout history': workload,
  'rollout restart': workload,
  'rollout pause': workload,
  'rollout resume': workload,
  'rollout undo': workload,
  wait: () => `${object()} --timeout=1s ${often('--for=create', '--for=condition=Available')}`,
  events: () => '',
  'auth can-i': () =>
    words(['get', 'create', 'list', '*', 'use', ''], ['pods', 'pods/p', 'deployments.apps', 'secrets/sec', 'x', '/healthz', '']),
  'auth reconcile': () => one(['-f more.yaml', '-f web.yaml', '']),
  'auth whoami': () => one(['', 'x']),
  'api-resources': () => one(['', '', 'x']),
  'api-versions': () => one(['', 'x']),
  version: () => one(['', 'x']),
  'cluster-info': () => one(['', 'x']),
  'certificate approve': () => one(['x', '', 'csr/x']),
  'certificate deny': () => one(['x', '']),
  cordon: () => one(['x', '']),
  uncordon: () => one(['x', '']),
  drain: () => `${one(['x', ''])} --timeout=1s`,
  taint: () => `${one(['node', 'nodes', 'pod', ''])} ${one(['x', ''])} ${one(['a=b:NoSchedule', 'a-', 'a=b', ''])}`,
  top: () => one(['pod', 'node', 'pod p', 'x', '']),
  logs: () => `${pod()} --pod-running-timeout=1s`,
  exec: () => `${pod()} --pod-running-timeout=1s ${one(['-- date', 'date', '--', ''])}`,
  attach: () => `${pod()} --pod-running-timeout=1s`,
  'port-forward': () => `${pod()} --pod-running-timeout=1s ${one(['8080:80', ':http', 'x', '80', ''])}`,
  cp: () => words(['p:/a', 'file.txt', 'absent.txt', 'a:b:c', ''], ['p:/b', 'absent:/a', './b', 'x/p:/a', '']),
  debug: () => `${one(['p', 'pod/p', 'node/x', 'absent', ''])} --attach=false ${often('--image=busybox')}`,
  kustomize: () => one(['.', 'absent', '']),
  'config view': () => '',
  'config get-contexts': () => one(['', 'admin', 'absent']),
  'config set-context': () => one(['', 'x', 'x y']),
};

/** These wait for input, changes or connections, or read other files than those of the session. */
const excluded =
  /^(help|watch|watch-only|follow|stdin|tty|attach|rm|interactive|kubeconfig|cache-dir|profile.*|log-.*|timeout|pod-running-timeout|edit|kuberc|windows-line-endings|test|leave-stdin-open|server|tls-server-name|certificate-authority|client-.*|v|vmodule|password|username|insecure-skip-tls-verify|enable-.*|mem-limit|network|env|as-current-user|load-restrictor|request-timeout|match-server-version|as-uid|as-group|allow-missing-template-keys)$/;

/** Values of flags by their name. */
const valuesOf = {
  output: [
    'yaml',
    'json',
    'name',
    'wide',
    "jsonpath='{.metadata.name}'",
    "go-template='{{.kind}}'",
    'custom-columns=A:.kind',
    'x',
    "jsonpath-as-json='{.metadata}'",
    'jsonpath',
    "jsonpath='{.items[*].kind}'",
    'custom-columns=A',
  ],
  template: ["'{{.kind}}'", "'{.kind}'", "'{{'"],
  'dry-run': ['client', 'server', 'none', 'x', 'client', 'server'],
  validate: ['strict', 'warn', 'ignore', 'x', 'true', 'false'],
  filename: ['web.yaml', 'pod.json', 'more.yaml', 'absent.yaml', '.', 'file.txt', "'*.json'"],
  kustomize: ['.', 'absent'],
  selector: ['app=web', 'app', "'app in (web)'", "'!app'", 'a=b=c', "'='"],
  'field-selector': ['metadata.name=p', 'metadata.name!=p', 'x=y', 'x', 'status.phase=Pending'],
  image: ['nginx', 'nginx:1', "'a b'", 'a/b@c'],
  port: ['80', '0', '70000', 'x', '80:8080'],
  tcp: ['80', '80:8080', '80:http', 'x', '80,443', ':'],
  'node-port': ['30080', '1', 'x'],
  'target-port': ['8080', 'http', 'x y'],
  protocol: ['UDP', 'TCP', 'x', 'tcp,udp'],
  type: ['NodePort', 'LoadBalancer', 'merge', 'json', 'strategic', 'x', 'Opaque', 'ClusterIP', 'ExternalName'],
  clusterip: ['None', '10.96.0.77', 'x'],
  'cluster-ip': ['None', '10.96.0.77', 'x'],
  'external-name': ['example.com', 'x y'],
  'external-ip': ['1.2.3.4', 'x'],
  'load-balancer-ip': ['1.2.3.4', 'x'],
  'session-affinity': ['ClientIP', 'None', 'x'],
  'from-literal': ['a=b', 'a', "'a=b c'", '=b', 'a=b=c'],
  'from-file': ['file.txt', 'k=file.txt', 'absent', '.', 'a/b=file.txt'],
  'from-env-file': ['vars.env', 'absent', 'web.yaml'],
  cert: ['absent', 'file.txt'],
  key: ['absent', 'file.txt'],
  'docker-server': ['example.com'],
  from: ['cronjob/cron', 'deploy/web', 'cronjob/absent', 'x', 'configmap/cm', 'secret/sec', 'cm'],
  schedule: ["'* * * * *'", 'x', "'@daily'"],
  restart: ['Never', 'OnFailure', 'Always', 'x'],
  rule: ['a.b/*=c:80', "'a.b/c=d:e,tls=f'", 'x', "'/=a:80'", 'a.b/c*=d:http,tls'],
  'default-backend': ['a:80', 'a', 'a:b'],
  class: ['x', ''],
  annotation: ['a=b', 'a', 'a=b,c=d'],
  annotations: ['a=b', 'a', 'a=b,c=d'],
  labels: ['a=b', 'a', 'a=b,c=d', 'a=b c=d'],
  hard: ['cpu=1,pods=2', 'x', 'cpu=x', 'services=1'],
  scopes: ['BestEffort', 'x', 'NotTerminating,BestEffort'],
  verb: ['get', 'get,list', "'*'", 'x', 'get,get'],
  resource: ['pods', 'pods,deployments.apps', 'pods/log', 'x', "'*'", 'deployments.x', 'pods.v1.'],
  'resource-name': ['a', 'a,b'],
  'non-resource-url': ['/healthz', "'*'", 'x', "'/a*'", "'/a*b'"],
  'aggregation-rule': ['a=b', 'a'],
  clusterrole: ['view', 'x'],
  role: ['reader', 'x'],
  user: ['alice', 'alice,bob', 'bob'],
  group: ['g', 'g,h', 'system:masters'],
  serviceaccount: ['default:x', 'x', 'a:b:c', 'learn:default'],
  value: ['1', '-1', 'x', '1000000001', '10000000000'],
  description: ['x', "'a b'"],
  'preemption-policy': ['Never', 'x', 'PreemptLowerPriority'],
  'min-available': ['1', '50%', 'x', '-1', '0'],
  'max-unavailable': ['1', '50%', 'x', '-1%'],
  duration: ['10m', '1s', '-1s', '1h', 'x'],
  audience: ['a', 'a,b'],
  'bound-object-kind': ['Pod', 'Secret', 'Node', 'x'],
  'bound-object-name': ['p', 'sec', 'absent'],
  'bound-object-uid': ['x'],
  overrides: [
    `'{"spec":{"replicas":3}}'`,
    `'{"apiVersion":"v1","spec":{"hostNetwork":true}}'`,
    'x',
    `'{"kind":"Job"}'`,
    `'[{"op":"add","path":"/metadata/labels/a","value":"b"}]'`,
  ],
  'override-type': ['merge', 'json', 'strategic', 'x'],
  'image-pull-policy': ['Always', 'Never', 'x'],
  limits: ['cpu=1', 'cpu=1,memory=1Gi', 'x', 'cpu=x', 'cpu=0'],
  requests: ['cpu=1', 'memory=64Mi', 'x', 'cpu=2'],
  cpu: ['50', '50%', '500m', 'x', '0'],
  memory: ['50%', '1Gi', 'x'],
  'cpu-percent': ['50', '-1', 'x'],
  'current-replicas': ['2', '1', 'x'],
  replicas: ['3', '0', '-1', 'x', '2'],
  min: ['1', '0', '5', 'x'],
  max: ['3', '0', 'x', '1'],
  revision: ['1', '2', '-1', 'x'],
  'to-revision': ['1', '5', '-1', 'x'],
  patch: [
    `'{"metadata":{"labels":{"a":"b"}}}'`,
    `'[{"op":"remove","path":"/metadata/labels/app"}]'`,
    "'metadata: {labels: {c: d}}'",
    'x',
    `'{"spec":{"replicas":3}}'`,
    `'{"x":1}'`,
    `'{}'`,
  ],
  'patch-file': ['file.txt', 'absent', 'pod.json'],
  subresource: ['status', 'scale', 'x', 'resize'],
  // Without a garbage collector, objects of other policies remain.
  cascade: ['background', 'background', 'x', 'true'],
  'grace-period': ['0', '1', '-1', 'x'],
  raw: ['/api/v1/namespaces/default', '/healthz', '/x', 'x', '/version'],
  'sort-by': ['.metadata.name', "'{.metadata.creationTimestamp}'", '.x', "'{'", 'name', 'namespace', 'kind'],
  'label-columns': ['app', 'app,tier'],
  'chunk-size': ['1', '0', '-1', 'x'],
  for: [
    'condition=Available',
    'delete',
    'create',
    "jsonpath='{.kind}'=Pod",
    "jsonpath='{.metadata.name}'",
    'condition=x=y',
    'x',
    'pod/p',
    'deploy/web',
    'condition=',
  ],
  types: ['Normal', 'Warning', 'x', 'Normal,Warning'],
  'prune-allowlist': ['core/v1/ConfigMap', 'x', 'apps/v1/Deployment'],
  applyset: ['configmap/set', 'secret/set', 'set', 'x/y'],
  containers: ['c', "'*'", 'x', 'c*'],
  container: ['c', 'x', 'd'],
  prefix: ['P_', ''],
  keys: ['a', 'x'],
  'api-group': ['apps', 'x', "''", 'batch'],
  categories: ['all', 'x'],
  namespaced: ['true', 'false', 'x'],
  verbs: ['list', 'list,get', 'x'],
  profile: ['general', 'sysadmin', 'legacy', 'baseline', 'netadmin', 'restricted', 'auto', 'x'],
  'copy-to': ['q', 'X', 'p'],
  'set-image': ["'*=x'", 'c=x', 'x'],
  target: ['c', 'x'],
  custom: ['absent', 'file.txt'],
  address: ['localhost', '127.0.0.1', 'x'],
  tail: ['1', '-1', 'x', '0'],
  since: ['1s', 'x', '0'],
  'since-time': ['2024-01-01T00:00:00Z', 'x'],
  'limit-bytes': ['1', '-1', 'x'],
  'max-log-requests': ['1', '0', 'x'],
  'pod-selector': ['app=web', "'='"],
  as: ['alice', 'system:serviceaccount:x:y'],
  context: ['alice', 'absent'],
  cluster: ['kubernetes', 'absent'],
  namespace: ['default', 'absent', 'X', "''"],
  token: ['alice-token', 'x'],
  'field-manager': ['me', "''", "'a b'"],
  name: ['n', 'X'],
  'append-hash': ['true'],
  concurrency: ['1', 'x'],
  'group-version': ['apps/v1'],
};

/** Values of other flags by the type that their default shows. */
function valuesByDefault(shown) {
  if (shown === 'true' || shown === 'false') return ['', '', 'true', 'true', 'false', 'x'];
  if (/^-?\d+$/.test(shown)) return ['1', '-1', '0', 'x'];
  if (/^\d+(ms|s|m|h)/.test(shown)) return ['1s', '5', 'x', '-1s'];
  if (shown === '[]') return ['a', 'a=b', 'a=b,c=d', 'a,b'];
  return ['x', 'a=b', "''"];
}

/** The flags of a command from its help, with their defaults: lines such as `    -o, --output='':`. */
function readFlags(args) {
  const help = execFileSync(options.kubectl, args, { encoding: 'utf8' });
  return [...help.matchAll(/^ {4}(?:(-\w), )?--([a-z-]+)=(.*):$/gm)]
    .map(([, short, flag, shown]) => ({ short, flag, values: valuesOf[flag] ?? valuesByDefault(shown.replaceAll("'", '')) }))
    .filter(({ flag }) => !excluded.test(flag));
}

function flagText({ short, flag, values }) {
  const value = one(values);
  // A boolean flag without a value.
  if (values.includes('true') && value === '') return `--${flag}`;
  if (short !== undefined && random(3) === 0 && !values.includes('true')) return `${short} ${value}`;
  return `--${flag}=${value}`;
}

const globalFlags = readFlags(['options']);
const names = Object.keys(commands).filter((command) => command.includes(options.only));
const flagsOf = new Map(names.map((command) => [command, readFlags([...command.split(' '), '--help'])]));

function randomCommand() {
  const command = one(names);
  const flags = flagsOf.get(command);
  const chosen = [];
  for (let count = random(4) + (flags.length > 3 ? 1 : 0); count > 0 && flags.length > 0; count--) chosen.push(flagText(one(flags)));
  if (random(12) === 0) chosen.push(flagText(one(globalFlags)));
  const args = commands[command]();
  // After a double dash, flags are arguments of the program.
  const [before, after] = args.includes('--') ? splitAtDashes(args) : [args, ''];
  return ['kubectl', command, before, ...chosen, after]
    .filter((word) => word !== '')
    .join(' ')
    .trimEnd();
}

function splitAtDashes(args) {
  const at = args.search(/(^|\s)--(\s|$)/);
  return at < 0 ? [args, ''] : [args.slice(0, at).trim(), args.slice(at).trim()];
}

mkdirSync(folder, { recursive: true });
for (let at = 0; at < Number(options.count); at++) {
  let text = `# random flags, seed ${options.seed}\n${fixture}`;
  for (let count = 0; count < commandsOfSession; count++) text += `$ ${randomCommand()}\n`;
  writeFileSync(join(folder, `${String(at).padStart(4, '0')}.txt`), text);
}
