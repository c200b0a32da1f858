import { expect, test } from 'vitest';
import { Explanations } from '../../../cluster/index.ts';
import { schedulingDocument } from './scheduling-document.ts';

test('documents of the decisions of the scheduler', () => {
  const explanations = new Explanations();
  const decision = (pod: string, node: string | undefined) => ({
    pod,
    uid: `uid of ${pod}`,
    timeMs: 1,
    attempt: 1,
    node,
    nominatedNode: undefined,
    message: node === undefined ? '0/1 nodes are available' : '',
    refusals: node === undefined ? [{ node: 'node-1', plugin: 'NodePorts', reasons: ['no free ports'] }] : [],
    scores: [],
  });
  explanations.set('default/a', () => decision('default/a', 'node-1'));
  explanations.set('default/b', () => decision('default/b', undefined));
  expect(schedulingDocument(explanations, '/debug/scheduling')).toEqual({
    decisions: [
      { pod: 'default/a', uid: 'uid of default/a', timeMs: 1, attempt: 1, node: 'node-1', message: '', refusedNodes: 0 },
      { pod: 'default/b', uid: 'uid of default/b', timeMs: 1, attempt: 1, message: '0/1 nodes are available', refusedNodes: 1 },
    ],
  });
  expect(schedulingDocument(explanations, '/debug/scheduling/default/b')).toMatchObject({
    refusals: [{ node: 'node-1', plugin: 'NodePorts', reasons: ['no free ports'] }],
  });
  for (const path of ['/debug/scheduling/default/c', '/debug/scheduling/', '/debug/schedulings', '/debug/pprof'])
    expect(schedulingDocument(explanations, path), path).toBeUndefined();
});
