import { expect, test } from 'vitest';
import type { JsonObject } from '../../../meta/index.ts';
import { ExplainOpenApiV2 } from './explain-openapi-v2.ts';

const refer = (name: string): JsonObject => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] });

const widget: JsonObject = {
  description: 'A widget.',
  type: 'object',
  required: ['spec'],
  properties: {
    spec: { description: 'What it is.', ...refer('com.example.v1.Spec') },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    any: {},
  },
};

const document: JsonObject = {
  components: {
    schemas: {
      'com.example.v1.Widget': widget,
      'com.example.v1.Spec': {
        description: 'Spec of a widget.',
        type: 'object',
        properties: {
          size: {
            description: 'The size, which is described in a text of more than eighty characters: its unit is bytes.',
            ...refer('Size'),
          },
          parts: { type: 'array', items: refer('com.example.v1.Spec'), description: 'Its parts:\n- one\n- two\n\n    code' },
        },
      },
      Size: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    },
  },
};

const resource = { group: 'example.com', version: 'v1', kind: 'Widget', name: 'widgets' } as ConstructorParameters<
  typeof ExplainOpenApiV2
>[2];

const missing = (field: string): never => {
  throw new Error(`no ${field}`);
};

const explain = (path: readonly string[], recursive = false): string =>
  new ExplainOpenApiV2(document, recursive, resource).output(widget, path, missing);

const heading = 'KIND:     Widget\nVERSION:  example.com/v1\n\n';

test('a kind is described with its fields', () => {
  expect(explain([])).toBe(
    `${heading}DESCRIPTION:\n     A widget.\n\nFIELDS:\n   any\t<>\n\n   labels\t<map[string]string>\n\n   spec\t<Object> -required-\n     What it is.\n\n`,
  );
});

test('a field is described with those of its type', () => {
  expect(explain(['spec'])).toBe(
    [
      `${heading}RESOURCE: spec <Object>\n`,
      'DESCRIPTION:\n     What it is.\n\n     Spec of a widget.\n',
      'FIELDS:\n   parts\t<[]Object>\n     Its parts:\n     - one\n     - two\n\n         code\n',
      '   size\t<string>\n     The size, which is described in a text of more than eighty characters: its\n     unit is bytes.\n\n',
    ].join('\n'),
  );
  expect(explain(['spec', 'parts', 'size'])).toMatch(
    /^KIND: {5}Widget\nVERSION: {2}example.com\/v1\n\nFIELD: {4}size <string>\n\nDESCRIPTION:\n/,
  );
});

test('all fields are listed, those of a recursive type once', () => {
  expect(explain([], true)).toBe(
    `${heading}DESCRIPTION:\n     A widget.\n\nFIELDS:\n   any\t<>\n   labels\t<map[string]string>\n   spec\t<Object>\n      parts\t<[]Object>\n      size\t<string>\n`,
  );
});

test('a field that does not exist is an error, below a value it is not', () => {
  expect(() => explain(['spec', 'color'])).toThrow('no color');
  expect(explain(['labels', 'x'])).toContain('FIELD:    x <string>');
});
