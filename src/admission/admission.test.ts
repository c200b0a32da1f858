import { expect, test } from 'vitest';
import type { ApiObject } from '../meta/index.ts';
import { type AdmissionRequest, admissionChain } from './admission.ts';
import { requestFor } from './request.test-support.ts';

const request = (resource: string): AdmissionRequest => requestFor({ resource });
const object: ApiObject = { kind: '', apiVersion: 'v1', metadata: { name: 'x' } };

test('a plugin gets only the writes it handles, and the check runs once per kind of write', async () => {
  const [asked, seen]: [string[], string[]] = [[], []];
  const chain = admissionChain([
    {
      name: 'Nodes',
      concerns: ({ resource }) => asked.push(resource) > 0 && resource === 'nodes',
      mutate: async ({ resource }, node) => {
        seen.push(resource);
        return { ...node, spec: {} };
      },
    },
  ]);
  for (const resource of ['nodes', 'pods', 'nodes', 'pods']) await chain.mutate(request(resource), object, undefined);
  await chain.validate(request('nodes'), object, undefined);
  expect(seen).toEqual(['nodes', 'nodes']);
  expect(asked).toEqual(['nodes', 'pods']);
});

test('the description of a change is computed only when it is reported', async () => {
  const chain = admissionChain([{ name: 'Nodes', concerns: () => true, mutate: async (_, node) => ({ ...node, spec: { a: 1 } }) }]);
  const told: string[] = [];
  await chain.mutate({ ...request('nodes'), tell: (plugin, did) => told.push(`${plugin} ${did()}`) }, object, undefined);
  expect(told).toEqual(['Nodes changed spec']);
});
