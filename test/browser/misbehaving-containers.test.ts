import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventually, sendRequest } from './browser.ts';
import { expectSuccess, runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite('/', { nodes: 'on' });
const pods = '/api/v1/namespaces/default/pods';

/** Shell scripts of containers that use up what they can get, by the names of their pods. */
const scripts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('./misbehaving-containers.json', import.meta.url), 'utf8'),
);

test('the page paints, the API answers and other containers run on beside containers that misbehave', async () => {
  const page = await site.visit();
  const create = (name: string, script: string): Promise<unknown> => {
    const container = { name: 'main', image: 'busybox', command: ['sh', '-c', script] };
    return expectSuccess(page, { method: 'POST', target: pods, body: { metadata: { name }, spec: { containers: [container] } } });
  };
  const stateOf = async (name: string): Promise<Record<string, unknown>> => {
    const { status } = JSON.parse((await sendRequest(page, { target: `${pods}/${name}` })).text);
    return status.containerStatuses?.[0] ?? {};
  };
  const all = Object.entries({ good: 'sleep 3600', ...scripts });
  for (const [name, script] of all) await create(name, script);
  for (const [name] of all) await eventually(async () => (await stateOf(name))['containerID'] !== undefined);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 120; frame++) await new Promise((painted) => requestAnimationFrame(painted));
  });
  expect(await runCommand(page, 'kubectl exec good -- echo still here')).toContain('still here\n');
  expect(await stateOf('good')).toMatchObject({ ready: true, restartCount: 0 });
});
