import { expect, test } from 'vitest';
import { selectorProblem } from './device-selector.ts';

test.each([
  'device.driver == "dra.example.com"',
  'device.attributes["a"].b',
  'cel.bind(x, device.attributes["a"], x.y)',
  'device.attributes["x"].v.isGreaterThan(semver("1.0.0"))',
  'device.capacity["x"].v.compareTo(quantity("1Gi")) >= 0',
  'device.attributes["a"].b.matches("(a|b)*c") && device.driver.matches("a*")',
])('%s selects devices', (expression) => {
  expect(selectorProblem(expression)).toBeUndefined();
});

const everything =
  'device.attributes.all(k, device.attributes.all(l, device.attributes.all(m, device.attributes.all(n, device.attributes[n].all(z, z.contains(k))))))';

test.each([
  ['dyn(true)', 'invalid', 'must evaluate to bool or the unknown type, not dyn'],
  ['device.attributes["a"].b + 1', 'invalid', 'must evaluate to bool or the unknown type, not int'],
  ['device.capacity["a"].b', 'invalid', 'must evaluate to bool or the unknown type, not kubernetes.Quantity'],
  ['device.nope', 'invalid', "compilation failed: ERROR: <input>:1:7: undefined field 'nope'\n | device.nope\n | ......^"],
  [
    'cel.bind("a", 1, true)',
    'invalid',
    'compilation failed: ERROR: <input>:1:10: cel.bind() variable names must be simple identifiers\n | cel.bind("a", 1, true)\n | .........^',
  ],
  [everything, 'forbidden', 'too complex, exceeds cost limit'],
] as const)('%s is rejected like upstream', (expression, reason, detail) => {
  expect(selectorProblem(expression)).toEqual({ reason, detail });
});
