import { afterEach, expect, test } from 'vitest';
import { startTestCluster, type TestCluster } from '../../cluster/test-cluster.test-support.ts';
import { productByName } from '../../meta/index.ts';
import { startControllers } from '../index.ts';
import { certificateApproving } from './certificate-approving.ts';

let cluster: TestCluster;
afterEach(() => cluster.close());

const request = {
  organizations: ['system:nodes'],
  commonName: 'system:node:a',
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
};

/** A request in PEM and base64. The fake authority returns the subject above for it. */
const csr = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ2VUQ0NBV0VDQVFBd05ERVZNQk1HQTFVRUNnd01jM2x6ZEdWdE9tNXZaR1Z6TVJzd0dR',
  'WURWUVFEREJKegplWE4wWlcwNmJtOWtaVHB1YjJSbExUa3dnZ0VpTUEwR0NTcUdTSWIzRFFFQkFRVUFBNElCRHdBd2dnRUtBb0lCCkFRQ2dCc3ZBMVZ5NEVi',
  'M1JrbGlhZlgydmkxTmk1bkpmNElXNS83Q3dVeVJqYnVwamJjQ1JhcnhNV2NLb0YrSWwKQ0NQKytLcDV6SzRFaGdnNGhjNThPNU5lOWIzV3l1ZWtCbFg5dTYx',
  'WjJJSEZndTRmOFZIYUovaVpFSi9BYTBiOAorSVk2amp0cE00VGdqU3dUZ0tTbHdvbmdPVlZaUlNxTHVZa2xOU2M2OHRWOE10UUE5MnZiNHNEaFU0T3hEVU9z',
  'CmhLd0lndGJWaDFEYlR5Vzd1dGMyR25sSUgyZjJ1V2tvQXAybVRNWWdmWHNNMnBTOTVGUmhPZ3lmazhDTkhudXMKMWZObGZUTlB1ZDVJbWJyVjhxRERBTHVF',
  'UVpKMkIxckpyREVoUzF5bi9EVDY4cVcwMG10Y2xVRjZRdFQrbVVMcQpKV1QzKzk0TE1maWVaSzhwUWV2UkRLU2pBZ01CQUFHZ0FEQU5CZ2txaGtpRzl3MEJB',
  'UXNGQUFPQ0FRRUFaRFJZCitoS0pUQ0Vzc1pqckhwc1NKM1RKQm9sc09BM3RVVXE1Wmt6RGZrd2N1ZmxXV3prdWxRRDJWckJSSWJBOW1ueFIKZnNFeXBERWZn',
  'b083dGNCbnFpY0tIU2s2WDY2WHdxQzZtdHdlbTFUK2ppTHNhSjd4cFVvYjlUdW9Bb3ljaHFHTAprYmNQdnB0NDR3bnhhM0ZFYTdmbXg0SnZYM3JDbFdwN2tT',
  'NVpuQWxrazJCbTV2NWlTdnVrc1N6WnVtRm1qOEkvCnBwU1B1aE1remFJZTlsRnpDa2FTLzlEalFxQklXQ0xhOGZPK2FhZHlhRStEN0xpa3k3T2F3b0pkdENa',
  'VmcwS0UKVjJhQzBlMTEzdFRma2lwZFV2OUZMbm1HUnh0VlNpTHVFUys4T3JKdFF2TkJNMjZGTnJaaTljZ3d1SS81bFNYZApnL0o3MjNFWHYrZEV6YkZ1bUE9',
  'PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
].join('');

test('reviews the access of a request that is not allowed with growing delays', async () => {
  cluster = await startTestCluster();
  const { clock, log, adminApi } = cluster;
  const reviewedMs: number[] = [];
  const stop = startControllers(
    {
      api: (call) => {
        if (!call.target.includes('subjectaccessreviews')) return adminApi(call);
        reviewedMs.push(clock.monotonicMs());
        return Promise.resolve({ status: 201, headers: [], body: JSON.stringify({ status: { allowed: false } }) });
      },
      clock,
      log,
      product: productByName('kubernetes'),
      rootAuthority: undefined,
      certificateAuthority: { readRequest: async () => request, sign: () => Promise.reject(new Error('not used')) },
      signSecretToken: () => Promise.reject(new Error('not used')),
    },
    { available: { 'certificatesigningrequest-approving-controller': certificateApproving }, enabled: ['*'] },
  );
  await cluster.send('POST', '/apis/certificates.k8s.io/v1/certificatesigningrequests', {
    metadata: { name: 'c' },
    spec: { request: csr, signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['client auth', 'digital signature'] },
  });
  for (let step = 0; step < 70; step++) {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(100);
  }
  stop();
  const delays = reviewedMs.slice(1).map((atMs, index) => atMs - (reviewedMs[index] ?? 0));
  expect(delays).toEqual([200, 400, 800, 1_600, 3_200]);
});
