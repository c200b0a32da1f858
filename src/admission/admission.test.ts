import { expect, test } from 'vitest';
import type { ApiObject } from '../meta/index.ts';
import { type AdmissionRequest, admissionChain } from './admission.ts';
import { requestFor } from './request.test-support.ts';

const request = (resource: string): AdmissionRequest => requestFor({ resource });
const object: ApiObject = { kind: '', apiVersion: 'v1', metadata: { name: 'x' } };

test('a plugin gets only the writes it handles, and the check runs once per kind of write', async () => {
  const [checked, mutated]: [string[], string[]] = [[], []];
  const chain = admissionChain([
    {
      name: 'Nodes',
      handles: ({ resource }) => checked.push(resource) > 0 && resource === 'nodes',
      mutate: async ({ resource }, node) => {
        mutated.push(resource);
        return { ...node, spec: {} };
      },
    },
  ]);
  for (const resource of ['nodes', 'pods', 'nodes', 'pods']) await chain.mutate(request(resource), object, undefined);
  await chain.validate(request('nodes'), object, undefined);
  expect(mutated).toEqual(['nodes', 'nodes']);
  expect(checked).toEqual(['nodes', 'pods']);
});

test('the description of a change is computed only when it is reported', async () => {
  const chain = admissionChain([{ name: 'Nodes', handles: () => true, mutate: async (_, node) => ({ ...node, spec: { a: 1 } }) }]);
  const reports: string[] = [];
  await chain.mutate({ ...request('nodes'), reportTrace: (plugin, did) => reports.push(`${plugin} ${did()}`) }, object, undefined);
  expect(reports).toEqual(['Nodes changed spec']);
});
