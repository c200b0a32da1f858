import { type Attack, type AttackRequest, get, post, range } from './attack.ts';

const pods = '/api/v1/namespaces/default/configmaps';
const many = (): Iterable<AttackRequest> => range(300, (at) => post(pods, { metadata: { name: `a${at}`, labels: { a: `v${at}` } } }));
const selector = (name: string, kind: 'labelSelector' | 'fieldSelector', text: () => string, status = 200, watch = ''): Attack => ({
  name: `${kind}: ${name}${watch}`,
  setup: many,
  request: () => get(`${pods}?${watch}${kind}=${encodeURIComponent(text())}`),
  status,
});
const header = (name: string, headers: () => Readonly<Record<string, string>>, status: number): Attack => ({
  name: `headers: ${name}`,
  request: () => get(pods, headers()),
  status,
});
const path = (name: string, target: () => string, status: number): Attack => ({
  name: `path: ${name}`,
  request: () => get(target()),
  status,
});
const token = (text: string): string => Buffer.from(text).toString('base64url');

export const requestAttacks: readonly Attack[] = [
  selector('many values', 'labelSelector', () => `a in (${range(100_000, (at) => `v${at}`).join(',')})`),
  selector('many excluded values', 'labelSelector', () => `a notin (${range(100_000, (at) => `v${at}`).join(',')})`),
  selector('many requirements', 'labelSelector', () => range(30_000, (at) => `a!=x${at}`).join(',')),
  selector('many names', 'labelSelector', () => range(30_000, (at) => `a${at}`).join(',')),
  selector('one requirement repeated often', 'labelSelector', () => range(100_000, () => '!b').join(',')),
  selector('blanks', 'labelSelector', () => `a${' '.repeat(300_000)}=v1`),
  selector('commas', 'labelSelector', () => ','.repeat(100_000), 400),
  selector('parentheses', 'labelSelector', () => `a in ${'('.repeat(100_000)}`, 400),
  selector('a long name', 'labelSelector', () => 'a'.repeat(300_000), 400),
  selector('a long value', 'labelSelector', () => `a=${'a-'.repeat(150_000)}`, 400),
  selector('marks', 'labelSelector', () => '!'.repeat(300_000), 400),
  selector('many values of a watch', 'labelSelector', () => `a in (${range(30_000, (at) => `v${at}`).join(',')})`, 200, 'watch=1&'),
  selector('many requirements', 'fieldSelector', () => range(30_000, (at) => `metadata.name!=x${at}`).join(',')),
  selector('many equal requirements', 'fieldSelector', () => range(30_000, () => 'metadata.name=a1').join(',')),
  selector('escapes', 'fieldSelector', () => `metadata.name=${'\\,'.repeat(100_000)}`),
  selector('unknown fields', 'fieldSelector', () => range(30_000, (at) => `x${at}=1`).join(','), 400),
  {
    name: 'labelSelector: a deletion of many objects by a long selector',
    setup: many,
    request: () => ({
      method: 'DELETE',
      target: `${pods}?labelSelector=${encodeURIComponent(`a in (${range(30_000, (at) => `v${at}`).join(',')})`)}`,
    }),
    status: 200,
  },
  {
    name: 'labelSelector: of a service',
    setup: () => [
      post('/api/v1/namespaces/default/services', {
        metadata: { name: 'a' },
        spec: { ports: [{ port: 80 }], selector: Object.fromEntries(range(50_000, (at) => [`k${at}`, 'v'])) },
      }),
    ],
    request: () => get('/api/v1/namespaces/default/services/a', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
    status: 200,
  },
  path('an invalid token', () => `${pods}?limit=1&continue=${'A'.repeat(1_000_000)}`, 400),
  path(
    'a token of a long name',
    () => `${pods}?limit=1&continue=${token(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: 'a/'.repeat(300_000) }))}`,
    400,
  ),
  path('a deep token', () => `${pods}?limit=1&continue=${token('['.repeat(500_000))}`, 400),
  path('100,000 parameters', () => `${pods}?${range(100_000, (at) => `a${at}=${at}`).join('&')}`, 200),
  path('100,000 limits', () => `${pods}?${range(100_000, () => 'limit=1').join('&')}`, 200),
  path('signs of parameters', () => `${pods}?${'&'.repeat(1_000_000)}`, 200),
  path('equal signs', () => `${pods}?${'='.repeat(1_000_000)}`, 200),
  path('percent signs', () => `${pods}?a=${'%41'.repeat(300_000)}`, 200),
  path('broken percent signs', () => `${pods}?a=${'%'.repeat(1_000_000)}`, 200),
  path('a long number', () => `${pods}?limit=${'9'.repeat(1_000_000)}`, 400),
  path('a long version', () => `${pods}?resourceVersion=${'9'.repeat(1_000_000)}`, 400),
  // 300,000 hours do not overflow Go's time.Duration; the timeout is capped.
  path('a long timeout', () => `${pods}?timeout=${'1h'.repeat(300_000)}`, 200),
  path('segments', () => `/api/v1/${'a/'.repeat(500_000)}`, 404),
  path('slashes', () => `/${'/'.repeat(1_000_000)}`, 404),
  path('dots', () => `/api/${'../'.repeat(300_000)}`, 404),
  path('encoded segments', () => `/api/v1/${'%2e%2e%2f'.repeat(100_000)}`, 404),
  path('a long name', () => `${pods}/${'a'.repeat(1_000_000)}`, 404),
  path('a long group', () => `/apis/${'a.'.repeat(500_000)}/v1`, 404),
  path('a long proxy path', () => `/api/v1/namespaces/default/pods/a/proxy/${'a/'.repeat(300_000)}`, 404),
  header('media ranges', () => ({ accept: range(10_000, (at) => `a/b${at};q=0.${at}`).join(',') }), 406),
  header('equal media ranges', () => ({ accept: range(50_000, () => 'application/json;as=Table;v=v2;g=meta.k8s.io').join(',') }), 406),
  header('parameters of a media range', () => ({ accept: `application/json;${range(50_000, (at) => `a${at}=b`).join(';')}` }), 200),
  header('semicolons', () => ({ accept: `application/json${';'.repeat(300_000)}` }), 200),
  header('quotes', () => ({ accept: `application/json;a="${'\\"'.repeat(150_000)}` }), 200),
  header('blanks', () => ({ accept: `application/json${' '.repeat(300_000)}x` }), 406),
  header('cookies', () => ({ cookie: 'a=b;'.repeat(100_000) }), 200),
  header('encodings', () => ({ 'accept-encoding': 'a,'.repeat(100_000) }), 200),
  header('a long agent', () => ({ 'user-agent': '('.repeat(300_000) }), 200),
  header('an invalid token', () => ({ authorization: `Bearer ${'a'.repeat(300_000)}` }), 401),
  header('a token of dots', () => ({ authorization: `Bearer ${'.'.repeat(300_000)}` }), 401),
  header(
    'a well-formed invalid token',
    () => ({
      authorization: `Bearer ${token('{"alg":"RS256"}')}.${token(JSON.stringify({ iss: 'https://kubernetes.default.svc', aud: range(20_000, String) }))}.AAAA`,
    }),
    401,
  ),
  header('a deep token', () => ({ authorization: `Bearer ${token('{"alg":"RS256"}')}.${token('['.repeat(200_000))}.AAAA` }), 401),
  header('basic credentials', () => ({ authorization: `Basic ${'a:'.repeat(300_000)}` }), 403),
  header('impersonated groups', () => ({ 'impersonate-user': 'a', 'impersonate-group': range(10_000, (at) => `g${at}`).join(',') }), 403),
  header(
    'impersonated extra fields',
    () => ({ 'impersonate-user': 'a', ...Object.fromEntries(range(5_000, (at) => [`impersonate-extra-k${at}`, 'v'])) }),
    403,
  ),
  header('an extra field of percent signs', () => ({ 'impersonate-user': 'a', [`impersonate-extra-${'%41'.repeat(100_000)}`]: 'v' }), 403),
  header('a request id', () => ({ 'x-request-id': 'a'.repeat(300_000) }), 200),
  header('an origin', () => ({ origin: `https://${'a.'.repeat(100_000)}` }), 200),
  {
    name: 'anonymous: an access review of many groups',
    request: () =>
      post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        spec: { user: 'a', groups: range(100_000, (at) => `g${at}`), resourceAttributes: { verb: 'get', resource: 'pods' } },
      }),
    status: 201,
  },
  {
    name: 'roles: 15,000 rules',
    setup: () => [
      post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 'r' },
        rules: range(15_000, (at) => ({ apiGroups: [`g${at}`], resources: ['pods'], verbs: ['get'] })),
      }),
      post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'r' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'a' }],
      }),
    ],
    request: () => get(pods, { 'impersonate-user': 'a' }),
    status: 403,
  },
  {
    name: 'roles: a role of many rules created by a user with few',
    setup: () => [
      post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 'r' },
        rules: [
          { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] },
          ...range(3_000, (at) => ({ apiGroups: [`g${at}`], resources: ['pods'], verbs: ['get'] })),
        ],
      }),
      post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'r' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'a' }],
      }),
    ],
    request: () => {
      const request = post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 's' },
        rules: range(20_000, (at) => ({ apiGroups: [`h${at}`], resources: ['pods'], verbs: ['get'] })),
      });
      return { ...request, headers: { ...request.headers, 'impersonate-user': 'a' } };
    },
    status: 403,
  },
  {
    name: 'roles: a rule of many resources and verbs created by a user with few',
    setup: () => [
      post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 'r' },
        rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] }],
      }),
      post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'r' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'a' }],
      }),
    ],
    request: () => {
      const names = (prefix: string) => range(1_000, (at) => `${prefix}${at}`);
      const request = post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 's' },
        rules: [{ apiGroups: names('g'), resources: names('r'), verbs: names('v'), resourceNames: names('n') }],
      });
      return { ...request, headers: { ...request.headers, 'impersonate-user': 'a' } };
    },
    status: 403,
  },
];
