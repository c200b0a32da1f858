import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, sendRequest } from './browser.ts';
import { expectSuccess, runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
const siteWithControllers = useSite('/', { nodes: 'on' });

/** Runs openssl in a new folder, and returns the contents of its files. */
function openssl(commands: readonly string[]): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-certificates-'));
  for (const words of commands) execFileSync('openssl', words.split(' '), { cwd: folder, stdio: 'ignore' });
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  rmSync(folder, { recursive: true });
  return (name) => files.get(name) ?? '';
}

const newRequest = 'req -newkey rsa:2048 -nodes -keyout carol.key -out carol.csr -subj /O=dev/CN=carol';
const newAuthority = 'req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -subj /CN=ca -days 2';
const signedRequest = 'x509 -req -in carol.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out carol.crt -days 1';

const whoAmI = `kubectl auth whoami -o jsonpath='{.status.userInfo.username} {.status.userInfo.groups}'`;

const writeFile = (page: Page, name: string, text: string): Promise<string> => runCommand(page, `cat > ${name} <<'END'\n${text}END`);

async function useContextOfCarol(page: Page): Promise<void> {
  await runCommand(page, 'kubectl config set-credentials carol --client-certificate=carol.crt --client-key=carol.key --embed-certs');
  await runCommand(page, 'kubectl config set-context carol --cluster=local --user=carol');
  await runCommand(page, 'kubectl config use-context carol');
}

test('authenticates with a client certificate that the cluster signed, in the terminal and on the screens', async () => {
  const page = await siteWithControllers.visit();
  await runCommand(page, 'openssl genrsa -out carol.key 3072');
  await runCommand(page, 'openssl req -new -key carol.key -out carol.csr -subj "/CN=carol/O=dev"');
  await runCommand(
    page,
    `cat > csr.yaml <<END
apiVersion: certificates.svc/v1
kind: CertificateSigningRequest
metadata: {name: carol}
spec:
  request: $(cat carol.csr | base64 | tr -d "\\n")
  signerName: svc/svc-apiserver-client
  expirationSeconds: 86400
  usages: [client auth]
END`,
  );
  await runCommand(page, 'kubectl apply -f csr.yaml');
  expect(await runCommand(page, 'kubectl get csr carol --no-headers')).toMatch(/ admin +24h +Pending\n$/);
  await runCommand(page, 'kubectl certificate approve carol');
  await eventually(async () => /Approved,Issued\n$/.test(await runCommand(page, 'kubectl get csr carol --no-headers')));
  await runCommand(page, "kubectl get csr carol -o jsonpath='{.status.certificate}' | base64 -d > carol.crt");
  const [issued = '', authority = ''] = [
    await runCommand(page, 'cat carol.crt'),
    await runCommand(page, "kubectl get configmap kube-root-ca.crt -o jsonpath='{.data.ca\\.crt}'"),
  ].map((pem) => new X509Certificate(pem));
  if (!issued || !authority) throw new Error('no certificates');
  expect(issued.verify(authority.publicKey)).toBe(true);
  expect(await runCommand(page, 'openssl x509 -in carol.crt -noout -subject -ext extendedKeyUsage')).toBe(
    'subject=O = dev, CN = carol\nX509v3 Extended Key Usage: \n    TLS Web Client Authentication\n',
  );
  await runCommand(page, 'kubectl create clusterrole lister --verb=list,watch --resource=namespaces');
  await runCommand(page, 'kubectl create clusterrolebinding carol --clusterrole=lister --user=carol');
  await useContextOfCarol(page);
  expect(await runCommand(page, whoAmI)).toBe('carol ["dev","system:authenticated"]');
  expect(await runCommand(page, 'kubectl get secrets')).toContain('User "carol" cannot list resource "secrets"');
  // The namespace menu also sends its request as carol, whose role allows to list namespaces.
  await page.locator('tp-top-bar option', { hasText: 'svc-node-lease' }).waitFor({ state: 'attached' });
});

test('authenticates with a client certificate of a CA that is published besides that of the cluster', async () => {
  const page = await site.visit();
  const fileOf = openssl([newRequest, newAuthority, signedRequest]);
  const published = '/api/v1/namespaces/svc-system/configmaps/extension-apiserver-authentication';
  await eventually(async () => (await sendRequest(page, { target: published })).status === 200);
  await expectSuccess(page, {
    method: 'PATCH',
    target: published,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { data: { 'client-ca-file': fileOf('ca.crt') } },
  });
  for (const name of ['carol.crt', 'carol.key']) await writeFile(page, name, fileOf(name));
  await useContextOfCarol(page);
  expect(await runCommand(page, whoAmI)).toBe('carol ["dev","system:authenticated"]');
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
