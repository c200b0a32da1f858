import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite('/', { nodes: 'on' });

async function visit(): Promise<Page> {
  const page = await site.visit();
  await page.locator('tp-command-line textarea').waitFor();
  return page;
}

/** Waits until the output of a command has the text, and returns it. */
async function waitForOutput(page: Page, command: string, text: string): Promise<string> {
  let output = '';
  await eventually(async () => {
    output = await runCommand(page, command);
    return output.includes(text);
  });
  return output;
}

test('a deployment behind a Service serves a page to a pod, whose output is shown', async () => {
  const page = await visit();
  await runCommand(page, 'kubectl create deployment web --image=nginx');
  await runCommand(page, 'kubectl expose deployment web --port=80');
  await waitForOutput(page, 'kubectl get deployment web', '1/1');
  await waitForOutput(page, 'kubectl get endpointslices', ' 10.244.');
  const output = await runCommand(page, 'kubectl run box --image=busybox -it --rm -- wget -qO- http://web');
  expect(output).toContain('<title>Welcome to nginx!</title>');
  expect(output).toContain('pod "box" deleted');
  expect(await waitForOutput(page, 'kubectl logs deploy/web', 'GET /')).toMatch(/"GET \/ HTTP\/1\.1" 200/);
});

test('a pod reaches the API server over TLS, with the authority and the token of its service account', async () => {
  const page = await visit();
  await runCommand(page, 'kubectl run c --image=curlimages/curl --command -- sleep 3600');
  await waitForOutput(page, 'kubectl get pod c', 'Running');
  const request = 'curl -s --cacert ca.crt -H "Authorization: Bearer $(cat token)" https://svc.default.svc/api/v1/pods';
  expect(await runCommand(page, `kubectl exec c -- sh -c 'cd /var/run/secrets/*/serviceaccount; ${request}'`)).toContain(
    'User \\"system:serviceaccount:default:default\\" cannot list resource \\"pods\\"',
  );
  expect(await runCommand(page, `kubectl exec c -- sh -c 'curl -sS https://svc.default.svc'`)).toContain('certificate');
});

test('commands run in a container, with their exit codes and the errors of the real runtime', async () => {
  const page = await visit();
  await runCommand(page, 'kubectl run box --image=busybox -- sleep 3600');
  await waitForOutput(page, 'kubectl get pod box', 'Running');
  expect(await runCommand(page, 'kubectl exec box -- hostname')).toBe('box\n');
  expect(await runCommand(page, 'kubectl exec box -- sh -c "echo out; echo err >&2; exit 3"')).toBe(
    'out\nerr\ncommand terminated with exit code 3\n',
  );
  expect(await runCommand(page, 'echo hello | kubectl exec -i box -- tr a-z A-Z')).toBe('HELLO\n');
  expect(await runCommand(page, 'kubectl exec box -- nothing')).toContain('executable file not found in $PATH');
});

test('files and folders are copied to a container and back', async () => {
  const page = await visit();
  await runCommand(page, 'kubectl run box --image=busybox -- sleep 3600');
  await waitForOutput(page, 'kubectl get pod box', 'Running');
  await runCommand(page, 'mkdir -p shop/empty; echo one > shop/a; kubectl cp shop box:/tmp/shop');
  expect(await runCommand(page, 'kubectl exec box -- sh -c "cd /tmp; find shop | sort; cat shop/a"')).toBe(
    'shop\nshop/a\nshop/empty\none\n',
  );
  // Into a folder that exists.
  await runCommand(page, 'kubectl cp shop/a box:/tmp/shop/empty');
  expect(await runCommand(page, 'kubectl cp box:/tmp/shop back; find back | sort; cat back/empty/a')).toBe(
    "tar: removing leading '/' from member names\nback\nback/a\nback/empty\nback/empty/a\none\n",
  );
  expect(await runCommand(page, 'kubectl cp none box:/tmp')).toBe("error: none doesn't exist in local filesystem\n");
  expect(await runCommand(page, 'kubectl cp box:/tmp/shop/a back')).toContain('error: open back: is a directory\n');
});
