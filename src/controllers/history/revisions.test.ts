import { expect, test } from 'vitest';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import {
  hashRevisionData,
  isEqualRevision,
  newRevision,
  nextRevisionNumber,
  revisionName,
  revisionsBeyondLimit,
  sortRevisions,
  templatePatch,
} from './index.ts';

/** The data of test/facts: its hashes are those of the real controller. */
const data = {
  spec: {
    template: {
      $patch: 'replace',
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            image: 'nginx:1.28',
            imagePullPolicy: 'IfNotPresent',
            name: 'c',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        dnsPolicy: 'ClusterFirst',
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
    },
  },
};

function revision(name: string, number: number, creationTimestamp = '2026-01-01T00:00:00Z'): appsv1.ControllerRevision {
  return { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name, creationTimestamp }, data: { name }, revision: number };
}

const names = (revisions: readonly appsv1.ControllerRevision[]): readonly unknown[] => revisions.map(({ metadata }) => metadata.name);

test('hashes the data of a revision as the real controller does', () => {
  expect(hashRevisionData(data, 0)).toBe('68f6898675');
  expect(hashRevisionData(data, 1)).toBe('68f6898674');
});

test('hashes the data in whatever order its members are', () => {
  const { $patch, ...template } = data.spec.template;
  expect(hashRevisionData({ spec: { template: { ...template, $patch } } }, 0)).toBe('68f6898675');
});

test('names a revision by its parent and hash, and refers to the parent', () => {
  const parent = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { namespace: 'shop', name: 'web', uid: 'u' } };
  const hashLabel = 'controller.kubernetes.io/hash';
  expect(newRevision(parent, { labels: { app: 'web' }, data, revision: 4, collisionCount: 0, hashLabel })).toEqual({
    metadata: {
      namespace: 'shop',
      name: 'web-68f6898675',
      labels: { app: 'web', 'controller.kubernetes.io/hash': '68f6898675' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true, blockOwnerDeletion: true }],
    },
    data,
    revision: 4,
  });
  expect(revisionName('x'.repeat(300), 'h')).toBe(`${'x'.repeat(223)}-h`);
});

test('sorts revisions by number, age and name, and numbers the next one', () => {
  const sorted = sortRevisions([revision('d', 3), revision('c', 2), revision('b', 2), revision('a', 2, '2026-01-02T00:00:00Z')]);
  expect(names(sorted)).toEqual(['b', 'c', 'a', 'd']);
  expect(nextRevisionNumber(sorted)).toBe(4);
  expect(nextRevisionNumber([])).toBe(1);
});

test('compares revisions by their data', () => {
  expect(isEqualRevision({ data: { a: 1, b: 2 } }, { data: { b: 2, a: 1 } })).toBe(true);
  expect(isEqualRevision({ data: { a: 1 } }, { data: { a: 2 } })).toBe(false);
});

test('finds the oldest revisions beyond the limit, apart from those in use', () => {
  const revisions = ['a', 'b', 'c', 'd'].map((name, index) => revision(name, index));
  const isLive = ({ metadata }: appsv1.ControllerRevision): boolean => metadata.name === 'a';
  expect(names(revisionsBeyondLimit(revisions, isLive, 1))).toEqual(['b', 'c']);
  expect(names(revisionsBeyondLimit(revisions, isLive, 3))).toEqual([]);
});

test('the members of a patch of the template are sorted at all levels', () => {
  const template = { spec: { containers: [{ name: 'c', image: 'i' }] }, metadata: { labels: { b: '', a: '' } } };
  expect(JSON.stringify(templatePatch({ spec: { template: template as unknown as corev1.PodTemplateSpec } }))).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"","b":""}},"spec":{"containers":[{"image":"i","name":"c"}]}}}}',
  );
});
