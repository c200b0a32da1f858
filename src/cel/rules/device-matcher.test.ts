import { expect, test } from 'vitest';
import { compileDeviceSelector } from './device-matcher.ts';

const device = {
  driver: 'gpu.example.com',
  attributes: {
    model: { string: 'a100' },
    'other.example.com/numa': { int: 1 },
    healthy: { bool: true },
    driverVersion: { version: '1.2.3' },
  },
  capacity: { memory: { value: '40Gi' } },
};

test.each([
  ['device.driver == "gpu.example.com"', true],
  ['device.attributes["gpu.example.com"].model == "a100"', true],
  ['device.attributes["other.example.com"].numa == 2', false],
  ['device.attributes["gpu.example.com"].healthy', true],
  ['device.attributes["gpu.example.com"].driverVersion.isGreaterThan(semver("1.2.0"))', true],
  ['device.capacity["gpu.example.com"].memory.compareTo(quantity("80Gi")) >= 0', false],
  ['"gpu.example.com" in device.attributes', true],
  ['"unknown.example.com" in device.attributes', false],
  ['has(device.attributes["unknown.example.com"].model)', false],
])('%s is %s', (source, expected) => {
  expect(compileDeviceSelector(source)(device)).toBe(expected);
});

test('a missing attribute is an error', () => {
  expect(() => compileDeviceSelector('device.attributes["unknown.example.com"].model == "x"')(device)).toThrow('no such key: model');
});

test('an expression that does not compile is an error', () => {
  expect(() => compileDeviceSelector('device.')).toThrow('ERROR: <input>');
});
