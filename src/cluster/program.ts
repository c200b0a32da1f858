import { type DefaultObject, defaultRoles } from '../authz/index.ts';
import { selectorProblem } from '../cel/index.ts';
import { getOrAdd, type Product } from '../meta/index.ts';
import {
  type Catalog,
  type CatalogOptions,
  createCatalog,
  createDefaulter,
  createTypedDecoder,
  createValidation,
  type DecodeTyped,
  type Defaulter,
  type Validation,
} from '../schema/index.ts';
import { type CustomKinds, createCustomKinds } from './definitions/custom-kinds.ts';

/**
 * The static data of a server: catalog, decoder, defaulter, validation. It is immutable and has no state of a cluster, so servers of the
 * same product and configuration can share it.
 */
export interface Program {
  /** The served resources. */
  readonly catalog: Catalog;
  /** All resources, including those that are not served (--runtime-config); the server reads their objects, too. */
  readonly known: Catalog;
  readonly decoder: DecodeTyped;
  readonly defaulter: Defaulter;
  readonly validation: Validation;
  readonly custom: CustomKinds;
  readonly defaultRoles: readonly DefaultObject[];
}

export interface ProgramOptions extends CatalogOptions {
  /** `--allow-privileged` */
  readonly allowPrivileged: boolean;
}

/** By `--runtime-config`, feature gates, product and `--allow-privileged`. A program is collected with the settings that it was created for. */
const sharedPrograms = new WeakMap<ProgramOptions['runtimeConfig'], WeakMap<ProgramOptions['featureGates'], Map<string, Program>>>();

/** The program of all servers in this process that start with the same product and the same objects as settings. @throws RuntimeConfigError */
export function sharedProgram(product: Product, options: ProgramOptions): Program {
  const ofConfig = getOrAdd(sharedPrograms, options.runtimeConfig, () => new WeakMap());
  const programs = getOrAdd(ofConfig, options.featureGates, () => new Map());
  return getOrAdd(programs, `${product.name} ${options.allowPrivileged}`, () => createProgram(product, options));
}

function createProgram(product: Product, options: ProgramOptions): Program {
  const catalog = createCatalog(product, options);
  const known = options.runtimeConfig.size === 0 ? catalog : createCatalog(product);
  const decoder = createTypedDecoder();
  const validation = createValidation(product, catalog.type, {
    // Accessed on first use: the page loads the expression language on demand.
    checkDeviceSelector: (expression) => selectorProblem(expression),
    gates: options.featureGates,
    allowPrivileged: options.allowPrivileged,
  });
  return {
    catalog,
    known,
    decoder,
    defaulter: createDefaulter(product, options.featureGates),
    validation,
    custom: createCustomKinds(known, decoder, validation, product),
    defaultRoles: defaultRoles(product),
  };
}
