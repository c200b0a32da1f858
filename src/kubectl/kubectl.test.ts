import { expect, test } from 'vitest';
import { createSession } from './scripted-api.test-support.ts';

const errors: readonly (readonly [line: string, err: string])[] = [
  ['kubectl get', 'You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.'],
  ['kubectl get --bogus', "error: unknown flag: --bogus\nSee 'kubectl get --help' for usage.\n"],
  ['kubectl get -x', "error: unknown shorthand flag: 'x' in -x\nSee 'kubectl get --help' for usage.\n"],
  ['kubectl get cm -n', "error: flag needs an argument: 'n' in -n\nSee 'kubectl get --help' for usage.\n"],
  ['kubectl gett', 'error: unknown command "gett" for "kubectl"\n\nDid you mean this?\n\tset\n\tget\n'],
  ['kubectl get bogus', 'error: the server doesn\'t have a resource type "bogus"\n'],
  ['kubectl get cm a', 'Error from server (NotFound): configmaps "a" not found\n'],
  ['kubectl get cm -o bogus', 'error: unable to match a printer suitable for the output format "bogus"'],
  [
    'kubectl apply -f https://example.com/a/web.yaml?x=1',
    'unable to read URL "https://example.com/a/web.yaml?x=1": this console connects to its own origin only. Save its content with "vi web.yaml", and run the command with -f web.yaml\n',
  ],
  ['kubectl list pods', 'unknown command "list" for "kubectl"\n\nDid you mean this?\n\tget\n\twait\n'],
  ['kubectl apply -f nope.yaml', 'error: the path "nope.yaml" does not exist\n'],
  ['kubectl label cm a x=1 x-', 'error: can not both modify and remove a label in the same command\n'],
  ['kubectl label cm a x=y=z', 'error: invalid label spec: x=y=z\n'],
  ['kubectl top pod a -l b=c', 'error: only one of NAME or selector can be provided\n'],
  ['kubectl config set-cluster a --embed-certs', 'error: you must specify a --certificate-authority to embed\n'],
  ['kubectl create cm a --from-literal=a', 'error: invalid literal source a, expected key=value\n'],
  ['kubectl --context=nope get cm', 'Error in configuration: context was not found for specified context: nope\n'],
  ['kubectl delete --all', 'error: at least one resource must be specified to use a selector\n'],
];

test.each(errors)("%s prints kubectl's error message", async (line, err) => {
  const result = await createSession().run(line);
  expect(result.err).toContain(err);
  expect(result.code).toBe(1);
});

test('treats a key named __proto__ as data', async () => {
  const { run } = createSession();
  expect((await run('kubectl create cm a --from-literal=__proto__=v --dry-run=client -o json')).out).toContain('"__proto__": "v"');
});

test("create, get, label and delete send kubectl's requests and field managers", async () => {
  const { run, requests } = createSession();
  expect(await run('kubectl create cm a --from-literal=k=v')).toMatchObject({ out: 'configmap/a created\n', code: 0 });
  expect(requests.at(-1)).toMatchObject({
    method: 'POST',
    target: '/api/v1/namespaces/default/configmaps?fieldManager=kubectl-create&fieldValidation=Strict',
    headers: { authorization: 'Bearer secret-token' },
  });
  expect(await run("kubectl get cm a -o jsonpath='{.data.k}'")).toMatchObject({ out: 'v' });
  expect(await run('kubectl label cm a tier=x')).toMatchObject({ out: 'configmap/a labeled\n' });
  expect(requests.at(-1)).toMatchObject({
    method: 'PATCH',
    target: '/api/v1/namespaces/default/configmaps/a?fieldManager=kubectl-label',
    body: '{"metadata":{"labels":{"tier":"x"}}}',
  });
  expect(await run('kubectl delete cm a --wait=false')).toMatchObject({ out: 'configmap "a" deleted from default namespace\n' });
  expect(await run('kubectl get cm a')).toMatchObject({ code: 1 });
});

test("replace sends a missing object and prints the server's NotFound error", async () => {
  const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';
  const { run, requests } = createSession({ '/home/me/a.yaml': yaml });
  const result = await run('kubectl replace -f a.yaml');
  expect(result).toMatchObject({ code: 1, err: 'Error from server (NotFound): error when replacing "a.yaml": configmaps "a" not found\n' });
  expect(requests.at(-1)).toMatchObject({ method: 'PUT', target: expect.stringContaining('/configmaps/a?') });
});

test('get requests a Table', async () => {
  const { run, requests } = createSession();
  await run('kubectl create cm a --from-literal=k=v');
  await run('kubectl get cm');
  expect(requests.at(-1)?.headers['accept']).toBe('application/json;as=Table;v=v1;g=meta.k8s.io,application/json');
  expect(requests.at(-1)?.target).toBe('/api/v1/namespaces/default/configmaps?limit=500');
});

test('apply stores the last applied configuration and patches the difference', async () => {
  const { run, requests, files } = createSession({
    '/home/me/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: {k: v, l: w}\n',
  });
  expect(await run('kubectl apply -f a.yaml')).toMatchObject({ out: 'configmap/a created\n' });
  const sent = JSON.parse(requests.at(-1)?.body ?? '') as { metadata: { annotations: Record<string, string> } };
  expect(JSON.parse(sent.metadata.annotations['kubectl.kubernetes.io/last-applied-configuration'] ?? '')).toMatchObject({
    data: { k: 'v', l: 'w' },
  });
  expect(await run('kubectl apply -f a.yaml')).toMatchObject({ out: 'configmap/a unchanged\n' });
  await files.write('/home/me/a.yaml', new TextEncoder().encode('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: z}\n'));
  expect(await run('kubectl apply -f a.yaml')).toMatchObject({ out: 'configmap/a configured\n' });
  const patch = requests.findLast(({ method }) => method === 'PATCH');
  expect(patch?.headers['content-type']).toBe('application/strategic-merge-patch+json');
  expect(JSON.parse(patch?.body ?? '')).toMatchObject({ data: { k: 'z', l: null } });
});

test('a client dry run sends discovery requests only', async () => {
  const { run, requests } = createSession();
  const { out } = await run('kubectl create cm a --from-literal=n=1 --dry-run=client -o yaml');
  expect(out).toBe('apiVersion: v1\ndata:\n  "n": "1"\nkind: ConfigMap\nmetadata:\n  name: a\n');
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('config commands edit the kubeconfig file', async () => {
  const { run } = createSession();
  expect(await run('kubectl config set-context --current --namespace=team')).toMatchObject({ out: 'Context "one" modified.\n' });
  expect(await run("kubectl config view --minify -o jsonpath='{..namespace}'")).toMatchObject({ out: 'team' });
  expect((await run('cat ~/.kube/config')).out).toContain('    namespace: team\n');
  expect((await run('kubectl config get-contexts')).out).toBe(
    'CURRENT   NAME   CLUSTER   AUTHINFO   NAMESPACE\n*         one    here      me         team\n',
  );
});

test('completes commands, flags, types and names', async () => {
  const { run, shell } = createSession();
  await run('kubectl create cm alpha');
  const complete = async (line: string): Promise<string[]> =>
    (await shell.complete(line, line.length, new AbortController().signal)).candidates.map(({ text }) => text);
  expect(await complete('kube')).toEqual(['kubectl']);
  expect(await complete('kubectl desc')).toEqual(['describe']);
  expect(await complete('kubectl rollout sta')).toEqual(['status']);
  expect(await complete('kubectl get --sel')).toEqual(['--selector']);
  expect(await complete('kubectl get deplo')).toContain('deployments');
  expect(await complete('kubectl get cm al')).toEqual(['alpha']);
  expect(await complete('kubectl get cm -o ya')).toEqual(['yaml']);
});

test('config creates a missing kubeconfig, with relative paths for files below its folder', async () => {
  const { run, files } = createSession();
  expect(await run('kubectl --kubeconfig new get cm')).toMatchObject({ err: 'error: stat new: no such file or directory\n', code: 1 });
  await run('kubectl config --kubeconfig new set-credentials me --client-certificate=tls/a.crt --client-key=/etc/a.key');
  const written = new TextDecoder().decode(await files.read('/home/me/new'));
  expect(written).toContain('    client-certificate: tls/a.crt\n    client-key: /etc/a.key\n');
});

test('completes containers, labels, fields and users', async () => {
  const { shell } = createSession();
  const complete = async (line: string): Promise<string[]> => {
    const { from, candidates } = await shell.complete(line, line.length, new AbortController().signal);
    return candidates.map(({ text }) => line.slice(0, from) + text);
  };
  expect(await complete('kubectl logs web -c ')).toEqual(['kubectl logs web -c nginx', 'kubectl logs web -c side']);
  expect(await complete('kubectl logs pod/db --container=')).toEqual(['kubectl logs pod/db --container=postgres']);
  expect(await complete('kubectl get po -l app=')).toEqual(['kubectl get po -l app=db', 'kubectl get po -l app=web']);
  expect(await complete('kubectl get po --selector=app=web,tier=f')).toEqual(['kubectl get po --selector=app=web,tier=front']);
  expect(await complete('kubectl explain po.spec.host')).toEqual(['kubectl explain po.spec.hostIPC', 'kubectl explain po.spec.hostname']);
  expect(await complete('kubectl get po --as=m')).toEqual(['kubectl get po --as=me']);
});
