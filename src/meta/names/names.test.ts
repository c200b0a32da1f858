import { expect, test } from 'vitest';
import table from '../../../test/facts/tables/names.json' with { type: 'json' };
import type { FieldError } from '../errors/field-error.ts';
import { createFeatureGates } from '../feature-gates/index.ts';
import * as names from './names.ts';
import * as network from './network-names.ts';
import { isPathSegmentName } from './path-segment.ts';

const inField = (rule: (field: string, value: string) => readonly FieldError[]) => (value: string) =>
  rule('f', value).map((error) => `${error.field}: ${error.message}`);

const rules: Readonly<Record<string, (value: string) => readonly string[]>> = {
  IsCIdentifier: names.isCIdentifier,
  IsConfigMapKey: names.isConfigMapKey,
  IsDNS1035Label: names.isDns1035Label,
  IsDNS1123Label: names.isDns1123Label,
  IsDNS1123Subdomain: names.isDns1123Subdomain,
  IsDomainPrefixedPath: inField(network.validateDomainPrefixedPath),
  IsEnvVarName: names.isEnvVarName,
  IsFullyQualifiedDomainName: inField(network.validateFullyQualifiedDomainName),
  IsFullyQualifiedName: inField(network.validateFullyQualifiedName),
  IsHTTPHeaderName: names.isHttpHeaderName,
  IsQualifiedName: names.isQualifiedName,
  IsRelaxedEnvVarName: names.isRelaxedEnvVarName,
  IsValidCIDR: inField(network.validateCidr),
  // Recorded with the strict rules on.
  IsValidCIDRForLegacyField: inField(network.validateCidr),
  IsValidIP: inField(network.validateIp),
  IsValidIPForLegacyField: inField(network.validateIp),
  IsValidLabelValue: names.isLabelValue,
  IsValidPercent: names.isPercent,
  IsValidPortName: names.isPortName,
  IsWildcardDNS1123Subdomain: names.isWildcardDns1123Subdomain,
  NameIsDNS1035LabelPrefix: names.dns1035Names.prefix,
  NameIsDNSLabelPrefix: names.labelNames.prefix,
  NameIsDNSSubdomain: names.subdomainNames.name,
  NameIsDNSSubdomainPrefix: names.subdomainNames.prefix,
};

test.each(Object.entries(table.functions as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>))(
  '%s answers as the real one for every text of the table',
  (name, rows) => {
    const rule = rules[name];
    const answers = Object.fromEntries(Object.keys(rows).map((text) => [text, rule?.(text)]));
    expect(answers).toEqual(rows);
  },
);

test('a path segment excludes slashes, percent signs, and dots alone', () => {
  expect(['a:b', '..', 'a/b%c'].map((name) => isPathSegmentName(name))).toEqual([
    [],
    ["may not be '..'"],
    ["may not contain '/'", "may not contain '%'"],
  ]);
});

test('parses addresses in every spelling, and leading zeros in legacy fields', () => {
  expect(network.parseIp('2001:db8::1.2.3.4')?.bytes).toEqual([32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
  expect(network.parseIp('1:2:3:4:5:6:7:8')?.family).toBe('IPv6');
  expect(['1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7::8', ':1::', '1.2.3', '1.2.3.256', 'fe80::1%eth0'].filter(network.parseIp)).toEqual(
    [],
  );
  expect([network.validateLegacyIp('f', '010.0.0.1', createFeatureGates()), network.validateIp('f', '010.0.0.1').length]).toEqual([[], 1]);
});

test('limits lengths in bytes', () => {
  for (const text of ['', 'é€', '😀', 'a😀b', '\ud83d', '\ude00\ud83d', '\ud83d\ud83d\ude00', '\u07ff\u0800\uffff'])
    expect(names.byteLength(text), JSON.stringify(text)).toBe(new TextEncoder().encode(text).length);
  expect(names.isLabelValue('é'.repeat(32))).toContain('must be no more than 63 characters');
});
