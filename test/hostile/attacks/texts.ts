import { type Attack, type AttackRequest, get, json, patch, post, range } from './attack.ts';

/** Long texts that a pattern or a parser could read in quadratic or exponential time. */

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const custom = '/apis/example.com/v1/ws';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const definition = (schema: object, more: object = {}): AttackRequest =>
  post(definitions, {
    metadata: { name: 'ws.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'ws', kind: 'WS' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
    },
  });
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const object = (spec: object): AttackRequest => post(custom, { apiVersion: 'example.com/v1', kind: 'WS', metadata: { name: 'a' }, spec });
const columnAttack = (name: string, jsonPath: string): Attack => ({
  name: `text: a column's path of ${name}`,
  setup: () => [
    definition(open, { additionalPrinterColumns: [{ name: 'c', type: 'string', jsonPath }] }),
    object({ a: range(100, (at) => ({ b: at })) }),
  ],
  request: () => get(custom, { accept: table }),
  status: 200,
});
const formatAttack = (format: string, text: string): Attack => ({
  name: `text: no ${format} of ${text.length} characters ${json(text.slice(0, 3))}`,
  setup: () => [definition({ type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string', format } } } } })],
  request: () => object({ a: text }),
  status: 422,
});

/** A PKCS #10 request for `CN=x`, in PEM and base64. */
const signingRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QmVEQlpNQk1HQnlxR1NNNDlBZ0' +
  'VHQ0NxR1NNNDlBd0VIQTBJQQpCSmpVRDVMcXBoRE1UaVlFT0FXR0R2dFNDRXBUMWJRaTdFZHNncmpCU2JYTDg3TGNaOCs1Q0xmalB6bVRZZTV3' +
  'Cno3ZW1xS3NvT1hKd3B5aXhFeFN0VWpXZ0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpQnR4UU10dmNqN3ZhNFQKMEJrOEdpMCt4ZWE2YkhSQ3' +
  'hZbGYwSDgwNE5MdlRnSWhBS1M1b0VoT2xqSTRnSHJodTlOeEhtOHN1Z0JzOXJDegpBai9UTWNvM1ZoUW4KLS0tLS1FTkQgQ0VSVElGSUNBVEUg' +
  'UkVRVUVTVC0tLS0tCg==';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const certificateAttack = (name: string, text: string): Attack => ({
  name: `text: an issued certificate of ${name}`,
  setup: () => [
    post(requests, {
      metadata: { name: 'a' },
      spec: {
        signerName: 'example.com/signer',
        usages: ['client auth'],
        request: signingRequest,
      },
    }),
  ],
  request: () => patch(`${requests}/a/status`, 'application/merge-patch+json', { status: { certificate: btoa(text) } }),
  status: 422,
});

const account = post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
const podAttack = (name: string, spec: object, status: number): Attack => ({
  name: `text: a pod with ${name}`,
  setup: () => [account],
  request: () =>
    post('/api/v1/namespaces/default/pods', { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } }),
  status,
});
const containers = (container: object): object => ({ containers: [{ name: 'c', image: 'i', ...container }] });

export const textAttacks: readonly Attack[] = [
  columnAttack('a filter with spaces', `.spec.a[?(@.b${' '.repeat(90_000)})]`),
  columnAttack('a filter with quotes', `.spec.a[?(@.b${"''".repeat(45_000)})]`),
  columnAttack('escapes in brackets', `.spec[\\'${'\\'.repeat(100)}]`),
  columnAttack('a union of 15,000 indexes', `.spec.a[${range(15_000, (at) => at).join()}]`),
  columnAttack('30,000 values', range(30_000, () => '.a').join(' ')),
  columnAttack('300,000 values', range(300_000, () => '.a').join(' ')),
  formatAttack('email', `${'\t'.repeat(500_000)}x`),
  formatAttack('email', `a${' '.repeat(500_000)}x`),
  formatAttack('email', `${'<'.repeat(500_000)}>`),
  formatAttack('uri', `a://${'@'.repeat(500_000)}[`),
  formatAttack('hostname', 'a-'.repeat(250_000)),
  formatAttack('duration', 'h'.repeat(500_000)),
  formatAttack('date-time', '2'.repeat(500_000)),
  formatAttack('cidr', '1.'.repeat(250_000)),
  formatAttack('ipv6', ':'.repeat(500_000)),
  formatAttack('creditcard', `${'4'.repeat(500_000)}x`),
  certificateAttack('BEGIN lines', '-----BEGIN a: b-----\n'.repeat(50_000)),
  certificateAttack('BEGIN and END lines', '-----BEGIN -----\n-----END  '.repeat(40_000)),
  podAttack('a quantity of zeros', containers({ resources: { limits: { cpu: `${'0'.repeat(500_000)}!` } } }), 400),
  podAttack(
    'a quantity of zeros and a dot',
    containers({ resources: { limits: { cpu: `${'0'.repeat(9_000)}.${'1'.repeat(9_000)}.` } } }),
    400,
  ),
  podAttack(
    'a field path of brackets',
    containers({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: "['".repeat(250_000) } } }] }),
    422,
  ),
  podAttack(
    'a path of slashes',
    { volumes: [{ name: 'v', configMap: { name: 'c', items: [{ key: 'a', path: `a${'/'.repeat(500_000)}x` }] } }] },
    201,
  ),
  podAttack(
    '40,000 paths in a volume',
    { volumes: [{ name: 'v', configMap: { name: 'c', items: range(40_000, (at) => ({ key: 'a', path: `p${at}` })) } }] },
    201,
  ),
  podAttack(
    'a container port mapped to 20,000 host ports',
    containers({ ports: range(20_000, (at) => ({ containerPort: 80, hostPort: at + 1 })) }),
    201,
  ),
  {
    name: 'text: a volume with a path of slashes',
    request: () =>
      post('/api/v1/persistentvolumes', {
        metadata: { name: 'a' },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Recycle',
          hostPath: { path: `/a${'/'.repeat(500_000)}x` },
        },
      }),
    status: 201,
  },
  {
    name: 'text: a time of line breaks',
    request: () =>
      post('/api/v1/nodes', {
        metadata: { name: 'a' },
        spec: { taints: [{ key: 'a', effect: 'NoExecute', timeAdded: '\n'.repeat(500_000) }] },
      }),
    status: 400,
  },
  { name: 'text: a path of slashes', request: () => get(`/a${'/'.repeat(1_000_000)}x`), status: 404 },
];
