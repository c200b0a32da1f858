import { type Attack, type AttackRequest, configMap, post, range } from './attack.ts';

const limit = 3 * 1024 * 1024;
/** A list or map that takes more bytes is rejected before validation. */
const storable = 1.4 * 1024 * 1024;
/** A body of the maximum size, or of the given one, filled with copies of a part. */
const filled = (head: string, part: (index: number) => string, tail: string, separator = ',', bytes = limit): string => {
  const parts: string[] = [];
  let length = head.length + tail.length;
  for (let index = 0; ; index++) {
    const next = part(index);
    length += next.length + separator.length;
    if (length > bytes) return head + parts.join(separator) + tail;
    parts.push(next);
  }
};

const yaml = (text: string): AttackRequest => configMap(text, 'application/yaml');
const open = '{"metadata":{"name":"a"},';

const jsonAttack = (name: string, body: () => string | Uint8Array, status: number, message?: Attack['message']): Attack => ({
  name: `JSON: ${name}`,
  request: () => configMap(body()),
  status,
  ...(message === undefined ? {} : { message }),
});
const yamlAttack = (name: string, body: () => string, status: number, message?: Attack['message']): Attack => ({
  name: `YAML: ${name}`,
  request: () => yaml(body()),
  status,
  ...(message === undefined ? {} : { message }),
});

const billionLaughs = (levels: number, each: number): string =>
  range(levels, (at) => `a${at}: &a${at} [${range(each, () => (at === 0 ? 'x' : `*a${at - 1}`)).join(',')}]`).join('\n');

export const bodyAttacks: readonly Attack[] = [
  jsonAttack('lists that are too deep', () => `${open}"x":${'['.repeat(1_500_000)}`, 400, /exceeded max depth/),
  jsonAttack('objects that are too deep', () => `${open}"x":${'{"a":'.repeat(500_000)}`, 400, /exceeded max depth/),
  jsonAttack('many deep lists', () => filled(`${open}"x":[`, () => '['.repeat(9_000) + ']'.repeat(9_000), ']}'), 201),
  jsonAttack('deep unknown fields, strictly', () => `${open}"x":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`, 201),
  jsonAttack('many members', () => filled(`${open}"x":{`, (at) => `"k${at}":1`, '}}'), 201),
  jsonAttack('many unknown members', () => filled(open, (at) => `"k${at}":1`, '}'), 201),
  jsonAttack('many duplicate members', () => filled(`${open}"x":{`, (at) => `"k${at >> 1}":1`, '}}'), 201),
  jsonAttack('one member repeated often', () => filled(`${open}"x":{`, () => '"k":1', '}}'), 201),
  jsonAttack('an object repeated often', () => filled(`${open}"x":{`, (at) => `"k":{"a${at}":1}`, '}}'), 201),
  jsonAttack(
    'deep duplicate members',
    () =>
      filled(`${open}"x":`, () => '', '') +
      `${'{"a":'.repeat(5_000)}{${range(2_000, (at) => `"b${at}":1,"b${at}":2`).join(',')}}${'}'.repeat(5_000)}}`,
    413,
  ),
  jsonAttack('strings of escapes', () => `${open}"data":{"k":"${'\\n'.repeat(1_400_000)}"}}`, 422, /Too long/),
  jsonAttack('strings of surrogates', () => `${open}"x":"${'\\ud83d\\ude00'.repeat(250_000)}"}`, 201),
  jsonAttack('a number of 3 million digits', () => `${open}"x":${'9'.repeat(3_000_000)}}`, 201),
  jsonAttack('a fraction of 3 million digits', () => `${open}"x":0.${'9'.repeat(3_000_000)}}`, 201),
  jsonAttack('an integer of 3 million digits', () => `{"metadata":{"name":"a","generation":${'9'.repeat(3_000_000)}}}`, 400),
  jsonAttack('many long numbers', () => filled(`${open}"x":[`, () => '9'.repeat(1_000), ']}'), 201),
  jsonAttack('a number with a huge exponent', () => `${open}"x":1e${'9'.repeat(3_000_000)}}`, 201),
  jsonAttack('many small numbers', () => filled(`${open}"x":[`, () => '1', ']}'), 201),
  jsonAttack('many numbers that are reformatted', () => filled(`${open}"x":[`, () => '1.0', ']}'), 201),
  jsonAttack('many empty objects', () => filled(`${open}"x":[`, () => '{}', ']}'), 201),
  jsonAttack('blanks', () => `${' '.repeat(3_000_000)}{"metadata":{"name":"a"}}`, 201),
  jsonAttack('invalid UTF-8', () => new Uint8Array(3_000_000).fill(0xff), 400),
  jsonAttack('an unterminated string', () => `${open}"x":"${'a'.repeat(3_000_000)}`, 400),
  jsonAttack('a broken end', () => filled(`${open}"x":[`, () => '1', ']]'), 400),
  jsonAttack('many data', () => filled(`${open}"data":{`, (at) => `"k${at}":"a"`, '}}'), 500, /request is too large/),
  jsonAttack('many data with bad names', () => filled(`${open}"data":{`, (at) => `" ${at}":"a"`, '}}', ',', storable), 422),
  jsonAttack('data in bytes', () => `${open}"binaryData":{"k":"${'A'.repeat(3_000_000)}"}}`, 422),
  jsonAttack('labels', () => filled('{"metadata":{"name":"a","labels":{', (at) => `"k${at}":"a"`, '}}}'), 500, /request is too large/),
  jsonAttack('bad labels', () => filled('{"metadata":{"name":"a","labels":{', (at) => `" ${at}":" "`, '}}}', ',', storable), 422),
  jsonAttack(
    'annotations',
    () => filled('{"metadata":{"name":"a","annotations":{', (at) => `"k${at}":"a"`, '}}}', ',', storable),
    422,
    /Too long/,
  ),
  jsonAttack(
    'finalizers',
    () => filled('{"metadata":{"name":"a","finalizers":[', (at) => `"a.b/k${at}"`, ']}}'),
    500,
    /request is too large/,
  ),
  jsonAttack('bad finalizers', () => filled('{"metadata":{"name":"a","finalizers":[', () => '""', ']}}', ',', storable), 422),
  jsonAttack(
    'owners',
    () => filled('{"metadata":{"name":"a","ownerReferences":[', (at) => `{"apiVersion":"v1","kind":"A","name":"a","uid":"${at}"}`, ']}}'),
    500,
    /request is too large/,
  ),
  jsonAttack(
    'many controller owners',
    () =>
      filled(
        '{"metadata":{"name":"a","ownerReferences":[',
        (at) => `{"apiVersion":"v1","kind":"A","name":"a","uid":"${at}","controller":true}`,
        ']}}',
      ),
    422,
  ),
  jsonAttack(
    'empty owner references',
    () => filled('{"metadata":{"name":"a","ownerReferences":[', () => '{}', ']}}', ',', storable / 16),
    422,
  ),
  jsonAttack(
    'more owner references than an object can have',
    () => filled('{"metadata":{"name":"a","ownerReferences":[', () => '{}', ']}}'),
    500,
    /request is too large/,
  ),
  jsonAttack(
    'managed fields',
    () =>
      filled(
        '{"metadata":{"name":"a","managedFields":[',
        (at) =>
          `{"manager":"m${at}","operation":"Update","apiVersion":"v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{}}`,
        ']}}',
      ),
    201,
  ),
  jsonAttack(
    'managed fields of many fields',
    () =>
      filled(
        '{"metadata":{"name":"a","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{',
        (at) => `"f:k${at}":{}`,
        '}}}]}}',
      ),
    201,
  ),
  jsonAttack(
    'managed fields of deep fields',
    () =>
      `{"metadata":{"name":"a","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${'{"f:a":'.repeat(9_900)}{}${'}'.repeat(9_900)}}]}}`,
    201,
  ),
  jsonAttack('a long name', () => `{"metadata":{"name":"${'a'.repeat(3_000_000)}"}}`, 422),
  jsonAttack('a long name with dots', () => `{"metadata":{"name":"${'a.'.repeat(1_500_000)}"}}`, 422),
  jsonAttack('a long name with dashes', () => `{"metadata":{"name":"${'a-'.repeat(1_500_000)}"}}`, 422),
  jsonAttack('a long generateName', () => `{"metadata":{"generateName":"${'a-'.repeat(1_500_000)}"}}`, 422),
  jsonAttack('a long label', () => `{"metadata":{"name":"a","labels":{"${'a-'.repeat(1_000_000)}":"${'a-'.repeat(500_000)}"}}}`, 422),
  jsonAttack('a long kind', () => `{"kind":"${'a'.repeat(3_000_000)}"}`, 400),
  jsonAttack('a long version', () => `{"apiVersion":"${'a/'.repeat(1_500_000)}"}`, 400),
  yamlAttack('billion laughs', () => billionLaughs(10, 10), 400, /excessive aliasing/),
  yamlAttack('billion laughs with two aliases a level', () => billionLaughs(40, 2), 400, /excessive aliasing/),
  yamlAttack(
    'billion laughs with large values',
    () => `a: &a [${range(30_000, () => 'x').join(',')}]\nb: [${range(300, () => '*a').join(',')}]`,
    400,
    /excessive aliasing/,
  ),
  yamlAttack(
    'merges of merges',
    () => range(25, (at) => `a${at}: &a${at} {${at === 0 ? 'x: 1' : `<<: [*a${at - 1},*a${at - 1}], k${at}: 1`}}`).join('\n'),
    400,
    /excessive aliasing/,
  ),
  yamlAttack(
    'merges of a large map',
    () => `a: &a {${range(20_000, (at) => `k${at}: 1`).join(',')}}\nb: [${range(100, () => '{<<: *a}').join(',')}]`,
    400,
  ),
  yamlAttack('a merge of many maps', () => `a: &a {b: c}\nmetadata: {name: a}\nb: {<<: [${range(100_000, () => '*a').join(',')}]}`, 201),
  yamlAttack('flow lists that are too deep', () => '['.repeat(3_000_000), 400, /exceeded max depth/),
  yamlAttack('flow maps that are too deep', () => '{a: '.repeat(700_000), 400, /exceeded max depth/),
  yamlAttack('blocks that are too deep', () => '- '.repeat(1_500_000), 400, /exceeded max depth/),
  yamlAttack('keys that are too deep', () => '? '.repeat(1_500_000), 400),
  yamlAttack('many anchors', () => filled('metadata: {name: a}\nx: [', (at) => `&a${at} 1`, ']'), 201),
  yamlAttack('one anchor, many aliases', () => filled('metadata: {name: a}\ny: &a 1\nx: [', () => '*a', ']'), 201),
  yamlAttack('a long plain scalar', () => `metadata: {name: a}\nx: ${'a '.repeat(1_400_000)}`, 201),
  yamlAttack('a long scalar of many lines', () => `metadata: {name: a}\nx:\n${' a\n'.repeat(900_000)}`, 201),
  yamlAttack('a long quoted scalar', () => `metadata: {name: a}\nx: "${'\\x41'.repeat(700_000)}"`, 201),
  yamlAttack('a quoted scalar of many lines', () => `metadata: {name: a}\nx: "${'a\n\n'.repeat(900_000)}"`, 201),
  yamlAttack('a long literal', () => `metadata: {name: a}\nx: |\n${' a\n'.repeat(900_000)}`, 201),
  yamlAttack('a long folded scalar', () => `metadata: {name: a}\nx: >\n${' a\n\n'.repeat(700_000)}`, 201),
  yamlAttack('many items', () => `metadata: {name: a}\nx:\n${'- 1\n'.repeat(700_000)}`, 201),
  yamlAttack('many keys', () => `metadata: {name: a}\nx:\n${range(150_000, (at) => `  k${at}: 1\n`).join('')}`, 201),
  yamlAttack('many unknown keys', () => `metadata: {name: a}\n${range(150_000, (at) => `k${at}: 1\n`).join('')}`, 201),
  yamlAttack('duplicate keys', () => `metadata: {name: a}\nx:\n${range(150_000, (at) => `  k${at >> 1}: 1\n`).join('')}`, 201),
  yamlAttack('a key repeated often', () => `metadata: {name: a}\nx:\n${'  k: 1\n'.repeat(300_000)}`, 201),
  yamlAttack('comments', () => `metadata: {name: a}\n${'#\n'.repeat(1_400_000)}`, 201),
  yamlAttack('blanks', () => `metadata: {name: a}\n${' '.repeat(3_000_000)}`, 201),
  yamlAttack('lines of blanks', () => `metadata: {name: a}\n${' \n'.repeat(1_400_000)}`, 201),
  yamlAttack('documents', () => 'metadata: {name: a}\n---\n'.repeat(120_000), 201),
  yamlAttack('document starts', () => '---\n'.repeat(700_000), 422),
  yamlAttack('directives', () => '%TAG !a! tag:a,2000:\n'.repeat(140_000), 400),
  yamlAttack('tags', () => filled('metadata: {name: a}\nx: [', () => '!!str a', ']'), 201),
  yamlAttack('a long tag', () => `metadata: {name: a}\nx: !<${'a'.repeat(3_000_000)}> 1`, 201),
  yamlAttack('bangs', () => '! '.repeat(1_500_000), 400),
  yamlAttack('colons', () => ': '.repeat(1_500_000), 400),
  yamlAttack('colons without blanks', () => `metadata: {name: a}\nx: ${':'.repeat(3_000_000)}`, 400),
  yamlAttack('quotes', () => `metadata: {name: a}\nx: ${"''".repeat(1_500_000)}`, 201),
  yamlAttack('quoted keys', () => `metadata: {name: a}\nx: {${range(300_000, () => '"a":1').join(',')}}`, 201),
  yamlAttack('flow keys without values', () => filled('metadata: {name: a}\nx: {', (at) => `k${at}`, '}'), 201),
  yamlAttack('long lines of a possible key', () => `metadata: {name: a}\n${range(2_900, () => `${'a'.repeat(1_020)}\n`).join('')}`, 400),
  yamlAttack('possible keys in flows', () => `metadata: {name: a}\nx: ${'["a" '.repeat(9_000)}`, 400),
  yamlAttack('possible keys in deep flows', () => filled(`metadata: {name: a}\nx: ${'['.repeat(9_000)}`, () => '"a"', ''), 400),
  yamlAttack('items in deep flows', () => filled(`metadata: {name: a}\nx: ${'['.repeat(9_000)}`, () => 'a', ']'.repeat(9_000)), 201),
  yamlAttack('items in deep blocks', () => `metadata: {name: a}\nx:\n  ${'- '.repeat(9_000)}[${range(900_000, () => 'a').join(',')}]`, 201),
  yamlAttack('carriage returns', () => `metadata: {name: a}\n${'\r'.repeat(3_000_000)}`, 201),
  yamlAttack('tabs', () => `metadata: {name: a}\n${'\t'.repeat(3_000_000)}`, 400),
  yamlAttack('numbers of many digits', () => `metadata: {name: a}\nx: ${'9'.repeat(3_000_000)}`, 201),
  yamlAttack('numbers with underscores', () => `metadata: {name: a}\nx: ${'1_'.repeat(1_400_000)}`, 201),
  yamlAttack('hexadecimal digits', () => `metadata: {name: a}\nx: 0x${'f'.repeat(2_900_000)}`, 201),
  yamlAttack('sexagesimals', () => `metadata: {name: a}\nx: ${'1:'.repeat(1_400_000)}1`, 201),
  yamlAttack('bytes in base64', () => `metadata: {name: a}\nx: !!binary ${'QUFB'.repeat(700_000)}`, 201),
  {
    name: 'YAML: deep lists, strictly',
    request: () =>
      post(
        '/api/v1/namespaces/default/configmaps?fieldValidation=Strict',
        `metadata: {name: a}\nx: ${'['.repeat(9_000)}${']'.repeat(9_000)}`,
        'application/yaml',
      ),
    status: 400,
  },
  {
    name: 'JSON: many unknown members, strictly',
    request: () =>
      post(
        '/api/v1/namespaces/default/configmaps?fieldValidation=Strict',
        filled(open, (at) => `"k${at}":1`, '}'),
      ),
    status: 400,
  },
  {
    name: 'JSON: many unknown members, with warnings',
    request: () =>
      post(
        '/api/v1/namespaces/default/configmaps?fieldValidation=Warn',
        filled(open, (at) => `"k${at}":1`, '}'),
      ),
    status: 201,
  },
  {
    name: 'protobuf: unknown fields',
    request: () =>
      configMap(
        Uint8Array.from([0x6b, 0x38, 0x73, 0, ...range(2_000_000, (at) => (at % 2 ? 1 : 0xf8))]),
        'application/vnd.kubernetes.protobuf',
      ),
    status: 422,
  },
  {
    name: 'protobuf: huge lengths',
    request: () =>
      configMap(Uint8Array.from([0x6b, 0x38, 0x73, 0, 0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f]), 'application/vnd.kubernetes.protobuf'),
    status: 400,
  },
  {
    name: 'protobuf: many labels',
    request: () => {
      const bytes = new TextEncoder();
      const field = (tag: number, content: Uint8Array | readonly number[]): Uint8Array => {
        const head = [tag];
        let rest = content.length;
        for (; rest > 127; rest >>= 7) head.push((rest & 127) | 128);
        return Buffer.concat([Uint8Array.from([...head, rest]), Uint8Array.from(content)]);
      };
      const label = field(0x5a, Buffer.concat([field(0x0a, bytes.encode('a')), field(0x12, bytes.encode('b'))]));
      const meta = field(0x0a, Buffer.concat([field(0x0a, bytes.encode('a')), ...range(280_000, () => label)]));
      const type = field(0x0a, Buffer.concat([field(0x0a, bytes.encode('v1')), field(0x12, bytes.encode('ConfigMap'))]));
      return configMap(
        Buffer.concat([Uint8Array.from([0x6b, 0x38, 0x73, 0]), type, field(0x12, meta)]),
        'application/vnd.kubernetes.protobuf',
      );
    },
    status: 201,
  },
];
