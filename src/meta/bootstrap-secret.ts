import type { ApiObject } from './api-object.ts';
import type { Product } from './product.ts';
import { secretData } from './secret-data.ts';
import { parseTime, TimeError } from './time.ts';

/** What the secret of a bootstrap token says (part 2.12). Empty texts: not said. */
export interface BootstrapSecret {
  readonly id: string;
  readonly secret: string;
  /** Undefined: never; what is no time counts as past. */
  readonly expiresMs: number | undefined;
  readonly authenticates: boolean;
  readonly signs: boolean;
  readonly extraGroups: string;
}

export function isBootstrapSecret(secret: ApiObject, product: Product): boolean {
  return secret['type'] === product.rename('bootstrap.kubernetes.io/token');
}

export function readBootstrapSecret(secret: ApiObject): BootstrapSecret {
  const data = secretData(secret);
  return {
    id: data('token-id'),
    secret: data('token-secret'),
    expiresMs: expiryOf(data('expiration')),
    authenticates: data('usage-bootstrap-authentication') === 'true',
    signs: data('usage-bootstrap-signing') === 'true',
    extraGroups: data('auth-extra-groups'),
  };
}

function expiryOf(text: string): number | undefined {
  if (text === '') return undefined;
  try {
    return parseTime(text);
  } catch (error) {
    if (error instanceof TimeError) return Number.NEGATIVE_INFINITY;
    throw error;
  }
}
