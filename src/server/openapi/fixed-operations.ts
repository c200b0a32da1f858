import type { Product } from '../../meta/index.ts';
import { formatGroupVersion, type Group } from '../../schema/index.ts';
import { capitalized, groupWord, mediaTypes, type Operation } from './operations.ts';

/** Operations about the server itself; in version 3 each but those of group versions has its own document. */

export function apiVersionsOperation(product: Product): Operation {
  return discovery(product, '/api/', 'getCoreAPIVersions', 'core', 'meta/v1.APIVersions');
}

export function apiGroupsOperation(product: Product): Operation {
  return discovery(product, '/apis/', 'getAPIVersions', 'apis', 'meta/v1.APIGroupList');
}

export function apiGroupOperation(product: Product, { name }: Group): Operation {
  const word = groupWord(product, name);
  return discovery(product, `/apis/${name}/`, `get${capitalized(word)}APIGroup`, word, 'meta/v1.APIGroup');
}

/** Stands among the operations of its group version. */
export function apiResourcesOperation(product: Product, group: string, version: string): Operation {
  const word = groupWord(product, group);
  const path = group === '' ? `/api/${version}/` : `/apis/${formatGroupVersion({ group, version })}/`;
  const id = `get${capitalized(word)}${capitalized(version)}APIResources`;
  return discovery(product, path, id, `${word}_${version}`, 'meta/v1.APIResourceList');
}

export const versionOperation: Operation = {
  path: '/version/',
  method: 'get',
  id: 'getCodeVersion',
  tag: 'version',
  consumes: ['application/json'],
  produces: ['application/json'],
  parameters: [],
  responses: [[200, 'version.Info']],
};

export const issuerConfigurationOperation: Operation = {
  path: '/.well-known/openid-configuration/',
  method: 'get',
  id: 'getServiceAccountIssuerOpenIDConfiguration',
  tag: 'WellKnown',
  produces: ['application/json'],
  parameters: [],
  responses: [[200, 'string']],
};

export const issuerKeysOperation: Operation = {
  path: '/openid/v1/jwks/',
  method: 'get',
  id: 'getServiceAccountIssuerOpenIDKeyset',
  tag: 'openid',
  produces: ['application/jwk-set+json'],
  parameters: [],
  responses: [[200, 'string']],
};

function discovery(product: Product, path: string, id: string, tag: string, type: string): Operation {
  const types = mediaTypes(product);
  return { path, method: 'get', id, tag, consumes: types, produces: types, parameters: [], responses: [[200, type]] };
}
