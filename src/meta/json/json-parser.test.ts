import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prettyJson, stringifyJson } from './json-encoder.ts';
import { findMemberOffsets } from './json-offsets.ts';
import { JsonSyntaxError, parseJson, parseJsonBytes, parseJsonBytesAsync } from './json-parser.ts';

test('accepts the texts of JSON.parse with the same result', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!/\d{16}/.test(text));
      expect(JSON.stringify(parseJson(text).value)).toBe(JSON.stringify(JSON.parse(text.replace(/-0(?![.\d])/g, '0'))));
    }),
  );
});

test('rejects the texts that JSON.parse rejects', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      let fine = true;
      try {
        JSON.parse(text);
      } catch {
        fine = false;
      }
      if (fine) parseJson(text);
      else expect(() => parseJson(text)).toThrow(JsonSyntaxError);
    }),
  );
});

test('reports syntax errors like the real decoder', () => {
  const messageOf = (text: string): string => {
    try {
      parseJson(text);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
    return '';
  };
  expect(messageOf('')).toBe('unexpected end of JSON input');
  expect(messageOf('{"a":1,')).toBe('unexpected end of JSON input');
  expect(messageOf('hello')).toBe("invalid character 'h' looking for beginning of value");
  expect(messageOf('{"a" 1}')).toBe("invalid character '1' after object key");
  expect(messageOf('\ufeff{}')).toBe("invalid character 'ï' looking for beginning of value");
  expect(messageOf('\x7f')).toBe("invalid character '\\x7f' looking for beginning of value");
  expect(messageOf('[1 2]')).toBe("invalid character '2' after array element");
  expect(messageOf('{} x')).toBe("invalid character 'x' after top-level value");
  expect(messageOf('nul!')).toBe("invalid character '!' in literal null (expecting 'l')");
});

test('limits nesting to 10,000 without a stack overflow', () => {
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(parseJson(deep(10_000)).duplicates).toEqual([]);
  expect(() => parseJson(deep(10_001))).toThrow("invalid character '[' exceeded max depth");
  expect(stringifyJson(parseJson(deep(10_000)).value)).toBe(deep(10_000));
});

test('the last duplicate member wins, each is reported once, and objects may be merged', () => {
  const text = '{"a":{"x":1,"y":1},"l":[{"b":1,"b":2,"b":3}],"a":{"y":2}}';
  const merged = parseJson(text, 'merged');
  expect(merged.value).toEqual({ a: { x: 1, y: 2 }, l: [{ b: 3 }] });
  // Members that occur in both objects are not duplicates.
  const duplicates = [
    { path: 'l[0].b', steps: ['.l', '[0]', '.b'], offset: text.indexOf('"b":2') },
    { path: 'a', steps: ['.a'], offset: text.lastIndexOf('"a"') },
  ];
  expect(merged.duplicates).toEqual(duplicates);
  expect(parseJson(text)).toMatchObject({ value: { a: { y: 2 }, l: [{ b: 3 }] }, duplicates });
});

test('reports at most a hundred duplicates, in linear time', () => {
  const many = Array.from({ length: 200 }, (_, index) => `"k${index}":1,"k${index}":2`).join();
  expect(parseJson(`{${many}}`).duplicates).toHaveLength(100);
  const depth = 9_000;
  const same = `${'{"a":'.repeat(depth)}{${'"b":{"x":1,"x":1},'.repeat(20_000)}"c":0}${'}'.repeat(depth)}`;
  const paths = parseJson(same).duplicates.map(({ steps }) => steps.slice(depth).join(''));
  expect(paths).toEqual(['.b.x', '.b']);
});

test('finds the first offset of members by their path', () => {
  const text = '{ "a" : [ {"x":"}"}, {"\\u0078": [1, 2]} ], "b":{"x\\"y":{}, "a":0}, "c":{"x":{}}}';
  const offsets = findMemberOffsets(text, [['.a', '[1]', '.x'], ['.b', '.x"y'], ['.b', '.a'], ['.c', '.y'], ['.c'], ['.a', '[0]', '.x']]);
  const at = (part: string): number => text.indexOf(part);
  expect(offsets).toEqual([at('"\\u0078"'), at('"x\\"y"'), at('"a":0'), -1, at('"c"'), at('"x":"}"')]);
});

test('integers beyond 2^53 are parsed and encoded exactly', () => {
  const text = '{"n":9223372036854775807,"m":-9007199254740993,"f":1.5}';
  expect(stringifyJson(parseJson(text).value)).toBe(text);
});

test('a member named __proto__ is data', () => {
  const { value } = parseJson('{"__proto__":{"polluted":true},"a":1}');
  expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
  expect(stringifyJson(value)).toBe('{"__proto__":{"polluted":true},"a":1}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('escapes HTML characters like the real encoder', () => {
  expect(stringifyJson({ a: '<b>&\u2028' })).toBe('{"a":"\\u003cb\\u003e\\u0026\\u2028"}');
});

test('indents by two spaces and leaves empty containers on one line', () => {
  expect(prettyJson('{"a":[1,{"b":"x,{}"}],"c":{},"d":[]}')).toBe(JSON.stringify({ a: [1, { b: 'x,{}' }], c: {}, d: [] }, null, 2));
});

test('records number literals that differ from their canonical form', () => {
  const { value, literals } = parseJson('{"a":1.0,"b":[2,-0.0,1e3],"c":7,"d":9007199254740993}');
  const object = value as { readonly b: object };
  expect(literals.get(object)).toEqual(new Map([['a', '1.0']]));
  expect(literals.get(object.b)).toEqual(
    new Map([
      [1, '-0.0'],
      [2, '1e3'],
    ]),
  );
});

test('reports the end of input within a literal or number as in Go', () => {
  const saying = (text: string) => () => parseJson(text);
  expect(saying('{"a":nul')).toThrow("invalid character ' ' in literal null (expecting 'l')");
  expect(saying('-')).toThrow("invalid character ' ' in numeric literal");
  expect(saying('"a')).toThrow('unexpected end of JSON input');
});

test('shows invalid UTF-8 bytes as they are', () => {
  expect(() => parseJsonBytes(Uint8Array.of(0x7b, 0xff))).toThrow("invalid character 'ÿ' looking for beginning of object key string");
  expect(parseJsonBytes(new TextEncoder().encode('{"a":"é"}')).value).toEqual({ a: 'é' });
});

test('parses a large text in turns with the same value or error', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const items = JSON.stringify(Array.from({ length: 60_000 }, (_, at) => ({ [`k${at}`]: [at, `t${at}`] })));
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses++;
  };
  expect((await parseJsonBytesAsync(bytes(items), 'replaced', pause)).value).toEqual(JSON.parse(items));
  expect(pauses).toBeGreaterThan(1);
  await expect(parseJsonBytesAsync(bytes(`${items}]`), 'replaced', pause)).rejects.toThrow("invalid character ']' after top-level value");
});

test('parses integers of any length alike', () => {
  for (const text of ['0', '7', '123456789012345', '1234567890123456', '9007199254740993', '-0', '-12', '10e1', '1.50'])
    expect(Number(parseJson(`[${text}]`).value?.toString())).toBe(Number(text) + 0);
  for (const text of ['01', '00', '1.', '1e', '--1']) expect(() => parseJson(`[${text}]`)).toThrow(JsonSyntaxError);
});

test('parses and rejects long escape sequences like short ones', () => {
  const pad = 'x'.repeat(300);
  const read = String.raw`a\n\"\/\u0041é😀\ud83d\ude00\ud800b`;
  expect(parseJson(`"${read}"`).value).toBe('a\n"/Aé😀😀\ufffdb');
  expect(parseJson(`["${pad}${read}${pad}",1]`).value).toEqual([`${pad}a\n"/Aé😀😀\ufffdb${pad}`, 1]);
  for (const wrong of [String.raw`\q`, String.raw`\u00g0`, '\\n\t', String.raw`\uxy`]) {
    const messageOf = (text: string): string => {
      try {
        return JSON.stringify(parseJson(text));
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(messageOf(`"\\n${wrong}${pad}"`)).toBe(messageOf(`"\\n${wrong}"`));
    expect(messageOf(`"\\n${pad}${wrong}"`)).toBe(messageOf(`"\\n${wrong}"`));
  }
});
