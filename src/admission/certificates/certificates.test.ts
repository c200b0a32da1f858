import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, productByName, StatusError } from '../../meta/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  type SignerAuthorizer,
} from '../index.ts';
import { requestFor } from '../request.test-support.ts';

const product = productByName('kubernetes');

/** Signed requests with the subjects O=system:masters,O=b,CN=u and CN=u. */
const ofMaster =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIck1JR1RBZ0VBTURFeEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVFvd0NBWURWUVFLREFGaQpNUW93Q0FZRFZRUUREQUYxTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFZ3JxK20zR0Z3eGd5ClFjMUZOZHhTZTcxU1dtWVNJYTN0SU0vK2xqNEVmMXhHcXlyRkpESVh1OHRLN1pERUtmTElZK1Vrdy9kRWd5MG8KLzBVbjh0OEQycUFBTUFvR0NDcUdTTTQ5QkFNQ0EwY0FNRVFDSURydE13alBjd0xBQWtmQUJOZ3FlczhudW9vZQptMXRMSzBEdmlyQWVMQjM1QWlCc084K3V0RTJGYkJ2a3U2NWR4dzdwWDhMaWNLZS9JL01pR1VIYmJqL2hsQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
const ofUser =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QmRUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCSUs2dnB0eGhjTVlNa0hOUlRYY1VudTlVbHBtRWlHdDdTRFAvcFkrQkg5Y1Jxc3F4U1F5Rjd2TFN1MlF4Q255CnlHUGxKTVAzUklNdEtQOUZKL0xmQTlxZ0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpQXRlSlF0S3dCeUs5akEKRzNubEdLME9RVk1kd1NVeTMzV1BEYTNLb0pxelZ3SWhBSkYxRHd6MzI2UDh4TG9MUkw0bWJvbm1aNHo0OE4rOAp1QWRGQ0FyMGxSNUoKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';

const object = (spec: JsonObject, status: JsonObject = {}): ApiObject => ({
  kind: '',
  apiVersion: '',
  metadata: { name: 'c' },
  spec,
  status,
});

function request(operation: 'CREATE' | 'UPDATE', subresource: string, resource = 'certificatesigningrequests'): AdmissionRequest {
  return requestFor({ operation, group: 'certificates.k8s.io', resource, subresource, namespace: '', name: 'c' });
}

/** Granted rights, as `approve a.b/c`. */
const rights =
  (...granted: readonly string[]): SignerAuthorizer =>
  async (_, verb, signerName) =>
    granted.includes(`${verb} ${signerName}`);

async function answer(plugin: AdmissionPlugin, attributes: AdmissionRequest, next: ApiObject, old?: ApiObject): Promise<string> {
  if (!plugin.handles(attributes)) return 'no concern';
  try {
    await plugin.validate?.(attributes, next, old);
    return 'allowed';
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

const signer = object({ signerName: 'a.b/c' });
const deniedMessage = (what: string): string =>
  `certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to ${what} "a.b/c"`;

test('approval requires the right for the signer or its domain', async () => {
  const approve = (...granted: readonly string[]): Promise<string> =>
    answer(certificateApproval(rights(...granted)), request('UPDATE', 'approval'), object({ signerName: 'x.y/z' }), signer);
  expect(await approve('approve a.b/c')).toBe('allowed');
  expect(await approve('approve a.b/*')).toBe('allowed');
  expect(await approve('sign a.b/c', 'approve x.y/z')).toBe(deniedMessage('approve requests with signerName'));
});

test('signing requires the right to sign, other status updates do not', async () => {
  const sign = (status: JsonObject, ...granted: readonly string[]): Promise<string> =>
    answer(certificateSigning(rights(...granted)), request('UPDATE', 'status'), object({ signerName: 'a.b/c' }, status), signer);
  expect(await sign({})).toBe('allowed');
  expect(await sign({ certificate: 'YQ==' })).toBe(deniedMessage('sign requests with signerName'));
  expect(await sign({ conditions: [{ type: 'Failed' }] })).toBe(deniedMessage('sign requests with signerName'));
  expect(await sign({ certificate: 'YQ==' }, 'sign a.b/*')).toBe('allowed');
});

test('rejects client certificates of system:masters', async () => {
  const create = (request64: string, signerName: string): Promise<string> =>
    answer(certificateSubjectRestriction(product), request('CREATE', ''), object({ request: request64, signerName }));
  const client = 'kubernetes.io/kube-apiserver-client';
  expect(await create(ofUser, client)).toBe('allowed');
  expect(await create(ofMaster, 'a.b/c')).toBe('allowed');
  expect(await create(ofMaster, client)).toContain(`use of ${client} signer with system:masters group is not allowed`);
});

test('requires attest for a trust bundle, except for changes of the garbage collector', async () => {
  const plugin = clusterTrustBundleAttest(rights('attest a.b/c'));
  const attributes = request('UPDATE', '', 'clustertrustbundles');
  const bundle = object({ signerName: 'x.y/z', trustBundle: 'x' });
  expect(await answer(plugin, attributes, signer, signer)).toBe('allowed');
  expect(await answer(plugin, attributes, { ...bundle, metadata: { name: 'c', finalizers: ['a/b'] } }, bundle)).toBe('allowed');
  expect(await answer(plugin, attributes, object({}), bundle)).toBe('allowed');
  expect(await answer(plugin, attributes, bundle, signer)).toContain('user not permitted to attest for signerName "x.y/z"');
});

test('ignores other subresources', async () => {
  expect(await answer(certificateApproval(rights()), request('UPDATE', 'status'), signer, signer)).toBe('no concern');
  expect(await answer(certificateSigning(rights()), request('UPDATE', ''), signer, signer)).toBe('no concern');
  expect(await answer(certificateSubjectRestriction(product), request('UPDATE', ''), signer, signer)).toBe('no concern');
});
