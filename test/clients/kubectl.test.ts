import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!hasKubectl) process.stderr.write('no kubectl on PATH: the tests with the real one are skipped\n');

interface CommandResult {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** The real kubectl, unchanged, against the built server. Each test depends on the previous ones. */
describe.skipIf(!hasKubectl)('the real kubectl', () => {
  let server: StartedServer;
  const kubectl = (line: string, input?: string, more: NodeJS.ProcessEnv = {}): Promise<CommandResult> =>
    new Promise((resolve) => {
      const words = (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replaceAll("'", ''));
      const env = { ...process.env, KUBECONFIG: server.kubeconfig, HOME: server.folder, ...more };
      const child = execFile('kubectl', words, { env, timeout: 30_000 }, (error, out, err) =>
        resolve({ out, err, code: error ? Number(error.code ?? 1) : 0 }),
      );
      if (input !== undefined) child.stdin?.end(input);
    });
  const manifest = (name: string, text: string): string => {
    const file = join(server.folder, name);
    writeFileSync(file, text);
    return file;
  };

  beforeAll(async () => {
    server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile);
  });
  afterAll(() => server.stop());

  test('shows the version, the namespaces and every resource', async () => {
    expect((await kubectl('version')).out).toMatch(/Server Version: v1\.34\./);
    expect((await kubectl('get namespaces -o name')).out.split('\n')).toContain('namespace/kube-system');
    const resources = await kubectl('api-resources -o wide');
    expect(resources.code).toBe(0);
    expect(resources.out.split('\n').length).toBeGreaterThan(60);
    expect((await kubectl('api-versions')).out).toContain('rbac.authorization.k8s.io/v1');
  });

  test('applies, applies again, and shows the change', async () => {
    const file = manifest('web.yaml', webManifest('nginx:1'));
    expect((await kubectl(`apply -f ${file}`)).out).toBe('configmap/settings created\ndeployment.apps/web created\n');
    expect((await kubectl(`apply -f ${file}`)).out).toBe('configmap/settings unchanged\ndeployment.apps/web unchanged\n');
    const changed = manifest('web2.yaml', webManifest('nginx:2'));
    expect((await kubectl(`apply -f ${changed}`)).out).toBe('configmap/settings unchanged\ndeployment.apps/web configured\n');
    expect((await kubectl("get deployment web -o jsonpath='{.spec.template.spec.containers[0].image}'")).out).toBe('nginx:2');
    const serverSide = await kubectl(`apply --server-side --force-conflicts -f ${file}`);
    expect(serverSide.out).toContain('deployment.apps/web serverside-applied');
  });

  test('shows objects in every output format', async () => {
    expect((await kubectl('get deployments')).out).toMatch(/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/2/);
    expect((await kubectl('get deployments -o wide')).out).toMatch(/CONTAINERS +IMAGES +SELECTOR/);
    expect((await kubectl('get deployment web -o yaml')).out).toMatch(/^apiVersion: apps\/v1\nkind: Deployment/);
    expect(JSON.parse((await kubectl('get deployment web -o json')).out).metadata.name).toBe('web');
    expect((await kubectl('get cm -o custom-columns=N:.metadata.name,C:.data.color')).out).toMatch(/settings +blue/);
    expect((await kubectl('get cm --field-selector metadata.name=settings -o name')).out).toBe('configmap/settings\n');
    expect((await kubectl('get ns --sort-by=.metadata.name -o name')).out.split('\n')[0]).toBe('namespace/default');
    expect((await kubectl('describe deployment web')).out).toMatch(/Name: +web\n/);
    expect((await kubectl('get --raw /readyz')).out).toBe('ok');
  });

  test('changes objects', async () => {
    expect((await kubectl('label cm settings tier=front')).out).toBe('configmap/settings labeled\n');
    expect((await kubectl('annotate cm settings note=x')).out).toBe('configmap/settings annotated\n');
    expect((await kubectl(`patch cm settings --type=merge -p '{"data":{"color":"red"}}'`)).out).toBe('configmap/settings patched\n');
    expect((await kubectl(`patch cm settings --type=json -p '[{"op":"add","path":"/data/size","value":"9"}]'`)).out).toBe(
      'configmap/settings patched\n',
    );
    expect((await kubectl('scale deployment web --replicas=5')).out).toBe('deployment.apps/web scaled\n');
    expect((await kubectl("get cm settings -o jsonpath='{.data.color}/{.data.size}/{.metadata.labels.tier}'")).out).toBe('red/9/front');
    const current = (await kubectl('get cm settings -o yaml')).out;
    expect((await kubectl(`replace -f ${manifest('replace.yaml', current.replace('color: red', 'color: green'))}`)).out).toBe(
      'configmap/settings replaced\n',
    );
  });

  test('shows the changes of an apply by a server-side dry run', async () => {
    const changed = manifest('diff.yaml', webManifest('nginx:9'));
    const version = "get deployment web -o jsonpath='{.metadata.resourceVersion}'";
    const before = (await kubectl(version)).out;
    const shown = await kubectl(`diff -f ${changed}`);
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(/^-\s+- image: nginx:\d\n\+\s+- image: nginx:9$/m);
    expect((await kubectl(`apply --dry-run=server -f ${changed}`)).out).toContain('deployment.apps/web configured (server dry run)\n');
    expect((await kubectl(`create cm never --dry-run=server`)).out).toBe('configmap/never created (server dry run)\n');
    expect((await kubectl(version)).out).toBe(before);
    expect((await kubectl('get cm never')).code).toBe(1);
  });

  test('edits an object, and saves the file when the server rejects the change', async () => {
    const edited = await kubectl('edit cm settings', undefined, { KUBE_EDITOR: 'sed -i s/green/brown/' });
    expect(edited.out).toBe('configmap/settings edited\n');
    expect((await kubectl("get cm settings -o jsonpath='{.data.color}'")).out).toBe('brown');
    const refused = await kubectl('edit deployment web', undefined, {
      KUBE_EDITOR: 'sed -i s/progressDeadlineSeconds:.*/progressDeadlineSeconds:\\ 0/',
    });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('deployments.apps "web" is invalid');
  });

  test('patches subresources, waits for conditions, and refuses unknown fields', async () => {
    const condition =
      '{"type":"Available","status":"True","lastUpdateTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z"}';
    expect((await kubectl('wait --for=condition=Available deployment/web --timeout=100ms')).code).toBe(1);
    await kubectl(`patch deployment web --subresource=status --type=merge -p '{"status":{"conditions":[${condition}]}}'`);
    expect((await kubectl('wait --for=condition=Available deployment/web --timeout=5s')).out).toBe('deployment.apps/web condition met\n');
    expect((await kubectl(`patch deployment web --subresource=scale --type=merge -p '{"spec":{"replicas":4}}'`)).out).toContain('patched');
    expect((await kubectl("get deployment web -o jsonpath='{.spec.replicas}/{.status.conditions[0].type}'")).out).toBe('4/Available');
    const misspelt = webManifest('nginx:1').replace('replicas:', 'replicaz:');
    const strict = await kubectl('create --validate=strict -f -', misspelt.replaceAll('web', 'strict').replaceAll('settings', 'strict'));
    expect(strict.err).toContain('strict decoding error: unknown field "spec.replicaz"');
    const warned = await kubectl('create --validate=warn -f -', misspelt.replaceAll('web', 'warned').replaceAll('settings', 'warned'));
    expect(warned.err).toBe('Warning: unknown field "spec.replicaz"\n');
    expect(warned.code).toBe(0);
  });

  test('lists the same in chunks as without', async () => {
    for (let at = 0; at < 5; at++) await kubectl(`create cm chunk-${at}`);
    expect((await kubectl('get cm --chunk-size=2 -o name')).out).toBe((await kubectl('get cm --chunk-size=0 -o name')).out);
  });

  test('replaces by force, and deletes in the foreground and leaving orphans', async () => {
    const file = manifest('replace-force.yaml', webManifest('nginx:3'));
    expect((await kubectl(`replace --force -f ${file}`)).out).toContain('deployment.apps/web replaced\n');
    for (const [cascade, finalizer] of [
      ['foreground', 'foregroundDeletion'],
      ['orphan', 'orphan'],
    ]) {
      await kubectl(`create deployment ${cascade} --image=nginx`);
      await kubectl(`delete deployment ${cascade} --cascade=${cascade} --wait=false`);
      expect((await kubectl(`get deployment ${cascade} -o jsonpath='{.metadata.finalizers}'`)).out).toBe(`["${finalizer}"]`);
    }
  });

  test('prints the real error messages', async () => {
    expect((await kubectl('get cm nope')).err).toBe('Error from server (NotFound): configmaps "nope" not found\n');
    expect((await kubectl('create cm settings')).err).toContain('configmaps "settings" already exists');
    const stranger = await kubectl(
      'get pods --token=bob-token --kubeconfig=/dev/null --insecure-skip-tls-verify -s SERVER'.replace('SERVER', server.url),
    );
    expect(stranger.err).toContain('pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"');
    const bad = await kubectl('create -f -', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_Name}\n');
    expect(bad.err).toContain('The ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value');
  });

  test('explains fields', async () => {
    const explained = await kubectl('explain deployment.spec.replicas');
    expect(explained.code).toBe(0);
    expect(explained.out).toMatch(/FIELD: replicas <integer>/);
    expect((await kubectl('explain pod --recursive')).out).toContain('containers\t<[]Container> -required-');
  });

  test('explains every field of every kind, including versions that are disabled by default', async () => {
    const everything = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--runtime-config=api/all=true');
    try {
      const config = `--kubeconfig=${everything.kubeconfig}`;
      const listed = (await kubectl(`api-resources -o wide --no-headers ${config}`)).out.trim().split('\n');
      const kinds = listed.map((line) => [line.split(' ')[0] ?? '', / (\S*v\d\S*) +(?:true|false) /.exec(line)?.[1] ?? ''] as const);
      expect(kinds.length).toBeGreaterThan(65);
      const explain = async ([name, version]: readonly [string, string]): Promise<string> => {
        const { code, out, err } = await kubectl(`explain ${name} --api-version=${version} --recursive ${config}`);
        return code === 0 && /^FIELDS:\n {2}\w+\t</m.test(out) ? '' : `${name} ${version}: ${err || out.slice(0, 300)}`;
      };
      const failed: string[] = [];
      const atOnce = 4;
      for (let at = 0; at < kinds.length; at += atOnce) failed.push(...(await Promise.all(kinds.slice(at, at + atOnce).map(explain))));
      expect(failed.filter((one) => one !== '')).toEqual([]);
    } finally {
      await everything.stop();
    }
  });

  test('watches until it is stopped, and waits for a deletion', async () => {
    const env = { ...process.env, KUBECONFIG: server.kubeconfig };
    const watching = spawn('kubectl', ['get', 'cm', '-w', '--output-watch-events'], { env });
    let output = '';
    const saw = new Promise<void>((resolve) => {
      watching.stdout.on('data', (chunk) => {
        output += chunk;
        if (/^ADDED +later /m.test(output)) resolve();
      });
    });
    await kubectl('create cm later');
    await saw;
    watching.kill();
    const waiting = kubectl('wait --for=delete cm/later --timeout=20s');
    expect((await kubectl('delete cm later')).out).toContain('configmap "later" deleted');
    expect((await waiting).code).toBe(0);
  });

  test('deletes its objects', async () => {
    expect((await kubectl('delete deployment/web cm/settings')).code).toBe(0);
    expect((await kubectl('get deployment web')).err).toBe('Error from server (NotFound): deployments.apps "web" not found\n');
  });

  const manifests = process.env['TABPLANE_MANIFESTS'] ?? new URL('../../../shared/manifests', import.meta.url).pathname;
  const applications = existsSync(manifests) ? readdirSync(manifests).filter((name) => name.endsWith('.yaml')) : [];
  test.skipIf(applications.length === 0)('applies, lists and deletes third-party applications', async () => {
    for (const name of applications) {
      const file = join(manifests, name);
      const applied = await kubectl(`apply --server-side -f ${file}`);
      expect(applied.err.split('\n').filter((line) => /error/i.test(line) && !/no matches for kind|ensure CRDs/.test(line))).toEqual([]);
      expect((await kubectl(`get -f ${file}`)).out.split('\n').length).toBeGreaterThan(1);
      await kubectl(`delete --wait=false --ignore-not-found -f ${file}`);
    }
  });
});

function webManifest(image: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  color: blue
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: main
        image: ${image}
`;
}
