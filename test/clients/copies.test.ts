import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { RequestRecord } from '../../src/console/model/request-log.ts';
import { createRequestRecord } from '../../src/console/model/request-record.test-support.ts';
import { toCurl, toFetch, toPython } from '../../src/console/requests/copies.ts';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';

const sent = (method: string, target: string, requestBody = '', token = 'admin-token'): RequestRecord =>
  createRequestRecord({
    method,
    target,
    requestHeaders: [
      ['authorization', `Bearer ${token}`],
      ...(requestBody === '' ? [] : [['content-type', 'application/json'] as const]),
      ['x-tabplane-attempt-id', '1'],
    ],
    requestBody,
  });
const configMaps = '/api/v1/namespaces/default/configmaps';
const body = (name: string): string => JSON.stringify({ metadata: { name }, data: { k: "it's $HOME `x` \\n é" } });

test('IN-5: copies as curl, fetch and Python run unchanged against serve, and get the same status', { timeout: 60_000 }, async () => {
  const server = await startServer('--token-auth-file', tokenFile);
  const run = runnerTrusting(server);
  const options = { baseUrl: server.url, secrets: true };
  const ways: Readonly<Record<string, (record: RequestRecord) => Promise<string>>> = {
    curl: (record) => run('bash', '-c', `${toCurl(record, options)} -s -o /dev/null -w '%{http_code}'`),
    fetch: (record) => run('node', '--input-type=module', '-e', `console.log((${toFetch(record, options)}).status)`),
    python: (record) => run('python3', '-c', pythonStatus(toPython(record, options))),
  };
  for (const [name, status] of Object.entries(ways)) {
    expect(await status(sent('POST', configMaps, body(name))), name).toBe('201');
    expect(await status(sent('POST', configMaps, body(name))), name).toBe('409');
    expect(await status(sent('GET', `${configMaps}/${name}?pretty=true`)), name).toBe('200');
    expect(await status(sent('GET', configMaps, '', 'wrong')), name).toBe('401');
    expect(await status(sent('DELETE', `${configMaps}/${name}`)), name).toBe('200');
  }
  await server.stop();
});

/** Runs programs that trust the server's certificate, each by its own environment variable, and returns their output. */
function runnerTrusting({ kubeconfig, folder }: StartedServer): (program: string, ...args: readonly string[]) => Promise<string> {
  const authorities = join(folder, 'authorities.pem');
  const [, data = ''] = /certificate-authority-data: (\S+)/.exec(readFileSync(kubeconfig, 'utf8')) ?? [];
  writeFileSync(authorities, Buffer.from(data, 'base64'));
  const env = { ...process.env, CURL_CA_BUNDLE: authorities, NODE_EXTRA_CA_CERTS: authorities, SSL_CERT_FILE: authorities };
  return async (program, ...args) => (await promisify(execFile)(program, args, { env })).stdout.trim();
}

/** The copied code, with the status as output instead of the body; an error status is an exception there. */
function pythonStatus(copy: string): string {
  const lines = copy.replace('print(urlopen(request).read().decode())', 'print(urlopen(request).status)').split('\n');
  return `from urllib.error import HTTPError\ntry:\n${lines.map((line) => `  ${line}`).join('\n')}\nexcept HTTPError as error:\n  print(error.code)`;
}
