import {
  compareQuantities,
  invalid,
  isNativeResource,
  isQualifiedName,
  parseQuantity,
  quantityInteger,
  signOfQuantity,
} from '../../../../meta/index.ts';
import { type Errors, none, unsupported, validateNameWith } from '../../checks.ts';
import type { ValidationContext } from '../../kind-validator.ts';

/** Resource names such as cpu or example.com/gpu, and their amounts. Cf. upstream core helper. */
const container: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const countedObjects: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const quota: ReadonlySet<string> = new Set([
  ...container,
  ...countedObjects,
  ...['requests', 'limits'].flatMap((part) => [...container].map((name) => `${part}.${name}`)),
  'requests.storage',
]);
const standard: ReadonlySet<string> = new Set([...quota, 'storage']);

const isHugePage = (name: string): boolean => name.startsWith('hugepages-');

export function isStandardQuotaResource(name: string): boolean {
  return quota.has(name) || isHugePage(name) || name.startsWith('requests.hugepages-');
}

export function validateResourceName(name: string, path: string): Errors {
  const errors = validateNameWith(isQualifiedName, name, path);
  if (errors.length > 0 || name.includes('/')) return errors;
  if (standard.has(name) || isHugePage(name) || name.startsWith('requests.hugepages-')) return none;
  return [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

/** Validates the name of a resource. */
export type ResourceNameRule = (name: string, path: string, context: ValidationContext) => Errors;

/** Resources that all containers of a pod may share. */
export function validatePodResourceName(name: string, path: string): Errors {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || isHugePage(name)) return errors;
  return [unsupported(path, name, ['cpu', 'hugepages-', 'memory'])];
}

export function validateContainerResourceName(name: string, path: string, context: ValidationContext): Errors {
  const errors = validateResourceName(name, path);
  if (!name.includes('/')) {
    return container.has(name) || isHugePage(name)
      ? errors
      : [...errors, invalid(path, name, 'must be a standard resource for containers')];
  }
  if (isNativeResource(name, context) || isExtended(name, context)) return errors;
  return [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}

export function validateQuotaResourceName(name: string, path: string): Errors {
  const errors = validateResourceName(name, path);
  if (name.includes('/') || isStandardQuotaResource(name)) return errors;
  return [...errors, invalid(path, name, 'must be a standard resource for quota')];
}

/** Whether a resource is an extended one of a vendor: integers, without overcommit. */
export function isExtended(name: string, context: ValidationContext): boolean {
  if (isNativeResource(name, context) || name.startsWith('requests.')) return false;
  return isQualifiedName(`requests.${name}`).length === 0;
}

/** Whether limits may exceed requests. */
export function isOvercommitAllowed(name: string, context: ValidationContext): boolean {
  return isNativeResource(name, context) && !isHugePage(name);
}

export { isHugePage };

/** An amount of a resource: not negative, and an integer where the resource is not divisible. */
export function validateResourceAmount(name: string, amount: string, path: string, context: ValidationContext): Errors {
  const quantity = parseQuantity(amount);
  const negative = signOfQuantity(quantity) < 0 ? [invalid(path, amount, 'must be greater than or equal to 0')] : none;
  if (quantityInteger(quantity, -3) % 1000n === 0n || !(countedObjects.has(name) || isExtended(name, context))) return negative;
  return [...negative, invalid(path, amount, 'must be an integer')];
}

export function isGreaterAmount(a: string, b: string): boolean {
  return compareQuantities(parseQuantity(a), parseQuantity(b)) > 0;
}
