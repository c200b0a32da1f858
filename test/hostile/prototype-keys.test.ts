import { describe, expect, test, vi } from 'vitest';
import { productByName } from '../../src/meta/index.ts';
import { createCatalog, formatGroupVersion, type Resource, type Schema } from '../../src/schema/index.ts';
import { createTestServer, type HostileAnswer, type HostileRequest, testTimeoutMs } from './test-server.ts';

vi.setConfig({ testTimeout: testTimeoutMs });

/**
 * Go has no prototypes: a key named `constructor` or `__proto__` is like any other. Every place where a user chooses a key is tested with
 * the names of JavaScript's own members. Read as a record's member such a name returns a function or an object that was never set; set
 * by assignment `__proto__` is lost.
 */
/** Names of JavaScript's own members, and ordinary ones of the same length, letter case and nearly the same order: the responses must be equal except for the name. */
const ordinaryNames: ReadonlyMap<string, string> = new Map([
  ['__proto__', '__prota__'],
  ['constructor', 'constructoq'],
  ['toString', 'toStrinh'],
  ['hasOwnProperty', 'hasOwnPropertz'],
  ['valueOf', 'valueOg'],
  ['__defineGetter__', '__defineGettes__'],
]);

const product = productByName('kubernetes');
const catalog = createCatalog(product);
const creatable = catalog.groups
  .flatMap(({ name: group, versions }) => versions.flatMap((version) => catalog.resourcesOf(formatGroupVersion({ group, version }))))
  .filter(({ verbs }) => verbs.has('create'));

const json = { 'content-type': 'application/json' };
const configMaps = '/api/v1/namespaces/default/configmaps';

const post = (target: string, body: unknown, headers: Readonly<Record<string, string>> = {}): HostileRequest => ({
  method: 'POST',
  target,
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
});

const get = (target: string, headers: Readonly<Record<string, string>> = {}): HostileRequest => ({ method: 'GET', target, headers });

/** A record with one own member of any name. */
const record = <T>(name: string, value: T): Readonly<Record<string, T>> => Object.fromEntries([[name, value]]);

const review = (spec: object) => ({ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec });
const pod = (spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const role = (name: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'a' },
  rules: [{ apiGroups: [name], resources: [name], verbs: [name] }],
});
const binding = (ref: object, subject: object = {}) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'a' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view', ...ref },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'u', ...subject }],
});
const policy = (expression: string, more: object = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'a' },
  spec: {
    matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }] },
    validations: [{ expression }],
    ...more,
  },
});
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const pods = '/api/v1/namespaces/default/pods';

/** Requests that use the name in different places: each must get the same response as an ordinary name. */
const requests: Readonly<Record<string, (name: string) => HostileRequest>> = {
  'the method': (name) => ({ method: name, target: configMaps }),
  'a header': (name) => get('/api', { [name]: 'a' }),
  'an extra field of impersonation': (name) => get('/api', { 'impersonate-user': 'u', [`impersonate-extra-${name}`]: 'a' }),
  'an impersonated user': (name) => get(configMaps, { 'impersonate-user': name, 'impersonate-group': name }),
  'a top-level path': (name) => get(`/${name}`),
  'a group': (name) => get(`/apis/${name}`),
  'a version': (name) => get(`/apis/apps/${name}`),
  'a resource': (name) => get(`/api/v1/${name}`),
  'a resource of a namespace': (name) => get(`/api/v1/namespaces/default/${name}/a`),
  'a namespace': (name) => get(`/api/v1/namespaces/${name}/pods`),
  'an object': (name) => get(`${configMaps}/${name}`),
  'a subresource': (name) => get(`/api/v1/namespaces/default/pods/a/${name}`),
  'a subresource written to': (name) => post(`/api/v1/namespaces/default/pods/a/${name}`, {}),
  'a namespace finalized': (name) => post(`/api/v1/namespaces/default/${name}`, {}),
  'a health check': (name) => get(`/livez/${name}?exclude=${name}`),
  'a component status': (name) => get(`/api/v1/componentstatuses/${name}`),
  'an OpenAPI document': (name) => get(`/openapi/v3/apis/${name}/v1?${name}=${name}`),
  'a document of the issuer': (name) => get(`/.well-known/${name}`),
  'a query parameter': (name) => get(`${configMaps}?${name}=1`),
  'the value of every option of a list': (name) =>
    get(`${configMaps}?watch=${name}&limit=${name}&continue=${name}&resourceVersion=${name}&resourceVersionMatch=${name}&timeout=${name}`),
  'options of a write': (name) =>
    post(`${configMaps}?fieldValidation=${name}&dryRun=${name}&fieldManager=${name}`, { metadata: { name: 'a' } }),
  'a manager': (name) => post(`${configMaps}?fieldManager=${name}`, { metadata: { generateName: 'a' } }),
  'options of a deletion': (name) => ({
    ...post(`${configMaps}/a?propagationPolicy=${name}`, { propagationPolicy: name, kind: name, apiVersion: name, [name]: 1 }),
    method: 'DELETE',
  }),
  'a field selector': (name) => get(`${configMaps}?fieldSelector=${name}%3Da`),
  'a label selector': (name) => get(`${configMaps}?labelSelector=${name}%3Da,%21${name},${name}%20in%20(a)`),
  'a media type': (name) => get(configMaps, { accept: `application/${name};as=${name};g=${name};v=${name}` }),
  'a form of a media type': (name) => get(configMaps, { accept: `application/json;as=${name};g=meta.k8s.io;v=v1;${name}=1` }),
  'a form of discovery': (name) =>
    get('/apis', { accept: `application/json;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=${name};profile=${name}` }),
  'the media type of a body': (name) => post(configMaps, {}, { 'content-type': `application/${name}` }),
  'an encoding': (name) => get(configMaps, { 'accept-encoding': name }),
  'a table of objects': (name) => get(`${configMaps}?includeObject=${name}`, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }),
  'the kind of a body': (name) => post(configMaps, { apiVersion: 'v1', kind: name }),
  'the version of a body': (name) => post(configMaps, { apiVersion: name, kind: 'ConfigMap' }),
  'an unknown field': (name) =>
    post(`${configMaps}?fieldValidation=Strict`, { metadata: { generateName: 'a', ...record(name, 1) }, ...record(name, 1) }),
  'a label': (name) => post(configMaps, { metadata: { generateName: 'a', labels: record(name, 'a'), annotations: record(name, 'a') } }),
  'an owner': (name) =>
    post(configMaps, { metadata: { generateName: 'a', ownerReferences: [{ apiVersion: name, kind: name, name, uid: name }] } }),
  'a finalizer': (name) => post(configMaps, { metadata: { generateName: 'a', finalizers: [name] } }),
  'a managed field': (name) =>
    post(configMaps, {
      metadata: {
        generateName: 'a',
        managedFields: [
          {
            manager: name,
            operation: name,
            apiVersion: name,
            fieldsType: name,
            fieldsV1: record(`f:${name}`, record(name, {})),
            subresource: name,
          },
        ],
      },
    }),
  'the kind of a role': (name) => post(bindings, binding({ kind: name, apiGroup: name })),
  'the kind of a role, bound by a user with few permissions': (name) =>
    post(bindings, binding({ kind: name }), { 'impersonate-user': 'u' }),
  'the kind of a subject': (name) => post(bindings, binding({}, { kind: name, apiGroup: name })),
  'a rule': (name) => post('/apis/rbac.authorization.k8s.io/v1/clusterroles', role(name)),
  'a review': (name) =>
    post(
      reviews,
      review({
        user: name,
        groups: [name],
        extra: record(name, ['a']),
        resourceAttributes: { verb: name, group: name, version: name, resource: name, subresource: name, name },
      }),
    ),
  'a selector of a review': (name) =>
    post(
      reviews,
      review({
        user: 'u',
        resourceAttributes: {
          labelSelector: { requirements: [{ key: name, operator: name, values: [name] }] },
          fieldSelector: { requirements: [{ key: name, operator: name, values: [name] }] },
        },
      }),
    ),
  'rules of a namespace': (name) => post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: name } }),
  'a token': (name) => post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: name, audiences: [name] } }),
  'a token of a service account': (name) =>
    post('/api/v1/namespaces/default/serviceaccounts/a/token', {
      spec: { audiences: [name], boundObjectRef: { kind: name, apiVersion: name, name } },
    }),
  'a label of a node': (name) =>
    post(pods, pod({ nodeSelector: record(name, 'a'), tolerations: [{ key: name, operator: name, effect: name }] })),
  'a label in an affinity': (name) =>
    post(
      pods,
      pod({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: name, operator: name }], matchFields: [{ key: name, operator: name }] }],
            },
          },
        },
      }),
    ),
  'resources of a container': (name) =>
    post(pods, pod({ containers: [{ name: 'c', image: 'i', resources: { limits: record(name, '1'), requests: record(name, name) } }] })),
  'resources of a pod': (name) => post(pods, pod({ resources: { limits: record(name, '1') }, overhead: record(name, '1') })),
  'an environment variable of a container': (name) =>
    post(
      pods,
      pod({
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [{ name, valueFrom: { fieldRef: { fieldPath: name }, resourceFieldRef: { resource: name, divisor: '1' } } }],
          },
        ],
      }),
    ),
  'a resource of an environment variable': (name) =>
    post(
      pods,
      pod({ containers: [{ name: 'c', image: 'i', env: [{ name, valueFrom: { resourceFieldRef: { resource: name, divisor: '1' } } }] }] }),
    ),
  'a field of an environment variable': (name) =>
    post(
      pods,
      pod({
        containers: [{ name: 'c', image: 'i', env: [{ name, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${name}']` } } }] }],
      }),
    ),
  'the operating system of a pod': (name) =>
    post(pods, pod({ os: { name }, containers: [{ name: 'c', image: 'i', lifecycle: { stopSignal: name } }] })),
  'security of a pod': (name) =>
    post(
      pods,
      pod({
        securityContext: { sysctls: [{ name, value: '1' }], seccompProfile: { type: name }, appArmorProfile: { type: name } },
        restartPolicy: name,
        dnsPolicy: name,
      }),
    ),
  'a profile of a container': (name) =>
    post(pods, pod({}, { annotations: record(`container.apparmor.security.beta.kubernetes.io/${name}`, name) })),
  'a priority class': (name) => post(pods, pod({ priorityClassName: name, runtimeClassName: name })),
  'a limit range': (name) =>
    post('/api/v1/namespaces/default/limitranges', {
      metadata: { name: 'a' },
      spec: {
        limits: [
          { type: name, max: record(name, '1'), default: record(name, '1') },
          { type: 'Container', min: record(name, '1') },
        ],
      },
    }),
  'a quota': (name) =>
    post('/api/v1/namespaces/default/resourcequotas', {
      metadata: { name: 'a' },
      spec: {
        hard: record(name, '1'),
        scopes: [name],
        scopeSelector: { matchExpressions: [{ scopeName: name, operator: name, values: [name] }] },
      },
    }),
  'a selector of a workload': (name) =>
    post('/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'a' },
      spec: {
        selector: { matchLabels: record(name, 'a'), matchExpressions: [{ key: name, operator: name }] },
        template: { metadata: { labels: record(name, 'a') }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    }),
  'security of a namespace': (name) =>
    post('/api/v1/namespaces', {
      metadata: {
        generateName: 'a',
        labels: { 'pod-security.kubernetes.io/enforce': name, 'pod-security.kubernetes.io/enforce-version': name },
      },
    }),
  'the schedule of a job': (name) =>
    post('/apis/batch/v1/namespaces/default/cronjobs', { metadata: { name: 'a' }, spec: { schedule: `@${name}`, timeZone: name } }),
  'the type of a secret': (name) =>
    post('/api/v1/namespaces/default/secrets', {
      metadata: { generateName: 'a' },
      type: name,
      data: record(name, 'YQ=='),
      stringData: record(name, 'a'),
    }),
  'a certificate signing request': (name) =>
    post('/apis/certificates.k8s.io/v1/certificatesigningrequests', {
      metadata: { name: 'a' },
      spec: { request: 'YQ==', signerName: name, usages: [name], extra: record(name, ['a']) },
    }),
  'the volume of a claim': (name) =>
    post('/api/v1/persistentvolumes', {
      metadata: { name: 'a' },
      spec: {
        accessModes: [name],
        capacity: record(name, '1'),
        csi: { driver: name, volumeHandle: name, volumeAttributes: record(name, 'a') },
      },
    }),
  'an expression that is a name': (name) => post(policies, policy(`${name} == 1`)),
  'an expression that calls a name': (name) => post(policies, policy(`${name}(1) && object.${name}(1) && [1].${name}(x, x > 0)`)),
  'an expression that builds a name': (name) => post(policies, policy(`${name}{${name}: 1}.${name} == 1`)),
  'an expression that converts a name': (name) =>
    post(
      policies,
      policy(
        `bool("${name}") || int("${name}") == 1 || quantity("${name}") == quantity("1${name}") || duration("1${name}") == duration("1s")`,
      ),
    ),
  'an expression that formats by a name': (name) =>
    post(policies, policy(`format.named("${name}").hasValue() || "%${name}".format(["${name}"]) == "" || type("${name}") == ${name}`)),
  'a variable of a policy': (name) =>
    post(
      policies,
      policy(`variables.${name} && has(object.data.${name})`, {
        variables: [{ name, expression: 'true' }],
        auditAnnotations: [{ key: name, valueExpression: '"a"' }],
      }),
    ),
  'the parameters of a policy': (name) =>
    post(
      policies,
      policy('true', {
        paramKind: { apiVersion: `${name}/v1`, kind: name },
        failurePolicy: name,
        matchConditions: [{ name, expression: 'true' }],
      }),
    ),
  'resources of a policy': (name) =>
    post(
      policies,
      policy('true', {
        matchConstraints: { resourceRules: [{ apiGroups: [name], apiVersions: [name], operations: [name], resources: [name] }] },
      }),
    ),
};

/** Sends requests with the names and with ordinary names to two servers in the same state: the responses must be equal. */
async function expectOrdinary(
  requestFor: (name: string) => readonly HostileRequest[],
  names: readonly string[] = [...ordinaryNames.keys()],
): Promise<void> {
  const [server, ordinaryServer] = await Promise.all([createTestServer(), createTestServer()]);
  for (const name of names) {
    const ordinary = ordinaryNames.get(name) ?? name;
    const ordinaryRequests = requestFor(ordinary);
    for (const [index, request] of requestFor(name).entries()) {
      await Promise.all([server.runControllers(), ordinaryServer.runControllers()]);
      const answer = await server.sendChecked(request);
      const expected = await ordinaryServer.sendChecked(ordinaryRequests[index] ?? request);
      const [own, other] = [withoutName(answer, name), withoutName(expected, ordinary)];
      if (own !== other) expect({ request, answer: own }).toEqual({ request, answer: other });
    }
  }
}

/** Hashes depend on the name too. */
const withoutName = ({ status, text }: HostileAnswer, name: string): string =>
  `${status} ${text}`
    .replaceAll(new RegExp(name, 'gi'), '<name>')
    .replaceAll(/"storageVersionHash":"[^"]*"/g, '"storageVersionHash":"<hash>"');

describe.each(Object.entries(requests))('%s', (_, requestFor) => {
  test('may have the name of an inherited member', () => expectOrdinary((name) => [requestFor(name)]));
});

const asUser = { 'impersonate-user': 'u' };

describe.each(Object.entries(requests))('%s, of a user with few permissions', (_, requestFor) => {
  test('may have the name of an inherited member', () =>
    expectOrdinary((name) => {
      const request = requestFor(name);
      return [{ ...request, headers: { ...asUser, ...request.headers } }];
    }));
});

const patch = (target: string, type: string, body: unknown): HostileRequest => ({
  method: 'PATCH',
  target: `${target}?fieldManager=m`,
  headers: { 'content-type': `application/${type}` },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const forms = [
  'json',
  'yaml',
  'vnd.kubernetes.protobuf',
  'cbor',
  'json;as=Table;g=meta.k8s.io;v=v1',
  'json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
];

/** Requests that write an object's key with every verb, and read it in every media type after each. */
function writesAndReads(target: string, object: (members: object) => object, at: string): (name: string) => readonly HostileRequest[] {
  const item = `${target}/a`;
  const nested = (name: string, value: unknown): object =>
    at.split('.').reduceRight<object>((inner, step) => ({ [step]: inner }), record(name, value));
  const pointer = (name: string): string => `/${at.replaceAll('.', '/')}/${name}`;
  const reads = [
    ...forms.map((form) => get(item, { accept: `application/${form}` })),
    ...forms.map((form) => get(target, { accept: `application/${form}` })),
  ];
  return (name) => [
    ...[
      post(target, object(nested(name, 'a'))),
      { ...post(item, object(nested(name, 'b'))), method: 'PUT' },
      patch(item, 'json-patch+json', [
        { op: 'test', path: pointer(name), value: 'b' },
        { op: 'replace', path: pointer(name), value: 'c' },
      ]),
      patch(item, 'json-patch+json', [
        { op: 'copy', from: pointer(name), path: pointer('d') },
        { op: 'remove', path: pointer(name) },
      ]),
      patch(item, 'json-patch+json', [{ op: 'add', path: pointer(name), value: 'e' }]),
      patch(item, 'merge-patch+json', nested(name, 'f')),
      patch(item, 'merge-patch+json', nested(name, null)),
      patch(item, 'strategic-merge-patch+json', nested(name, 'g')),
      patch(item, 'strategic-merge-patch+json', nested(name, null)),
      patch(item, 'apply-patch+yaml', object(nested(name, 'h'))),
      { ...patch(item, 'apply-patch+yaml', object(nested(name, 'i'))), target: `${item}?fieldManager=n` },
      { ...patch(item, 'apply-patch+yaml', object(nested(name, 'i'))), target: `${item}?fieldManager=n&force=true` },
      patch(item, 'apply-patch+yaml', object({})),
      { method: 'DELETE', target: item },
      { ...post(target, ''), headers: { 'content-type': 'application/yaml' }, body: JSON.stringify(object(nested(name, 'j'))) },
      { method: 'DELETE', target: item },
    ].flatMap((request) => [request, ...reads]),
  ];
}

const configMap = (members: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...members });
const withMetadata = (members: object): object => {
  const { metadata = {}, ...others } = members as { metadata?: object };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, ...others };
};

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const definition =
  (schema: (name: string) => object, names: (name: string) => object = () => ({})) =>
  (name: string): HostileRequest => {
    const { group = 'example.com', plural = 'things', kind = 'Thing' } = names(name) as Readonly<Record<string, string>>;
    return post(definitions, {
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural, kind, shortNames: [`s${plural}`] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema(name) } } },
            additionalPrinterColumns: [
              { name, type: 'string', jsonPath: `.spec.${name}` },
              { name: 'Absent', type: 'string', jsonPath: `.${name}` },
            ],
            selectableFields: [{ jsonPath: `.spec.${name}` }],
            subresources: { status: {}, scale: { specReplicasPath: `.spec.${name}`, statusReplicasPath: `.status.${name}` } },
          },
        ],
      },
    });
  };

const things = '/apis/example.com/v1/things';
const thing = (members: object): object => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, ...members });
const text = { type: 'string' };
const noSubresources = (request: HostileRequest): HostileRequest => ({
  ...request,
  body: String(request.body).replace(/,"selectableFields".*?,"subresources":\{.*\}\}(?=\}\]\}\})/, ''),
});

/** Validations that use the value of `data.k`. */
const evaluated = [
  { expression: 'bool(variables.k)' },
  { expression: '!(variables.k in object.data)', messageExpression: '"data " + object.data[variables.k]' },
  {
    expression: 'object.metadata.?labels[?variables.k].orValue("none") == "none" && {"a": 1}[?variables.k].orValue(1) == 1',
    messageExpression: 'variables.k',
  },
  { expression: '!isQuantity(variables.k)' },
  { expression: 'quantity("1").isGreaterThan(quantity("1" + variables.k))' },
  { expression: 'timestamp(variables.k) == timestamp(variables.k)' },
  { expression: 'duration("1" + variables.k) == duration("1s")' },
  { expression: 'format.named(variables.k).hasValue()' },
  { expression: 'type(dyn(variables.k)) == string && object[variables.k] == 1' },
];

/** Requests that build on each other. */
const sequences: Readonly<Record<string, (name: string) => readonly HostileRequest[]>> = {
  'the data of a ConfigMap': writesAndReads(configMaps, configMap, 'data'),
  labels: writesAndReads(configMaps, withMetadata, 'metadata.labels'),
  annotations: writesAndReads(configMaps, withMetadata, 'metadata.annotations'),
  'a declared property': (name) => [
    definition((own) => ({ type: 'object', properties: record(own, { ...text, default: 'z' }) }))(name),
    ...writesAndReads(things, thing, 'spec')(name),
    post(`${things}?fieldValidation=Strict`, { ...thing({}), metadata: { name: 'b' }, spec: {} }),
    get(`${things}?fieldSelector=spec.${name}%3Dz`),
    get(`/openapi/v3/apis/example.com/v1`),
  ],
  'a property that is not declared': (name) => [
    noSubresources(definition(() => ({ type: 'object', properties: { other: { ...text, default: 'z' } } }))(name)),
    ...writesAndReads(things, thing, 'spec')(name),
    { ...post(`${things}/a`, { ...thing({}), spec: record(name, 1) }), method: 'PUT' },
  ],
  'a preserved unknown property': (name) => [
    noSubresources(definition(() => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true, required: [name] }))(name)),
    ...writesAndReads(things, thing, 'spec')(name),
    post(things, { ...thing({}), metadata: { name: 'b' }, spec: {} }),
  ],
  'a key of a map': (name) => [
    noSubresources(definition(() => ({ type: 'object', additionalProperties: text, maxProperties: 1 }))(name)),
    ...writesAndReads(things, thing, 'spec')(name),
  ],
  'a property that a rule reads': (name) => [
    noSubresources(
      definition((own) => ({
        type: 'object',
        properties: {
          ...record(own, { type: 'string', maxLength: 9 }),
          m: { type: 'object', maxProperties: 3, additionalProperties: { type: 'string', maxLength: 9 } },
        },
        'x-kubernetes-validations': [
          {
            rule: `has(self.${own.startsWith('__') ? `__underscores__${own.slice(2, -2)}__underscores__` : own}) || "${own}" in self.m`,
            message: 'absent',
          },
          { rule: `!has(self.m) || !("${own}" in self.m) || self.m["${own}"] == "v" || self.m.${own} == "w"`, message: 'other' },
        ],
      }))(name),
    ),
    ...[{ m: {} }, { m: record(name, 'v') }, { m: record(name, 'w') }, { m: record(name, 'x') }, record(name, 'v')].map((spec) =>
      post(`${things}?dryRun=All`, thing({ spec })),
    ),
  ],
  'a property that a rule compares with its old value': (name) => [
    noSubresources(
      definition((own) => ({
        type: 'object',
        properties: record(own, {
          type: 'object',
          properties: record(own, { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }),
        }),
      }))(name),
    ),
    post(things, thing({ spec: {} })),
    patch(`${things}/a`, 'merge-patch+json', { spec: record(name, record(name, 'a')) }),
    patch(`${things}/a`, 'merge-patch+json', { spec: record(name, record(name, 'b')) }),
  ],
  'the keys of a list map': (name) => [
    noSubresources(
      definition((own) => ({
        type: 'object',
        properties: {
          l: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': [own],
            items: { type: 'object', required: [own], properties: { ...record(own, text), v: text } },
          },
        },
      }))(name),
    ),
    patch(
      `${things}/a`,
      'apply-patch+yaml',
      thing({
        spec: {
          l: [
            { ...record(name, 'x'), v: '1' },
            { ...record(name, 'y'), v: '2' },
          ],
        },
      }),
    ),
    {
      ...patch(`${things}/a`, 'apply-patch+yaml', thing({ spec: { l: [{ ...record(name, 'x'), v: '3' }] } })),
      target: `${things}/a?fieldManager=n`,
    },
    post(`${things}?dryRun=All`, thing({ spec: { l: [{ v: '1' }, record(name, 'x'), record(name, 'x')] } })),
  ],
  'the names of a definition': (name) => [
    definition(
      () => ({ type: 'object', properties: record(name, text) }),
      () => ({ plural: name.toLowerCase(), kind: name, group: `${name.toLowerCase()}.io` }),
    )(name),
    get(`/apis/${name.toLowerCase()}.io/v1`),
    post(`/apis/${name.toLowerCase()}.io/v1/${name.toLowerCase()}`, {
      apiVersion: `${name.toLowerCase()}.io/v1`,
      kind: name,
      metadata: { name: 'a' },
      spec: record(name, 'a'),
    }),
    get(`/apis/${name.toLowerCase()}.io/v1/${name.toLowerCase()}`, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }),
    { method: 'DELETE', target: `${definitions}/${name.toLowerCase()}.${name.toLowerCase()}.io` },
  ],
  'expressions of a policy': (name) => [
    ...evaluated.flatMap((validation) => [
      post(policies, {
        metadata: { name: 'p' },
        spec: {
          matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }] },
          variables: [{ name: 'k', expression: 'object.data.k' }],
          validations: [validation],
        },
      }),
      post('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings', {
        metadata: { name: 'a' },
        spec: { policyName: 'p', validationActions: ['Deny'] },
      }),
      post(`${configMaps}?dryRun=All`, { metadata: { name: 'a' }, data: { k: name } }),
      { method: 'DELETE', target: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/a' },
      { method: 'DELETE', target: `${policies}/p` },
    ]),
  ],
};

describe.each(Object.entries(sequences))('%s', (_, requestsFor) => {
  test.each([...ordinaryNames.keys()])('may have the name %s', (name) => expectOrdinary(requestsFor, [name]));
});

/** An object whose every text and every key is `name`; a recursive type ends at its second level. */
function fullValue(schema: Schema, name: string, within: readonly string[] = []): unknown {
  switch (schema.form) {
    case 'scalar':
      return schema.type === 'bool' ? true : /^(?:int|double|float)/.test(schema.type) ? 1 : name;
    case 'struct':
      if (within.length > 12 || within.filter((type) => type === schema.name).length > 0) return {};
      return Object.fromEntries(
        schema.fields
          .filter((field) => !(schema.typeMeta && (field.name === 'kind' || field.name === 'apiVersion')))
          .map((field) => [field.name, fullValue(field.schema, name, [...within, schema.name])]),
      );
    case 'list':
      return [fullValue(schema.items, name, within)];
    case 'map':
      return record(name, fullValue(schema.values, name, within));
    case 'untyped':
      return record(name, name);
  }
}

const collection = ({ group, version, namespaced, name }: Resource): string =>
  `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${name}`;

/** Each text of a schema alone, so that the error of one does not hide that of another. */
function* singleTexts(schema: Schema, name: string, depth = 0): Generator<unknown> {
  switch (schema.form) {
    case 'scalar':
      if (!/^(?:bool|int|double|float)/.test(schema.type)) yield name;
      return;
    case 'struct':
      if (depth > 6) return;
      for (const field of schema.fields) for (const value of singleTexts(field.schema, name, depth + 1)) yield { [field.name]: value };
      return;
    case 'list':
      for (const value of singleTexts(schema.items, name, depth + 1)) yield [value];
      return;
    case 'map':
      for (const value of singleTexts(schema.values, name, depth + 1)) yield record(name, value);
      return;
    case 'untyped':
      yield record(name, name);
  }
}

test.each(creatable.map((resource) => [`${formatGroupVersion(resource)} ${resource.kind}`, resource] as const))(
  '%s may have such names as texts and keys',
  (_, resource) =>
    expectOrdinary(
      (name) => [
        post(collection(resource), fullValue(resource.schema, name)),
        ...[...singleTexts(resource.schema, name)].map((body) => post(`${collection(resource)}?dryRun=All`, body)),
      ],
      // One that is inherited, and one that is lost by assignment.
      ['constructor', '__proto__'],
    ),
);
