import { expect, test } from 'vitest';
import { type ApiHandler, productByName } from '../../meta/index.ts';
import { evaluateChecksAsAdmin, parseCheckRequest } from './lesson-checks.ts';

const facts = { commands: [], requests: [], files: { 'a.yaml': 'x' }, step: { started: '' } };

test.each(['', '[]', '{}', '{"cels":"true","facts":{}}', '{"cels":[1],"facts":{}}', '{"cels":["true"]}'])(
  'rejects %j as a check request',
  (text) => {
    expect(parseCheckRequest(text)).toBeUndefined();
  },
);

test('evaluates checks in order, as admin of this cluster, with the given facts', async () => {
  const seen: (string | null)[] = [];
  const handle: ApiHandler = async ({ target, headers }) => {
    seen.push(`${target} ${new Headers([...headers]).get('authorization')}`);
    const resources = [{ name: 'pods', kind: 'Pod', namespaced: true }];
    return target === '/api/v1'
      ? { status: 200, headers: [], body: JSON.stringify({ resources }) }
      : { status: 404, headers: [], body: '{}' };
  };
  const cels = ['has(get("v1", "Pod", "default", "web"))', 'files["a.yaml"] == "x"', 'nonsense('];
  const question = parseCheckRequest(JSON.stringify({ cels, facts }));
  const result = await evaluateChecksAsAdmin(question ?? { cels: [], facts }, handle, productByName('svc'), new AbortController().signal);
  expect(result.standings.map(({ passed, broken }) => [passed, broken === ''])).toEqual([
    [false, true],
    [true, true],
    [false, false],
  ]);
  expect(result.queriedPaths).toEqual(['/api/v1/namespaces/default/pods']);
  expect(new Set(seen)).toEqual(new Set(['/api/v1 Bearer admin-token', '/api/v1/namespaces/default/pods/web Bearer admin-token']));
});
