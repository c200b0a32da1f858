import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCertificateFiles } from '../certificate-files.ts';
import { eventually, sendRequest } from './browser.ts';
import { expectSuccess, runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite('/', { nodes: 'on' });
const folder = mkdtempSync(join(tmpdir(), 'tabplane-webhook-'));
afterAll(() => rmSync(folder, { recursive: true }));

const inDefault = '/api/v1/namespaces/default';

test('a webhook in a pod is called; without the pod, a function of the page is called in its place', async () => {
  const files = await createCertificateFiles(folder, 'hook', { type: 'dns', value: 'hook.default.svc' });
  const encoded = (path: string): string => readFileSync(path).toString('base64');
  const page = await site.visit();
  const create = (target: string, body: object): Promise<unknown> => expectSuccess(page, { method: 'POST', target, body });
  await create(`${inDefault}/secrets`, {
    metadata: { name: 'hook' },
    type: 'svc/tls',
    data: { 'tls.crt': encoded(files.certificate), 'tls.key': encoded(files.key) },
  });
  const container = {
    name: 'hook',
    image: 'registry.k8s.io/e2e-test-images/agnhost:2.55',
    args: ['webhook', '--tls-cert-file=/hook/tls.crt', '--tls-private-key-file=/hook/tls.key'],
    volumeMounts: [{ name: 'certificate', mountPath: '/hook' }],
  };
  await create(`${inDefault}/pods`, {
    metadata: { name: 'hook', labels: { app: 'hook' } },
    spec: {
      containers: [container],
      volumes: [{ name: 'certificate', secret: { secretName: 'hook' } }],
      terminationGracePeriodSeconds: 0,
    },
  });
  await create(`${inDefault}/services`, { metadata: { name: 'hook' }, spec: { selector: { app: 'hook' }, ports: [{ port: 443 }] } });
  await create('/apis/admissionregistration.svc/v1/validatingwebhookconfigurations', {
    metadata: { name: 'hook' },
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig: { service: { name: 'hook', namespace: 'default', path: '/always-deny' }, caBundle: encoded(files.authority) },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { hooked: 'yes' } },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  });
  await create('/api/v1/namespaces', { metadata: { name: 'hooked', labels: { hooked: 'yes' } } });
  const message = async (): Promise<string> => {
    const body = { metadata: { name: 'a' } };
    const { text } = await sendRequest(page, { method: 'POST', target: '/api/v1/namespaces/hooked/configmaps', body });
    return JSON.parse(text).message;
  };
  await eventually(
    async () => (await message()) === 'admission webhook "hook.example.com" denied the request: this webhook denies all requests',
  );
  await runCommand(page, 'kubectl delete pod hook');
  await eventually(async () => (await message()).endsWith('connect: connection refused'));
  await page.evaluate(() => {
    const { webhooks } = (globalThis as unknown as { tabplane: { webhooks: Map<string, (review: object) => unknown> } }).tabplane;
    webhooks.set('https://hook.default.svc/always-deny', (review) => {
      const { uid } = (review as { readonly request: { readonly uid: string } }).request;
      return { ...review, response: { uid, allowed: false, status: { message: 'by the page' } } };
    });
  });
  expect(await message()).toBe('admission webhook "hook.example.com" denied the request: by the page');
});
