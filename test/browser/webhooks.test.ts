import { expect, test } from 'vitest';
import { expectSuccess, runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

type Handler = (review: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly object[] };
}) => unknown;

test('functions of the page are webhooks for admission and conversion', async () => {
  const page = await site.visit();
  await page.evaluate(() => {
    const { webhooks } = (globalThis as unknown as { tabplane: { webhooks: Map<string, Handler> } }).tabplane;
    webhooks.set('https://hooks.example/label', ({ apiVersion, kind, request: { uid } }) => {
      const patch = btoa(JSON.stringify([{ op: 'add', path: '/metadata/labels', value: { checked: 'yes' } }]));
      return { apiVersion, kind, response: { uid, allowed: true, patchType: 'JSONPatch', patch } };
    });
    webhooks.set('https://hooks.example/convert', ({ apiVersion, kind, request }) => {
      const convertedObjects = request.objects.map((object) => ({ ...object, apiVersion: request.desiredAPIVersion, size: 2 }));
      return { apiVersion, kind, response: { uid: request.uid, result: { status: 'Success' }, convertedObjects } };
    });
  });
  await expectSuccess(page, {
    method: 'POST',
    target: '/apis/admissionregistration.svc/v1/mutatingwebhookconfigurations',
    body: {
      metadata: { name: 'hooks' },
      webhooks: [
        {
          name: 'label.example.com',
          clientConfig: { url: 'https://hooks.example/label' },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
        },
      ],
    },
  });
  expect(await runCommand(page, `kubectl create configmap a -o jsonpath='{.metadata.labels.checked}'`)).toBe('yes');
  const schema = { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } };
  await expectSuccess(page, {
    method: 'POST',
    target: '/apis/apiextensions.svc/v1/customresourcedefinitions',
    body: {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          { name: 'v1', served: true, storage: true, schema },
          { name: 'v2', served: true, storage: false, schema },
        ],
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { url: 'https://hooks.example/convert' }, conversionReviewVersions: ['v1'] },
        },
      },
    },
  });
  await runCommand(page, 'kubectl wait crd widgets.example.com --for=condition=established');
  const manifest = '{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "size": 1}';
  await runCommand(page, `echo '${manifest}' | kubectl create -f -`);
  expect(await runCommand(page, `kubectl get widgets.v2.example.com a -o jsonpath='{.size}'`)).toBe('2');
});

test('a function of the page is an aggregated API server', async () => {
  const page = await site.visit();
  await page.evaluate(() => {
    const { apiServers } = (
      globalThis as unknown as { tabplane: { apiServers: Map<string, (request: Request) => Response | Promise<Response>> } }
    ).tabplane;
    const groupVersion = 'sample.example/v1';
    apiServers.set('https://sample.default.svc', ({ url, headers }) => {
      const { pathname } = new URL(url);
      const resources = [{ name: 'flunders', singularName: 'flunder', namespaced: true, kind: 'Flunder', verbs: ['get', 'list'] }];
      if (pathname === `/apis/${groupVersion}`)
        return Response.json({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources });
      if (!pathname.startsWith(`/apis/${groupVersion}/`)) return new Response('not found', { status: 404 });
      const metadata = { name: 'one', annotations: { user: headers.get('x-remote-user') } };
      return Response.json({ kind: 'Flunder', apiVersion: groupVersion, metadata });
    });
  });
  await expectSuccess(page, {
    method: 'POST',
    target: '/api/v1/namespaces/default/services',
    body: { metadata: { name: 'sample' }, spec: { type: 'ExternalName', externalName: 'sample.example' } },
  });
  await expectSuccess(page, {
    method: 'POST',
    target: '/apis/apiregistration.svc/v1/apiservices',
    body: {
      metadata: { name: 'v1.sample.example' },
      spec: {
        group: 'sample.example',
        version: 'v1',
        service: { namespace: 'default', name: 'sample' },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 2000,
        versionPriority: 200,
      },
    },
  });
  await runCommand(page, 'kubectl wait apiservice v1.sample.example --for=condition=Available');
  expect(await runCommand(page, `kubectl get flunders one -o jsonpath='{.metadata.name} {.metadata.annotations.user}'`)).toBe('one admin');
});
