import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { must, runLine } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

/** Certificates as an operator makes them. */
function makeCertificates(): { readonly authority: string; readonly certificate: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-certificates-'));
  const openssl = (...words: string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=ca', '-days', '2');
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'carol.key', '-out', 'carol.csr', '-subj', '/O=dev/CN=carol');
  openssl('x509', '-req', '-in', 'carol.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'carol.crt', '-days', '1');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const made = { authority: read('ca.crt'), certificate: read('carol.crt'), key: read('carol.key') };
  rmSync(folder, { recursive: true });
  return made;
}

const whoAmI = `kubectl auth whoami -o jsonpath='{.status.userInfo.username} {.status.userInfo.groups}'`;

test('a certificate of the kubeconfig is who one is, in the terminal and on the screens', async () => {
  const page = await site.visit();
  const { authority, certificate, key } = makeCertificates();
  const metadata = { name: 'extension-apiserver-authentication' };
  await must(page, {
    method: 'POST',
    target: '/api/v1/namespaces/svc-system/configmaps',
    body: { metadata, data: { 'client-ca-file': authority } },
  });
  await runLine(page, `cat > carol.crt <<'END'\n${certificate}END`);
  await runLine(page, `cat > carol.key <<'END'\n${key}END`);
  await runLine(page, 'kubectl create clusterrole lister --verb=list,watch --resource=namespaces');
  await runLine(page, 'kubectl create clusterrolebinding carol --clusterrole=lister --user=carol');
  await runLine(page, 'kubectl config set-credentials carol --client-certificate=carol.crt --client-key=carol.key --embed-certs');
  await runLine(page, 'kubectl config set-context carol --cluster=local --user=carol');
  await runLine(page, 'kubectl config use-context carol');
  expect(await runLine(page, whoAmI)).toBe('carol ["dev","system:authenticated"]');
  expect(await runLine(page, 'kubectl get secrets')).toContain('User "carol" cannot list resource "secrets"');
  // The menu of namespaces is read as carol, too, who may list them.
  await page.locator('tp-top-bar option', { hasText: 'svc-node-lease' }).waitFor({ state: 'attached' });
});

test('a credential plugin is a function of the page', async () => {
  const page = await site.visit();
  await page.evaluate(() => {
    type Plugin = (input: { credential: { apiVersion: string }; args: readonly string[] }) => unknown;
    const { plugins } = (globalThis as unknown as { tabplane: { plugins: Map<string, Plugin> } }).tabplane;
    plugins.set('corp-login', ({ credential: { apiVersion }, args: [user] }) => {
      return { apiVersion, kind: 'ExecCredential', status: { token: `${user}-token` } };
    });
  });
  const exec = (command: string): string =>
    `kubectl config view --raw | sed 's/token: bob-token/exec: {command: ${command}, args: [alice], apiVersion: client.authentication.svc\\/v1, interactiveMode: Never}/' > with-plugin`;
  await runLine(page, exec('corp-login'));
  expect(await runLine(page, `${whoAmI} --kubeconfig with-plugin --user bob`)).toBe('alice ["dev","qa","system:authenticated"]');
  await runLine(page, exec('nobody-registered-it'));
  expect(await runLine(page, `${whoAmI} --kubeconfig with-plugin --user bob`)).toContain(
    'getting credentials: exec: executable nobody-registered-it not found',
  );
});
