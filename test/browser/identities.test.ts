import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectSuccess, runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

/** Creates a certificate authority and a client certificate with openssl. */
function makeCertificates(): { readonly authority: string; readonly certificate: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-certificates-'));
  const openssl = (...words: string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=ca', '-days', '2');
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'carol.key', '-out', 'carol.csr', '-subj', '/O=dev/CN=carol');
  openssl('x509', '-req', '-in', 'carol.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'carol.crt', '-days', '1');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const certificates = { authority: read('ca.crt'), certificate: read('carol.crt'), key: read('carol.key') };
  rmSync(folder, { recursive: true });
  return certificates;
}

const whoAmI = `kubectl auth whoami -o jsonpath='{.status.userInfo.username} {.status.userInfo.groups}'`;

test('authenticates with a client certificate of the kubeconfig, in the terminal and on the screens', async () => {
  const page = await site.visit();
  const { authority, certificate, key } = makeCertificates();
  const metadata = { name: 'extension-apiserver-authentication' };
  await expectSuccess(page, {
    method: 'POST',
    target: '/api/v1/namespaces/svc-system/configmaps',
    body: { metadata, data: { 'client-ca-file': authority } },
  });
  await runCommand(page, `cat > carol.crt <<'END'\n${certificate}END`);
  await runCommand(page, `cat > carol.key <<'END'\n${key}END`);
  await runCommand(page, 'kubectl create clusterrole lister --verb=list,watch --resource=namespaces');
  await runCommand(page, 'kubectl create clusterrolebinding carol --clusterrole=lister --user=carol');
  await runCommand(page, 'kubectl config set-credentials carol --client-certificate=carol.crt --client-key=carol.key --embed-certs');
  await runCommand(page, 'kubectl config set-context carol --cluster=local --user=carol');
  await runCommand(page, 'kubectl config use-context carol');
  expect(await runCommand(page, whoAmI)).toBe('carol ["dev","system:authenticated"]');
  expect(await runCommand(page, 'kubectl get secrets')).toContain('User "carol" cannot list resource "secrets"');
  // The namespace menu also sends its request as carol, whose role allows to list namespaces.
  await page.locator('tp-top-bar option', { hasText: 'svc-node-lease' }).waitFor({ state: 'attached' });
});

test('a function of the page serves as a credential plugin', async () => {
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
  await runCommand(page, exec('corp-login'));
  expect(await runCommand(page, `${whoAmI} --kubeconfig with-plugin --user bob`)).toBe('alice ["dev","qa","system:authenticated"]');
  await runCommand(page, exec('nobody-registered-it'));
  expect(await runCommand(page, `${whoAmI} --kubeconfig with-plugin --user bob`)).toContain(
    'getting credentials: exec: executable nobody-registered-it not found',
  );
});
