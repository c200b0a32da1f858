import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { type Attributes, resourceAttributes } from '../attributes.ts';
import { abacAuthorizer } from './abac-authorizer.ts';
import { readPolicyFile } from './policy-file.ts';

const product = productByName('kubernetes');
const line = (spec: object): string => JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
const read = (...lines: string[]) => readPolicyFile(lines.join('\n'), '/p', product);
const authorizeWith = (text: string, changes: Partial<Attributes> = {}, username = 'bob', groups = ['system:authenticated']) => {
  const user = { username, uid: '', groups, extra: {} };
  return abacAuthorizer(read(text)).authorize({
    ...resourceAttributes(user, { verb: 'get', group: '', resource: 'pods', namespace: 'ns' }),
    ...changes,
  });
};

test.each<[string, object, Partial<Attributes>, boolean]>([
  [
    'a policy for everything allows a user everything',
    { user: 'bob', namespace: '*', resource: '*', apiGroup: '*' },
    { verb: 'delete', group: 'apps' },
    true,
  ],
  ['a policy without a subject matches nothing', { namespace: '*', resource: '*', apiGroup: '*' }, {}, false],
  ['a star matches all authenticated users', { user: '*', namespace: 'ns', resource: 'pods' }, {}, true],
  ['readonly denies other verbs', { user: 'bob', readonly: true, namespace: 'ns', resource: 'pods' }, { verb: 'create' }, false],
  ['readonly allows watch', { user: 'bob', readonly: true, namespace: 'ns', resource: 'pods' }, { verb: 'watch' }, true],
  ['the core group does not match other groups', { user: 'bob', namespace: 'ns', resource: 'pods' }, { group: 'apps' }, false],
  ['user and group must both match', { user: 'bob', group: 'ops', namespace: 'ns', resource: 'pods' }, {}, false],
  ['paths', { user: 'bob', nonResourcePath: '/x/*' }, { isResourceRequest: false, path: '/x/y' }, true],
  ['a nonResourcePath does not match resources', { user: 'bob', nonResourcePath: '*' }, {}, false],
])('%s', async (_, spec, changes, allowed) => {
  expect(await authorizeWith(line(spec), changes)).toMatchObject(
    allowed ? { verdict: 'allow' } : { verdict: 'no-opinion', reason: 'No policy matched.' },
  );
});

test('empty fields of a v0 line match everything', async () => {
  expect(await authorizeWith('{"user":"bob"}', { group: 'apps' })).toMatchObject({ verdict: 'allow' });
  expect(await authorizeWith('{}', {}, 'eve')).toMatchObject({ verdict: 'allow' });
  expect(await authorizeWith('{}', {}, 'system:anonymous', ['system:unauthenticated'])).toMatchObject({ verdict: 'no-opinion' });
  expect(await authorizeWith('{"user":"bob","resource":"pods"}', { isResourceRequest: false, path: '/x' })).toMatchObject({
    verdict: 'no-opinion',
  });
});

test('skips empty lines and comments, reports invalid lines with their number', () => {
  expect(read('', '# a comment', line({ user: 'bob' }))).toHaveLength(1);
  expect(() => read(line({}), 'nonsense')).toThrow(/^error reading policy file \/p, line 2: nonsense: couldn't get version\/kind; /);
  expect(() => read('{"apiVersion":"abac.authorization.kubernetes.io/v9","kind":"Policy"}')).toThrow(
    /no kind "Policy" is registered for version/,
  );
});

test('lists policies as rules', () => {
  const { resourceRules, nonResourceRules } = abacAuthorizer(
    read(
      line({ user: 'bob', namespace: '*', resource: 'pods', readonly: true }),
      line({ user: 'bob', namespace: 'x', nonResourcePath: '/y' }),
    ),
  ).rulesFor({ username: 'bob', uid: '', groups: [], extra: {} }, 'x');
  expect(resourceRules).toEqual([{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'], resourceNames: [] }]);
  expect(nonResourceRules).toEqual([{ verbs: ['*'], nonResourceURLs: ['/y'] }]);
});

test.each([
  [
    '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":5}}',
    'number into Go struct field PolicySpec.spec.user of type string',
  ],
  [
    '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"readonly":"a"}}',
    'string into Go struct field PolicySpec.spec.readonly of type bool',
  ],
  ['{"group":[]}', 'array into Go struct field Policy.group of type string'],
])('rejects a line %s of wrong types', (line, message) => {
  expect(() => readPolicyFile(line, 'f', productByName('kubernetes'))).toThrow(
    `error reading policy file f, line 1: ${line}: json: cannot unmarshal ${message}`,
  );
});
