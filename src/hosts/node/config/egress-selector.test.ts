import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { productByName } from '../../../meta/index.ts';
import { checkEgressSelector } from './egress-selector.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabplane-egress-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(content: string): Promise<void> {
  const path = join(folder, 'egress.yaml');
  writeFileSync(path, content);
  return checkEgressSelector(path, productByName('kubernetes'));
}

const file = (members: string): string => `apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\n${members}\n`;
const cluster = (connection: string): string => file(`egressSelections: [{name: cluster, connection: {${connection}}}]`);
const http = (transport: string): string => cluster(`proxyProtocol: HTTPConnect, transport: {${transport}}`);
const invalid = 'failed to validate egress selector configuration: service.connection';
const read = 'failed to read egress selector config: ';

// The texts were recorded from kube-apiserver 1.34.4.
test.each([
  ['', `${read}Object 'Kind' is missing in ''`],
  ['{', `${read}couldn't get version/kind; json parse error: unexpected end of JSON input`],
  [file('x: 1'), `${read}strict decoding error: unknown field "x"`],
  [
    file('').replace('v1beta1', 'v1'),
    `${read}no kind "EgressSelectorConfiguration" is registered for version "apiserver.k8s.io/v1" in scheme "pkg/runtime/scheme.go:110"`,
  ],
  [
    file('egressSelections: [{name: bad, connection: {proxyProtocol: Direct}}]'),
    `${invalid}: Unsupported value: "bad": supported values: "cluster", "controlplane", "etcd"`,
  ],
  [
    file('egressSelections: [{name: cluster, connection: {proxyProtocol: Direct}}, {name: Cluster, connection: {proxyProtocol: Direct}}]'),
    `${invalid}[1]: Duplicate value: "cluster"`,
  ],
  [cluster('proxyProtocol: Bad'), `${invalid}.protocol: Unsupported value: "Bad": supported values: "Direct", "HTTPConnect", "GRPC"`],
  [
    cluster('proxyProtocol: Direct, transport: {}'),
    `${invalid}.transport: Invalid value: "direct": config must be absent for direct connect`,
  ],
  [cluster('proxyProtocol: HTTPConnect'), `${invalid}.transport: Required value: transport must be set for HTTPConnect`],
  [http(''), `${invalid}.tcp: Required value: One of TCP or UDS must be set`],
  [http('tcp: {url: "ftp://x"}'), `${invalid}.url: Invalid value: "ftp://x": supported connection protocols are http:// and https://`],
  [http('tcp: {url: "https://x"}'), `${invalid}.tlsConfig: Required value: TLSConfig must be present when using HTTPS`],
  [
    http('tcp: {url: "http://x", tlsConfig: {caBundle: /none}}'),
    `${invalid}.tlsConfig: Invalid value: "nil": config must not be present when using HTTP`,
  ],
  [
    http('tcp: {url: "https://x", tlsConfig: {caBundle: /none, clientKey: /none}}'),
    `failed to validate egress selector configuration: [service.connection.tlsConfig.caBundle: Invalid value: "/none": TLS config ca bundle does not exist, service.connection.tlsConfig.clientCert: Invalid value: "nil": Using TLS requires clientCert, service.connection.tlsConfig.clientKey: Invalid value: "/none": TLS client key does not exist]`,
  ],
  [cluster('proxyProtocol: GRPC, transport: {tcp: {url: "http://x"}}'), `${invalid}.uds: Required value: UDS must be set with GRPC`],
  [
    cluster('proxyProtocol: GRPC, transport: {uds: {udsName: ""}}'),
    `${invalid}.udsName: Invalid value: "nil": must be present for UDS connections`,
  ],
])('refuses %j with the text of the real server', async (content, message) => {
  await expect(check(content)).rejects.toThrow(message);
});

test('accepts valid files, and none', async () => {
  await check(cluster('proxyProtocol: Direct'));
  await check(http('uds: {udsName: /run/proxy.sock}'));
  await checkEgressSelector('', productByName('kubernetes'));
});
