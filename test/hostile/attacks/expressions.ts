import { type Attack, type AttackRequest, configMap, json, post, range } from './attack.ts';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const matchConstraints = { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }] };

/** A policy bound to ConfigMaps. */
const policy = (spec: object): readonly AttackRequest[] => [
  post(policies, { metadata: { name: 'p' }, spec: { matchConstraints, ...spec } }),
  post(bindings, { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny'] } }),
];

const simpleMap = configMap('{"metadata":{"name":"a"}}');
const costly = /operation cancelled: actual cost limit exceeded/;
/** The error when the cost of a policy exceeds the remaining budget; `costly` is that of a single evaluation. */
const overBudget = /running out of cost budget/;

/**
 * An expression of a policy that is evaluated for a ConfigMap; `elements(1000)` in it is a list of a thousand texts, of the object's data.
 */
const evaluated = (name: string, expression: string, expected: Partial<Attack> = { status: 422, message: costly }): Attack => {
  const count = Number(/elements\((\d+)\)/.exec(expression)?.[1] ?? 0);
  return {
    name: `policy: ${name}`,
    setup: () => policy({ validations: [{ expression: expression.replaceAll(/elements\(\d+\)/g, "object.data.n.split('')") }] }),
    request: () => configMap(json({ metadata: { name: 'a' }, data: { n: 'a'.repeat(count) } })),
    status: 422,
    ...expected,
  };
};

/** An expression that is only compiled, when its policy is created. */
const compiled = (name: string, expression: string, status: number, message?: Attack['message']): Attack => ({
  name: `compilation: ${name}`,
  request: () => post(policies, { metadata: { name: 'p' }, spec: { matchConstraints, validations: [{ expression }] } }),
  status,
  ...(message === undefined ? {} : { message }),
});

/** `f(f(f(x)))` with variables, since policies do not support `cel.bind`. */
const chain = (
  name: string,
  first: string,
  step: (previous: string) => string,
  count: number,
  last: string,
  expected?: Partial<Attack>,
): Attack => ({
  name: `variables: ${name}`,
  setup: () =>
    policy({
      variables: [
        { name: 'v0', expression: first },
        ...range(count, (at) => ({ name: `v${at + 1}`, expression: step(`variables.v${at}`) })),
      ],
      validations: [{ expression: last.replaceAll('$', `variables.v${count}`) }],
    }),
  request: () => simpleMap,
  status: 422,
  ...expected,
});

const ten = '[1,2,3,4,5,6,7,8,9,10]';
const nestedFold = (levels: number, macro: string, inner: string): string =>
  range(levels, (at) => at).reduceRight<string>((body, at) => `${ten}.${macro}(x${at}, ${body})`, inner);
const hundred = `[${range(100, String).join(',')}]`;

const custom = (schema: object, name = 'ws'): AttackRequest =>
  post(definitions, {
    metadata: { name: `${name}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: name, kind: name.toUpperCase() },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } } },
      ],
    },
  });
const customObject = (spec: unknown): AttackRequest =>
  post('/apis/example.com/v1/ws', { apiVersion: 'example.com/v1', kind: 'WS', metadata: { name: 'a' }, spec });

export const expressionAttacks: readonly Attack[] = [
  evaluated('a text replaced in itself', `${range(40, () => ".replace('a','aa')").reduce((text, step) => text + step, "'a'")} == ''`),
  evaluated(
    'a text replaced by itself at every position',
    `['${'a'.repeat(1000)}'].all(s, s.replace('', s).replace('', s).replace('', s).replace('', s) == '')`,
  ),
  evaluated(
    'a text squared repeatedly',
    `['${'a'.repeat(40)}'].all(s, s.replace('a', s).replace('a', s).replace('a', s).replace('a',s).replace('a',s).replace('a',s) == '')`,
  ),
  chain('a text added to itself', `'${'a'.repeat(100)}'`, (v) => `${v} + ${v}`, 40, "$ == ''"),
  chain('bytes added to themselves', `bytes('${'a'.repeat(100)}')`, (v) => `${v} + ${v}`, 40, "$ == b''"),
  chain('lists added to themselves', hundred, (v) => `${v} + ${v}`, 40, '$ == []'),
  chain('lists of lists', hundred, (v) => `[${v},${v},${v},${v},${v},${v},${v},${v},${v},${v}]`, 40, '$ == variables.v40'),
  chain(
    'comparison of a shared list',
    hundred,
    (v) => `[${v},${v},${v},${v},${v},${v},${v},${v},${v},${v}]`,
    8,
    '$ == variables.v7.map(x, variables.v7)',
  ),
  chain('a shared list as text', hundred, (v) => `[${v},${v},${v},${v},${v},${v},${v},${v},${v},${v}]`, 9, "'%s'.format([$]) == ''"),
  chain(
    'a shared list as text in a message',
    hundred,
    (v) => `[${v},${v},${v},${v},${v},${v},${v},${v},${v},${v}]`,
    9,
    "['%s'].all(f, f.format([$]) == '')",
  ),
  chain('texts that double by join', "'a'", (v) => `[${v},${v},${v},${v}].join(${v})`, 20, "$ == ''"),
  chain('texts that double by format', "'a'", (v) => `'%s%s%s%s'.format([${v},${v},${v},${v}])`, 30, "$ == ''"),
  chain('texts that double by quote', "'\"'", (v) => `strings.quote(${v})`, 40, "$ == ''"),
  chain('many variables', '1', (v) => `${v} + ${v}`, 60, '$ == 0', { status: 422 }),
  chain('maps of themselves', "{'a':1}", (v) => `{'a':${v},'b':${v},'c':${v},'d':${v}}`, 30, '$ == variables.v30'),
  chain('quantities that grow', "quantity('9999999999')", (v) => `${v}.add(${v})`, 300, '$.isGreaterThan(quantity("1"))', { status: 201 }),
  evaluated('a long range', 'elements(900000).size() == 1', { status: 422, message: /failed expression/ }),
  evaluated('a range of ranges', 'elements(3000).map(x, elements(3000)).size() == 1'),
  evaluated('a range that is almost too long', 'elements(999000).size() == 1', { status: 422 }),
  evaluated('a map in a map', `${nestedFold(7, 'map', 'x0')}.size() == 1`),
  evaluated('folds in folds', nestedFold(7, 'all', 'x0 > 0')),
  evaluated('exists in folds', `!${nestedFold(7, 'exists', 'x0 < 0')}`),
  evaluated(
    'filters in folds',
    range(7, (at) => at).reduceRight<string>((body, at) => `${ten}.filter(x${at}, ${body}).size() > 0`, 'x0 > 0'),
  ),
  evaluated('a text grown in a fold', `elements(2000).map(x, '${'a'.repeat(1000)}').join('${'b'.repeat(1000)}').size() == 1`, {
    status: 422,
  }),
  evaluated('long texts in a fold', `elements(5000).all(x, '${'a'.repeat(2000)}'.replace('a', '${'b'.repeat(500)}').size() > 0)`),
  evaluated('short costs of long texts', `elements(9000).all(x, '${'a'.repeat(9000)}'.charAt(8000) == 'a')`),
  evaluated('charAt of long texts', `elements(200000).all(x, '${'a'.repeat(90000)}'.charAt(8000) == 'a')`),
  evaluated('reverse of long texts', `elements(50000).all(x, '${'a'.repeat(90000)}'.lowerAscii() != '')`),
  evaluated('indexOf of long texts', `elements(20000).all(x, '${'a'.repeat(45000)}'.indexOf('${'a'.repeat(20000)}b') < 0)`),
  // Within the real server's cost limit, which counts one for it; the work budget stops it.
  evaluated('lastIndexOf of long texts', `['${'a'.repeat(60000)}'].all(s, s.lastIndexOf('b${'a'.repeat(20000)}') < 0)`),
  evaluated('contains of long texts', `['${'a'.repeat(60000)}'].all(s, !s.contains('${'a'.repeat(20000)}b'))`, { status: 422 }),
  evaluated('split of long texts', `elements(5000).all(x, '${'a'.repeat(90000)}'.split('').size() > 0)`),
  evaluated('sizes of long texts', `elements(200000).all(x, '${'a'.repeat(90000)}'.size() > 0)`),
  evaluated('comparisons of long texts', `elements(20000).all(x, '${'a'.repeat(45000)}' <= '${'a'.repeat(45000)}')`),
  evaluated('startsWith of long texts', `elements(200000).all(x, '${'a'.repeat(45000)}'.startsWith('${'a'.repeat(45000)}'))`),
  evaluated('numbers of digits', `elements(20000).all(x, !isQuantity('${'9'.repeat(9000)}'))`, { message: /failed expression/ }),
  evaluated('a quantity of 90,000 digits', `!isQuantity('${'9'.repeat(90000)}')`, { status: 201 }),
  // The real server rounds the second one with a billion digits.
  evaluated('a quantity with a huge exponent', `quantity('1e999999999').isGreaterThan(quantity('1e-999999999'))`, {
    message: /unable to parse quantity's suffix/,
  }),
  evaluated('sets of large lists', 'sets.equivalent(elements(100000), elements(100000))', { message: overBudget }),
  evaluated('sets.contains of large lists', 'sets.contains(elements(100000), elements(100000))', { message: overBudget }),
  evaluated('sets.intersects of large lists', "sets.intersects(elements(100000), elements(100000).map(x, x + 'b'))"),
  evaluated('a list in a list', 'elements(100000).all(x, x in elements(100000))'),
  evaluated('formats of a precision', `'%.1000000000f'.format([1.0]) == ''`, { status: 422 }),
  evaluated('formats of a wide exponent', `'%.1000000000e'.format([1.0]) == ''`, { status: 422 }),
  evaluated('a long exponent format in a fold', `elements(10000).map(x, '%.100000000e'.format([1.0])).size() == 1`),
  evaluated(
    'many authorizer checks',
    `elements(1000).all(x, authorizer.group('').resource('pods').namespace(string(x)).check('get').allowed())`,
  ),
  evaluated(
    'selectors of authorizers',
    `elements(5000).all(x, authorizer.group('').resource('pods').labelSelector('${'a,'.repeat(900)}').check('get').allowed())`,
  ),
  evaluated('urls', `elements(20000).all(x, url('http://a/${'a'.repeat(3000)}?${'a=b&'.repeat(1000)}').getQuery().size() > 0)`),
  evaluated('semvers', `elements(20000).all(x, isSemver('1.2.3-${'a.'.repeat(4000)}a'))`),
  evaluated('ips', `elements(200000).all(x, !isIP('${'1:'.repeat(4000)}'))`),
  evaluated('timestamps', `elements(100000).all(x, timestamp('2020-01-01T00:00:00Z').getFullYear('America/New_York') > 0)`),
  evaluated('durations', `elements(100000).all(x, duration('${'1h'.repeat(2000)}') > duration('1s'))`, { status: 201 }),
  evaluated('bytes of text', `elements(20000).all(x, bytes(x + '${'a'.repeat(40000)}').size() > 0)`),
  // Conversions of constants are evaluated once.
  evaluated('conversions of lists', `elements(300).all(x, string(bytes('${'é'.repeat(40000)}')) != '')`, { status: 201 }),
  {
    name: 'policy: 100 rules of the highest cost',
    setup: () => policy({ validations: range(100, () => ({ expression: nestedFold(5, 'all', 'x0 > 0') })) }),
    request: () => simpleMap,
    status: 422,
    message: /running out of cost budget/,
  },
  {
    name: 'policy: 10 expressions of the maximum cost',
    setup: () => policy({ validations: range(12, () => ({ expression: nestedFold(7, 'all', 'x0 > 0') })) }),
    request: () => simpleMap,
    status: 422,
    message: overBudget,
  },
  {
    name: 'policies: 30 policies of the maximum cost',
    setup: () =>
      range(30, (at) => [
        post(policies, {
          metadata: { name: `p${at}` },
          spec: { matchConstraints, validations: range(12, () => ({ expression: nestedFold(7, 'all', 'x0 > 0') })) },
        }),
        post(bindings, { metadata: { name: `b${at}` }, spec: { policyName: `p${at}`, validationActions: ['Deny'] } }),
      ]).flat(),
    request: () => simpleMap,
    status: 422,
    message: overBudget,
  },
  {
    name: 'policy: conditions of the highest cost',
    setup: () =>
      policy({
        matchConditions: range(60, (at) => ({ name: `c${at}`, expression: nestedFold(5, 'all', 'x0 > 0') })),
        validations: [{ expression: 'true' }],
      }),
    request: () => simpleMap,
    status: 422,
  },
  {
    name: 'policy: 20,000 validations',
    request: () =>
      post(policies, {
        metadata: { name: 'p' },
        spec: { matchConstraints, validations: range(20_000, () => ({ expression: 'object.metadata.name == "a"' })) },
      }),
    status: 201,
  },
  {
    name: 'policy: 3,000 variables',
    request: () =>
      post(policies, {
        metadata: { name: 'p' },
        spec: {
          matchConstraints,
          variables: range(3_000, (at) => ({ name: `v${at}`, expression: at === 0 ? '1' : `variables.v${at - 1}` })),
          validations: [{ expression: 'variables.v2999 == 1' }],
        },
      }),
    status: 201,
  },
  {
    name: 'policy: variables of lists of lists of types',
    request: () =>
      post(policies, {
        metadata: { name: 'p' },
        spec: {
          matchConstraints,
          variables: range(200, (at) => ({ name: `v${at}`, expression: at === 0 ? '{1:{2:3}}' : `{1:variables.v${at - 1}}` })),
          validations: [{ expression: 'variables.v199 == {}' }],
        },
      }),
    status: 201,
  },
  compiled(
    'a deep expression',
    `${'('.repeat(10_000)}1${')'.repeat(10_000)} == 1`,
    422,
    /expression recursion limit exceeded|max recursion depth|recursion/,
  ),
  compiled('a deep list', `${'['.repeat(240)}1${']'.repeat(240)} == []`, 201),
  compiled('a long list', `[${range(40_000, () => '1').join(',')}] == [1]`, 201),
  compiled('a long list of mixed types', `[${range(20_000, (at) => (at % 2 ? '1' : "''")).join(',')}] == [1]`, 422),
  compiled('a long sum', range(40_000, () => '1').join('+'), 422),
  compiled('a long disjunction', range(16_000, () => 'true').join('||'), 201),
  compiled('a long chain of calls', `''${'.trim()'.repeat(10_000)} == ''`, 422),
  compiled('a long chain of fields', `object${'.a'.repeat(40_000)} == ''`, 422),
  compiled(
    '100,001 characters',
    `'${'a'.repeat(100_000)}' == ''`,
    422,
    /expression code point size exceeds limit: size: 100008, limit 100000/,
  ),
  compiled('many errors', range(8_000, (at) => `x${at}`).join('||'), 422),
  compiled('many wrong characters', '#'.repeat(99_000), 422),
  compiled('many quotes', "'".repeat(99_999), 422),
  compiled('many minus signs', `${'-'.repeat(90_000)}1 == 1`, 201),
  compiled('many nots', `${'!'.repeat(90_000)}true`, 201),
  compiled(
    'nested maps in macros',
    `${range(200, (at) => at).reduceRight<string>((body, at) => `[1].map(x${at}, ${body})`, '1')} == []`,
    201,
  ),
  compiled(
    'nested optMap',
    `${range(22, (at) => at).reduceRight<string>((body, at) => `optional.of(1).optMap(x${at}, ${body}).value()`, '1')} == 1`,
    201,
  ),
  // Each macro repeats its target: the real server builds a tree of 2^30 nodes.
  compiled(
    'optMap of optMap',
    `${range(30, (at) => at).reduce<string>((target, at) => `${target}.optMap(x${at}, x${at})`, 'optional.of(1)')}.value() == 1`,
    422,
    /optMap\(\) makes the expression too large/,
  ),
  compiled('empty lists in lists', `[[],[[]],${range(2000, () => '[[[]]]').join(',')}] == []`, 201),
  compiled('lambdas of unknown types', `[${range(3000, () => '[]').join(',')}].all(x, x.all(y, y == [] && y == {}))`, 422),
  compiled('conditionals in conditionals', `${range(120, () => 'true?[1]:').join('')}[] == [1]`, 422),
  {
    name: 'definition: a cost estimate of nested lists',
    request: () =>
      custom({
        type: 'array',
        items: range(10, () => 0).reduce<object>(
          (items) => ({ type: 'array', items, 'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x == y))' }] }),
          { type: 'string' },
        ),
      }),
    status: 422,
    message: /estimated rule cost|contributed to estimated rule cost/,
  },
  {
    name: 'definition: 2,000 fields with rules',
    request: () =>
      custom({
        type: 'object',
        properties: Object.fromEntries(
          range(2_000, (at) => [`f${at}`, { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: "self != 'x'" }] }]),
        ),
      }),
    status: 201,
  },
  {
    name: 'definition: 300 rules of an object with 1,000 fields',
    request: () =>
      custom({
        type: 'object',
        properties: Object.fromEntries(range(1_000, (at) => [`f${at}`, { type: 'string', maxLength: 10 }])),
        'x-kubernetes-validations': range(300, (at) => ({ rule: `self.f${at} != 'x'` })),
      }),
    status: 201,
  },
  {
    name: 'rules: a list of 100,000 elements',
    setup: () => [
      custom({
        type: 'array',
        items: { type: 'integer' },
        'x-kubernetes-validations': [{ rule: 'self.size() >= 0' }, { rule: 'self.all(x, x >= 0)' }],
      }),
    ],
    request: () => customObject(range(300_000, (at) => at % 10)),
    status: 422,
    message: costly,
  },
  {
    name: 'rules: each of 100,000 elements',
    setup: () => [
      custom({ type: 'array', maxItems: 200_000, items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= 0' }] } }),
    ],
    request: () => customObject(range(200_000, () => 1)),
    status: 201,
  },
  {
    name: 'rules: each of 50,000 elements fails',
    setup: () => [
      custom({
        type: 'array',
        maxItems: 200_000,
        items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= 0', message: 'has to be more' }] },
      }),
    ],
    request: () => customObject(range(50_000, () => -1)),
    status: 422,
  },
  {
    name: 'rules: each of 2,000 elements has a high cost',
    setup: () => [
      custom({
        type: 'array',
        maxItems: 10,
        items: {
          type: 'array',
          maxItems: 300,
          items: { type: 'integer' },
          'x-kubernetes-validations': [{ rule: 'self.all(x, self.exists(y, y == x))' }],
        },
      }),
    ],
    request: () => customObject(range(10, () => range(300, (at) => at))),
    status: 201,
  },
  {
    name: 'device selectors: the highest cost',
    request: () =>
      post('/apis/resource.k8s.io/v1/deviceclasses', {
        metadata: { name: 'a' },
        spec: { selectors: range(32, () => ({ cel: { expression: nestedFold(7, 'all', 'x0 > 0') } })) },
      }),
    status: 422,
  },
  {
    name: 'device selectors: 250 long ones',
    request: () =>
      post('/apis/resource.k8s.io/v1/deviceclasses', {
        metadata: { name: 'a' },
        spec: {
          selectors: range(250, (at) => ({ cel: { expression: range(380, () => `device.driver == "d${at}"`).join(' || ') } })),
        },
      }),
    status: 422,
  },
  {
    name: 'policy conditions: 64 of the highest cost',
    setup: () =>
      policy({
        matchConditions: range(64, (at) => ({ name: `c${at}`, expression: nestedFold(7, 'all', 'x0 >= 0') })),
        validations: [{ expression: 'true' }],
      }),
    request: () => simpleMap,
    status: 422,
    message: /running out of cost budget/,
  },
];
