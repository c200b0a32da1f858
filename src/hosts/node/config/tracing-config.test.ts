import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { productByName } from '../../../meta/index.ts';
import { checkTracingConfig } from './tracing-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabplane-tracing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(content: string): Promise<void> {
  const path = join(folder, 'tracing.yaml');
  writeFileSync(path, content);
  return checkTracingConfig(path, productByName('kubernetes'));
}

const file = (members: string): string => `apiVersion: apiserver.config.k8s.io/v1beta1\nkind: TracingConfiguration\n${members}\n`;
const decode = 'failed to read tracing config: unable to decode tracing configuration data: ';
const invalid = 'failed to validate tracing configuration: ';

// The texts were recorded from kube-apiserver 1.34.4.
test.each([
  ['{', `${decode}couldn't get version/kind; json parse error: unexpected end of JSON input`],
  [file('x: 1'), `${decode}strict decoding error: unknown field "x"`],
  [
    file('samplingRatePerMillion: x'),
    `${decode}json: cannot unmarshal string into Go struct field TracingConfiguration.samplingRatePerMillion of type int32`,
  ],
  [file('samplingRatePerMillion: -1'), `${invalid}samplingRatePerMillion: Invalid value: -1: sampling rate must be positive`],
  [
    file('samplingRatePerMillion: 2000000'),
    `${invalid}samplingRatePerMillion: Invalid value: 2000000: sampling rate per million must be less than or equal to one million`,
  ],
  [
    file('endpoint: "bad url:::"'),
    `${invalid}endpoint: Invalid value: "dns://bad url:::": parse "dns://bad url:::": invalid character " " in host name`,
  ],
  [
    file('endpoint: "http://a b"'),
    `${invalid}endpoint: Invalid value: "http://a b": parse "http://a b": invalid character " " in host name`,
  ],
])('refuses %j with the text of the real server', async (content, message) => {
  await expect(check(content)).rejects.toThrow(message);
});

test('accepts valid files, an empty one, and none', async () => {
  await check(file('endpoint: "localhost:4317"\nsamplingRatePerMillion: 10'));
  await check('');
  await checkTracingConfig('', productByName('kubernetes'));
});
