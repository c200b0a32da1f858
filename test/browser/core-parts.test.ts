import type { BrowserContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, killWorkers, sendRequest, waitForOfflineCopy, workerSession } from './browser.ts';
import { useSite } from './site.ts';

const site = useSite();

/** The parts of the core that the running Service Worker has loaded. */
async function loadedParts(context: BrowserContext): Promise<readonly string[]> {
  const worker = context.serviceWorkers().at(-1);
  if (worker === undefined) throw new Error('no Service Worker');
  return worker.evaluate(() => {
    const { tabplaneParts } = globalThis as unknown as { readonly tabplaneParts: Readonly<Record<string, object>> };
    const isLoaded = (part: object): boolean => Object.values(Object.getOwnPropertyDescriptors(part)).every(({ get }) => get === undefined);
    return Object.entries(tabplaneParts).flatMap(([name, part]) => (isLoaded(part) ? [name] : []));
  });
}

const definition = {
  apiVersion: 'apiextensions.svc/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer' } },
                'x-svc-validations': [{ rule: 'self.size < 10', message: 'too large' }],
              },
            },
          },
        },
      },
    ],
  },
};

test('a restarted worker loads the parts of the core when a request needs them, also offline', async () => {
  const page = await site.visit({ isFirst: true });
  const context = page.context();
  await waitForOfflineCopy(page);
  // The installation has loaded all.
  expect(await loadedParts(context)).toEqual(['cel', 'openapi', 'x509']);
  // The certificate of a new cluster is created and published once.
  const published = '/api/v1/namespaces/svc-system/configmaps/extension-apiserver-authentication';
  await eventually(async () => (await sendRequest(page, { target: published })).status === 200);
  await killWorkers(await workerSession(context, page));
  await context.setOffline(true);

  const namespaces = await sendRequest(page, { target: '/api/v1/namespaces', headers: { accept: 'application/json' } });
  expect(namespaces.status).toBe(200);
  const created = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const { status } = await sendRequest(page, { method: 'POST', target: '/api/v1/namespaces/default/configmaps', body: created });
  expect(status).toBe(201);
  expect(await loadedParts(context)).toEqual([]);

  const target = '/apis/apiextensions.svc/v1/customresourcedefinitions';
  expect(await sendRequest(page, { method: 'POST', target, body: definition })).toMatchObject({ status: 201 });
  expect(await loadedParts(context)).toEqual(['cel']);
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 11 } };
  let text = '';
  await eventually(async () => {
    const response = await sendRequest(page, { method: 'POST', target: widgets, body: widget });
    text = response.text;
    return response.status === 422;
  });
  expect(text).toContain('too large');

  expect(await sendRequest(page, { target: '/openapi/v3' })).toMatchObject({ status: 200 });
  expect(await loadedParts(context)).toEqual(['cel', 'openapi']);

  const requests = '/apis/certificates.svc/v1/certificatesigningrequests';
  const spec = { request: btoa('no PEM'), signerName: 'example.com/signer', usages: ['client auth'] };
  const refused = await sendRequest(page, { method: 'POST', target: requests, body: { metadata: { name: 'r' }, spec } });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('PEM block type must be CERTIFICATE REQUEST');
  expect(await loadedParts(context)).toEqual(['cel', 'openapi', 'x509']);
});
