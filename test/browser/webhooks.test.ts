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
