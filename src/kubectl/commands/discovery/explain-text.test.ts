import { expect, test } from 'vitest';
import type { JsonObject } from '../../../meta/index.ts';
import { ExplainText } from './explain-text.ts';

const refer = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const widget: JsonObject = {
  description: 'A widget.',
  type: 'object',
  required: ['spec'],
  properties: {
    spec: { description: 'What it is.', allOf: [refer('com.example.v1.Spec')] },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
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
          color: { type: 'string', description: 'The color.', enum: ['', 'red', 'green', 'blue', 'white'] },
          size: { ...refer('com.example.Size'), description: 'The size.' },
          parts: { type: 'array', items: { allOf: [refer('com.example.v1.Spec')] }, description: 'Its parts.' },
          at: refer('com.example.Time'),
        },
      },
      'com.example.Size': { oneOf: [{ type: 'string' }, { type: 'number' }], description: 'Size in mm.' },
      'com.example.Time': { type: 'string', format: 'date-time' },
    },
  },
};

const explain = (...path: readonly string[]): string => new ExplainText(document, false).output(widget, path);

test('explains a kind with its fields, sorted', () => {
  expect(explain()).toBe(`DESCRIPTION:
    A widget.
    
FIELDS:
  labels\t<map[string]string>
    <no description>

  spec\t<Spec> -required-
    What it is.

`);
});

test('explains a field with its type, the descriptions of field and type, and the first four allowed values of its fields', () => {
  expect(explain('spec')).toBe(`FIELD: spec <Spec>


DESCRIPTION:
    What it is.
    Spec of a widget.
    
FIELDS:
  at\t<string>
    <no description>

  color\t<string>
  enum: "", red, green, blue, ....
    The color.

  parts\t<[]Spec>
    Its parts.

  size\t<Size>
    The size.

`);
});

test('lists all allowed values of a field that has no fields', () => {
  expect(explain('spec', 'color')).toBe(`FIELD: color <string>
ENUM:
    ""
    red
    green
    blue
    white

DESCRIPTION:
    The color.
    
`);
  expect(explain('labels')).toBe('FIELD: labels <map[string]string>\n\n\nDESCRIPTION:\n    <empty>\n');
});

test('finds fields of items, and explains a recursive type', () => {
  expect(explain('spec', 'parts', 'parts', 'size')).toBe('FIELD: size <Size>\n\n\nDESCRIPTION:\n    Size in mm.\n    \n');
  expect([explain('nope'), explain('spec', 'nope', 'size'), explain('spec', 'size', 'nope')]).toEqual(['', '', '']);
});

test('lists fields recursively without descriptions, a recursive type once', () => {
  expect(new ExplainText(document, true).output(widget, [])).toBe(`DESCRIPTION:
    A widget.
    
FIELDS:
  labels\t<map[string]string>
  spec\t<Spec> -required-
    at\t<string>
    color\t<string>
    enum: "", red, green, blue, ....
    parts\t<[]Spec>
    size\t<Size>
`);
});
