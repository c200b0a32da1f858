/**
 * node test/conformance/compare/generate-sessions.mjs [--seed 1] [--count 50] [--only PATTERN] DIR
 *
 * Writes sessions of kubectl with objects of the recorded scenarios, to which fields of their types are added, the status included. Record
 * them with the real kubectl against this project's server, and replay them with the console's shell (test/sessions/recorded/README.md).
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { createRandom, pathsIn } from './mutate.mjs';
import { addFields, readTypes } from './schema-fields.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: generate-sessions.mjs [--seed N] [--count N] [--only PATTERN] DIR');

const random = createRandom(Number(options.seed));
const one = (list) => list[random(list.length)];

/** The bodies that the recorded scenarios create, by kind. */
function recordedObjects() {
  const scenarios = fileURLToPath(new URL('../scenarios', import.meta.url));
  const found = new Map();
  for (const file of readdirSync(scenarios, { recursive: true }).sort()) {
    if (!file.endsWith('.json')) continue;
    const { server = {}, steps = [] } = JSON.parse(readFileSync(join(scenarios, file), 'utf8').replaceAll('{run}', 'r1'));
    if (Object.keys(server).length > 0) continue;
    for (const { json: body } of steps.filter(isCreation).map((step) => step.do)) {
      if (!canBeInSession(body)) continue;
      const kind = `${body.apiVersion} ${body.kind}`;
      const { namespace: _, ...metadata } = body.metadata;
      found.set(kind, [...(found.get(kind) ?? []), { ...body, metadata }]);
    }
  }
  return [...found].sort();
}

const isCreation = ({ do: sent, expect }) =>
  sent?.method === 'POST' && expect?.status === 201 && !/\/\w+\/[^/]+\/(binding|eviction|token)/.test(sent.path);

function canBeInSession(body) {
  const { apiVersion, kind, metadata } = body ?? {};
  if (!kind || !apiVersion || !metadata?.name) return false;
  const name = `${apiVersion} ${kind}`;
  if (/Review|TokenRequest|Namespace$|PriorityLevel|FlowSchema/.test(name) || !name.includes(options.only)) return false;
  // A kind of a CustomResourceDefinition is not served in a session.
  if (types.typeOf(body) === undefined) return false;
  return !metadata.namespace || metadata.namespace === '{ns}';
}

const file = (name, object) => `$ cat > ${name} <<'EOF'\n${JSON.stringify(object)}\nEOF\n`;

function expressionOf(object) {
  const path = one(pathsIn(object));
  return path
    .map((key) => (typeof key === 'number' ? `[${one([key, '*', '0', '-1', '0:2', '5'])}]` : /^\w+$/.test(key) ? `.${key}` : `['${key}']`))
    .join('');
}

function outputsOf(object) {
  const expression = expressionOf(object);
  return one([
    '-o wide',
    '-o yaml',
    '-o json',
    '-o name',
    '--show-labels',
    '-o wide --show-labels --no-headers',
    '--show-kind -o wide',
    '-L app,tier',
    `-o jsonpath='{${expression}}'`,
    `-o jsonpath='{range .items[*]}{${expression}}{"\\n"}{end}'`,
    `-o jsonpath-as-json='{${expression}}'`,
    `-o custom-columns='A:${expression},B:.metadata.name'`,
    `-o go-template='{{${expression.replace(/\[[^\]]*\]/g, '')}}}'`,
    `-o go-template='{{range $k, $v := .metadata}}{{$k}}={{$v}} {{end}}'`,
    `--sort-by='{${expression}}'`,
    `-o yaml --show-managed-fields`,
  ]);
}

/** No pod runs without a node, and the default is a minute. */
const running = '--pod-running-timeout=1s';

const selectors = ['app=web', '!app', 'app in (web,x)', 'app notin (web)', 'a/b', 'app>1', 'app=', 'tier'];

const readFlags = [
  '-A',
  '--chunk-size=1',
  '--ignore-not-found',
  '--server-print=false',
  '--server-print=false --show-labels',
  '--subresource=status',
  '--no-headers',
  '--show-kind',
  '-n absent',
  '--field-selector metadata.namespace=default',
  '--template={{.kind}}',
];

const changesOfFiles = [
  'label a=b',
  'label a-',
  'annotate a=b --overwrite',
  'scale --replicas=2',
  'autoscale --max=3',
  'rollout restart',
  'set image c=nginx',
  'set env A=b',
  'set resources --limits=cpu=1',
  'set serviceaccount default',
  'expose --port=80',
  'apply',
  'create',
  'replace',
  'auth reconcile',
];

const changesOfWorkloads = [
  'set image c=nginx',
  "set image '*=nginx'",
  'set env A=b',
  'set env --list',
  'set env --all --overwrite=false A=c',
  'set resources --limits=cpu=1,memory=1Gi --requests=cpu=1',
  'set resources --limits=x=y',
  'set serviceaccount default',
  'scale --replicas=1 --current-replicas=2',
  'autoscale --min=1 --max=3 --cpu=50%',
  'rollout undo --to-revision=3',
  'rollout history --revision=2',
];

function patchOf(object, path) {
  const value = path.reduce((found, key) => found?.[key], object);
  return JSON.stringify(path.reduceRight((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value ?? null)).replaceAll(
    "'",
    '',
  );
}

/** Commands about an object in a file. */
function commandsOf(object, types) {
  const resource =
    `${object.kind.toLowerCase()}${one(['', '', `.${object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : ''}`])}`.replace(
      /\.$/,
      '',
    );
  const name = object.metadata.name;
  const changed = structuredClone(object);
  addFields(changed, types, random);
  if (random(8) > 0) changed.metadata = { ...changed.metadata, name, namespace: undefined };
  const path = one(pathsIn(object).filter(([first]) => first !== 'kind' && first !== 'apiVersion'));
  const pointer = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return one([
    () => `$ kubectl describe ${resource} ${name}\n$ kubectl describe ${resource} -l '${one(selectors)}'\n`,
    () => `$ kubectl describe ${resource}/${name} --show-events=false\n`,
    () =>
      `${file('changed.json', changed)}$ kubectl diff -f changed.json\n$ kubectl apply -f changed.json\n$ kubectl describe -f changed.json\n`,
    () => `${file('changed.json', changed)}$ kubectl apply -f changed.json --dry-run=server -o yaml\n$ kubectl replace -f changed.json\n`,
    () =>
      `${file('changed.json', changed)}$ kubectl apply --server-side -f changed.json\n$ kubectl apply --server-side --force-conflicts -f changed.json -o yaml\n`,
    () =>
      `${file('changed.json', changed)}$ kubectl create -f changed.json --dry-run=client -o yaml\n$ kubectl apply view-last-applied -f changed.json\n`,
    () => `${file('changed.json', changed)}$ kubectl create -f changed.json --validate=${one(['strict', 'warn', 'ignore', 'x'])}\n`,
    () => `${file('changed.json', changed)}$ kubectl replace -f changed.json --force --timeout=1s\n$ kubectl get -f changed.json -o yaml\n`,
    () =>
      `$ kubectl patch ${resource} ${name} --type=json -p '[{"op":"${one(['remove', 'test', 'add', 'replace'])}","path":"${pointer}","value":${one(['1', '"x"', '{}', 'null'])}}]'\n`,
    () =>
      `$ kubectl label ${resource} ${name} ${one(['app=y', 'app-', 'tier=z --overwrite', 'a_b=1 c', 'x=y --list', '--list', 'x-y=', 'a/b/c=d', 'app=y app-'])}\n`,
    () =>
      `$ kubectl annotate ${resource} ${name} ${one(['app=y', 'app-', 'note="a b" --overwrite', '--list', 'x=y --dry-run=client -o yaml', 'a b'])}\n`,
    () => `$ kubectl get ${resource} -l '${one(selectors)}' ${outputsOf(object)}\n`,
    () =>
      `$ kubectl get ${resource} --field-selector ${one(['metadata.name=', 'metadata.name!=', 'x=', 'spec.nodeName=', 'status.phase!='])}${name}\n`,
    () => `$ kubectl get ${resource},cm ${outputsOf(object)}\n`,
    () => `$ kubectl get ${resource}/${name} cm/x sa/default ${outputsOf(object)}\n`,
    () => `$ kubectl explain ${resource}.${path.filter((key) => typeof key === 'string').join('.')} | head -4\n`,
    () => `$ kubectl delete ${resource} ${name} --dry-run=${one(['client', 'server'])} -o ${one(['name', 'yaml', 'json'])}\n`,
    () =>
      `$ kubectl set ${one(['image', 'env', 'resources', 'serviceaccount', 'selector', 'subject'])} ${resource}/${name} ${one(["'*=x'", 'A=b', '--limits=cpu=1', 'x', 'app=web', '--user=a', 'A-', '--list'])} --dry-run=${one(['client', 'server'])} -o yaml\n`,
    () =>
      `$ kubectl scale ${resource}/${name} --replicas=${one(['0', '3', '-1'])}${one(['', ' --current-replicas=1', ' --dry-run=server'])}\n`,
    () =>
      `$ kubectl rollout ${one(['status --timeout=1s', 'status --watch=false', 'history', 'history --revision=1', 'pause', 'resume', 'restart', 'restart --timeout=1s', 'undo'])} ${resource}/${name}\n`,
    () => `$ kubectl expose ${resource} ${name} --port=80 --name=exposed --dry-run=client -o yaml\n`,
    () => `$ kubectl autoscale ${resource} ${name} --max=3 --dry-run=client -o yaml\n`,
    () =>
      `$ kubectl wait ${resource}/${name} --for=${one(['condition=Ready', 'condition=x=false', "jsonpath='{.metadata.name}'", "jsonpath='{.spec}'", 'create', 'delete'])} --timeout=${one(['0s', '1s'])}\n`,
    () =>
      `$ kubectl logs ${resource}/${name} ${running}\n$ kubectl exec ${resource}/${name} ${running} -- ls\n$ kubectl port-forward ${resource}/${name} 8080:absent ${running}\n`,
    () =>
      `$ kubectl auth can-i ${one(['get', 'create', 'x', "'*'"])} ${resource}${one(['', `/${name}`, '.x'])} ${one(['', '--subresource=status', '-A', '--as=alice'])}\n`,
    () => `$ kubectl get -f ${one(['object.json', 'absent.json', '.'])} ${outputsOf(object)}\n`,
    () => `$ kubectl get ${resource} ${one(readFlags)}\n$ kubectl get ${resource} ${name} absent ${one(readFlags)} ${outputsOf(object)}\n`,
    () =>
      `${file('list.json', { apiVersion: 'v1', kind: 'List', items: [changed, object] })}$ kubectl ${one(['get', 'describe', 'apply', 'delete --dry-run=client', 'create', 'replace', 'label a=b'])} -f list.json\n`,
    () => `$ kubectl ${one(changesOfFiles)} -f object.json ${one(['', '-o yaml', '-o name', '--dry-run=server -o json'])}\n`,
    () =>
      `$ kubectl patch ${resource} ${name} --type=${one(['strategic', 'merge'])} -p '${patchOf(changed, path)}'${one(['', ' --dry-run=client -o yaml', ' -o yaml', ' --subresource=status', ' --dry-run=server'])}\n`,
    () =>
      `$ kubectl ${one(['get', 'describe', 'delete', 'label a=b', 'scale --replicas=1', 'wait --for=create --timeout=1s'])} ${resource}/${name} --as=alice\n`,
    () =>
      `$ kubectl ${one(changesOfWorkloads)} ${resource}/${name} ${one(['', '-o yaml', '--dry-run=client -o yaml', '--dry-run=server -o yaml'])}\n`,
    () =>
      `$ kubectl expose ${resource}/${name} ${one(['', '--port=x', '--selector=a=b', '--type=NodePort --port=80,443', '--target-port=http'])} --dry-run=client -o yaml\n`,
    () => `$ kubectl events --for ${resource}/${name}\n$ kubectl explain ${resource} --recursive | head -20\n`,
    () =>
      `${file('changed.json', changed)}$ kubectl create -f changed.json --save-config\n$ kubectl apply set-last-applied -f changed.json --create-annotation\n$ kubectl apply -f changed.json\n`,
    () =>
      `${file('changed.json', changed)}$ kubectl diff --server-side -f changed.json\n$ kubectl apply --server-side -f changed.json --dry-run=server -o yaml\n$ kubectl apply -f .\n`,
    () =>
      `$ kubectl delete ${resource} ${one(['--all --dry-run=server', '-l app=web', 'absent', `${name} absent`, `absent ${name} --ignore-not-found`])} --timeout=1s\n`,
    () =>
      `$ kubectl ${one(['taint', 'cordon', 'uncordon', 'drain --timeout=1s'])} ${one(['node', ''])} ${name} ${one(['a=b:NoSchedule', 'a:NoSchedule-', 'a-', 'x'])}\n`,
  ])();
}

/** A status with several fields of its type. */
function statusPatch(object, types) {
  const carrier = { apiVersion: object.apiVersion, kind: object.kind, status: {} };
  const copy = { ...structuredClone(object), status: {} };
  const type = types.typeOf(carrier);
  if (!type?.properties?.status) return undefined;
  for (let count = 0; count < 60; count++) addFields(copy, types, random);
  return Object.keys(copy.status ?? {}).length > 0 ? JSON.stringify({ status: copy.status }).replaceAll("'", '') : undefined;
}

const documents = gunzipSync(readFileSync(new URL('../../facts/catalog/openapi-default.json.gz', import.meta.url)));
const types = readTypes(JSON.parse(documents)['openapi/v2']);
const kinds = recordedObjects();
mkdirSync(folder, { recursive: true });
for (let at = 0; at < Number(options.count); at++) {
  const [kind, objects] = one(kinds);
  const recorded = one(objects);
  const object = structuredClone(recorded);
  for (let count = random(4); count > 0; count--) addFields(object, types, random);
  // An object that cannot be addressed makes most of a session the same error.
  if (random(8) > 0) object.metadata = { ...object.metadata, name: recorded.metadata.name, namespace: undefined };
  let text = `# ${kind}\n${file('object.json', object)}$ kubectl create -f object.json\n`;
  const status = random(2) === 0 ? statusPatch(object, types) : undefined;
  if (status) text += `$ kubectl patch -f object.json --subresource=status --type=merge -p '${status}'\n`;
  text += `$ kubectl describe -f object.json\n$ kubectl get -f object.json -o wide\n$ kubectl get -f object.json ${outputsOf(object)}\n`;
  for (let count = 0; count < 10; count++) text += commandsOf(object, types);
  text += '$ kubectl delete -f object.json --timeout=1s\n';
  writeFileSync(join(folder, `${String(at).padStart(4, '0')}-${object.kind}.txt`), text);
}
