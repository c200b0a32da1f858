import type { Product } from '../product.ts';
import { parseTime, TimeError } from '../values/time.ts';
import type { ApiObject } from './api-object.ts';
import { secretDataReader } from './secret-data-reader.ts';

/** The content of a bootstrap token Secret (part 2.12). Absent values are empty texts. */
export interface BootstrapSecret {
  readonly id: string;
  readonly secret: string;
  /** Undefined when the token never expires; an invalid time counts as expired. */
  readonly expiresMs: number | undefined;
  readonly authenticates: boolean;
  readonly signs: boolean;
  readonly extraGroups: string;
}

export function isBootstrapSecret(secret: ApiObject, product: Product): boolean {
  return secret['type'] === product.rename('bootstrap.kubernetes.io/token');
}

export function readBootstrapSecret(secret: object): BootstrapSecret {
  const data = secretDataReader(secret);
  return {
    id: data('token-id'),
    secret: data('token-secret'),
    expiresMs: parseExpiry(data('expiration')),
    authenticates: data('usage-bootstrap-authentication') === 'true',
    signs: data('usage-bootstrap-signing') === 'true',
    extraGroups: data('auth-extra-groups'),
  };
}

function parseExpiry(text: string): number | undefined {
  if (text === '') return undefined;
  try {
    return parseTime(text);
  } catch (error) {
    if (error instanceof TimeError) return Number.NEGATIVE_INFINITY;
    throw error;
  }
}
