import { type FieldError, invalid, required } from '../errors/field-error.ts';
import type { FeatureGates } from '../feature-gates/index.ts';
import { isDns1123Label, isDns1123Subdomain } from './names.ts';

/** The message of domains with one segment. */
export const tooFewSegments = 'should be a domain with at least two segments separated by dots';

/** Validation of IP addresses, CIDRs and domain names in fields. */

const ipError = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const cidrError = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

export interface IpAddress {
  readonly family: 'IPv4' | 'IPv6';
  /** 4 or 16 bytes; an IPv4-mapped IPv6 address has family IPv4, as in Go. */
  readonly bytes: readonly number[];
  /** Written with `::ffff:`. */
  readonly mapped: boolean;
  /** Written with leading zeros such as `010`, which old fields read as decimal. */
  readonly leadingZeros: boolean;
}

/** Like Go's net.ParseIP before it rejected leading zeros. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(':')) return parseIpv4(text);
  const bytes = ipv6Bytes(text);
  if (!bytes) return undefined;
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  const leadingZeros = parseIpv4(text.slice(text.lastIndexOf(':') + 1))?.leadingZeros ?? false;
  return { family: mapped ? 'IPv4' : 'IPv6', bytes: mapped ? bytes.slice(12) : bytes, mapped, leadingZeros };
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^0*\d{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  const leadingZeros = parts.some((part) => part.length > 1 && part.startsWith('0'));
  return { family: 'IPv4', bytes: parts.map(Number), mapped: false, leadingZeros };
}

function ipv6Bytes(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (!head) return undefined;
  const left = groupBytes(head, tail === undefined);
  const right = tail === undefined ? [] : groupBytes(tail, true);
  if (!left || !right) return undefined;
  const missing = 16 - left.length - right.length;
  // `::` stands for at least one group.
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...left, ...new Array<number>(missing).fill(0), ...right];
}

function groupBytes(groups: readonly string[], last: boolean): readonly number[] | undefined {
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const ipv4 = last && index === groups.length - 1 && group.includes('.') ? parseIpv4(group) : undefined;
    if (ipv4) bytes.push(...ipv4.bytes);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 255);
    } else return undefined;
  }
  return bytes;
}

/** The canonical form of an address: RFC 5952 for IPv6. */
export function formatIp({ bytes }: Pick<IpAddress, 'bytes'>): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0));
  const { start, length } = longestZeros(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1;
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start };
  }
  return best;
}

export interface Cidr {
  readonly address: IpAddress;
  readonly prefixLength: number;
  readonly leadingZeros: boolean;
  /** Bits are set after the prefix. */
  readonly excess: boolean;
}

export function parseCidr(text: string): Cidr | undefined {
  const cut = text.indexOf('/');
  const address = cut < 0 ? undefined : parseIp(text.slice(0, cut));
  const length = text.slice(cut + 1);
  if (!address || !/^\d{1,8}$/.test(length)) return undefined;
  const written = address.mapped ? 128 : address.bytes.length * 8;
  const prefixLength = Number(length);
  if (prefixLength > written) return undefined;
  const inAddress = address.mapped ? Math.max(0, prefixLength - 96) : prefixLength;
  const excess = address.bytes.some((byte, index) => (byte & (255 >> Math.min(8, Math.max(0, inAddress - index * 8)))) !== 0);
  return { address, prefixLength, leadingZeros: address.leadingZeros || (length.length > 1 && length.startsWith('0')), excess };
}

/** Validates an address in a field introduced since 1.33. */
export function validateIp(field: string, value: string): readonly FieldError[] {
  const address = parseIp(value);
  if (!address) return [invalid(field, value, ipError)];
  const odd = ambiguousIpProblem(address);
  return odd === undefined ? requireCanonical(field, value, formatIp(address)) : [invalid(field, value, odd)];
}

/** Returns why programs may interpret the address differently, if so. */
function ambiguousIpProblem({ leadingZeros, mapped }: IpAddress): string | undefined {
  if (leadingZeros) return 'must not have leading 0s';
  return mapped ? 'must not be an IPv4-mapped IPv6 address' : undefined;
}

function ambiguousCidrProblem({ leadingZeros, address, excess }: Cidr): string | undefined {
  if (leadingZeros) return 'must not have leading 0s in IP or prefix length';
  if (address.mapped) return 'must not have an IPv4-mapped IPv6 address';
  return excess ? 'must not have bits set beyond the prefix length' : undefined;
}

function requireCanonical(field: string, value: string, canonical: string): readonly FieldError[] {
  return value === canonical ? [] : [invalid(field, value, `must be in canonical form (${JSON.stringify(canonical)})`)];
}

/**
 * Validates an address in a field that has always accepted ambiguous spellings, unless the gate forbids them. Stored addresses (`known`)
 * stay valid.
 */
export function validateLegacyIp(field: string, value: string, gates: FeatureGates, known: readonly string[] = []): readonly FieldError[] {
  const address = parseIp(value);
  const wrong = address ? problemWhenStrict(gates, ambiguousIpProblem(address)) : ipError;
  return wrong === undefined || known.includes(value) ? [] : [invalid(field, value, wrong)];
}

function problemWhenStrict(gates: FeatureGates, odd: string | undefined): string | undefined {
  return gates.enabled('StrictIPCIDRValidation') ? odd : undefined;
}

export function validateCidr(field: string, value: string): readonly FieldError[] {
  const cidr = parseCidr(value);
  if (!cidr) return [invalid(field, value, cidrError)];
  const odd = ambiguousCidrProblem(cidr);
  return odd === undefined
    ? requireCanonical(field, value, `${formatIp(cidr.address)}/${cidr.prefixLength}`)
    : [invalid(field, value, odd)];
}

/** As `validLegacyIp`, for a CIDR. */
export function validateLegacyCidr(
  field: string,
  value: string,
  gates: FeatureGates,
  known: readonly string[] = [],
): readonly FieldError[] {
  const cidr = parseCidr(value);
  const wrong = cidr ? problemWhenStrict(gates, ambiguousCidrProblem(cidr)) : cidrError;
  return wrong === undefined || known.includes(value) ? [] : [invalid(field, value, wrong)];
}

/** An address with its prefix length: `192.168.1.5/24`. */
export function validateInterfaceAddress(value: string, field: string): readonly FieldError[] {
  const cidr = parseCidr(value);
  if (!cidr) return [invalid(field, value, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')];
  const length = cidr.address.mapped && cidr.prefixLength > 32 ? cidr.prefixLength - 96 : cidr.prefixLength;
  return requireCanonical(field, value, `${formatIp(cidr.address)}/${length}`);
}

/** `service.example.com`; a trailing dot is allowed. */
export function validateFullyQualifiedDomainName(field: string, value: string): readonly FieldError[] {
  if (value === '') return [required(field, '')];
  const name = value.endsWith('.') ? value.slice(0, -1) : value;
  const errors = isDns1123Subdomain(name);
  if (errors.length > 0) return [invalid(field, name, errors.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) return [invalid(field, name, tooFewSegments)];
  const wrong = labels.find((part) => isDns1123Label(part).length > 0);
  return wrong === undefined ? [] : [invalid(field, wrong, isDns1123Label(wrong).join(','))];
}

/** `name.group.example`: at least three parts. */
export function validateFullyQualifiedName(field: string, value: string): readonly FieldError[] {
  if (value === '') return [required(field, '')];
  const errors = isDns1123Subdomain(value);
  if (errors.length > 0) return [invalid(field, value, errors.join(','))];
  const enough = value.split('.').length >= 3;
  return enough ? [] : [invalid(field, value, 'should be a domain with at least three segments separated by dots')];
}

/** `acme.io/foo`. */
export function validateDomainPrefixedPath(field: string, value: string): readonly FieldError[] {
  if (value === '') return [required(field, '')];
  const cut = value.indexOf('/');
  const [host, path] = [value.slice(0, Math.max(0, cut)), value.slice(cut + 1)];
  if (host === '' || path === '') return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const errors = isDns1123Subdomain(host).map((error) => invalid(field, host, error));
  if (/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) return errors;
  return [...errors, invalid(field, path, "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')")];
}
