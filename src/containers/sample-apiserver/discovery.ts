import type { JsonObject } from '../../meta/index.ts';
import { group, resources, versions, type WardleVersion } from './wardle.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const groupVersions = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));

const apiGroup: JsonObject = { name: group, versions: groupVersions, preferredVersion: groupVersions[0] ?? {} };

const resourceList = (version: WardleVersion): JsonObject => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${group}/${version}`,
  resources: resources
    .filter((resource) => resource.versions.includes(version))
    .sort((a, b) => (a.plural < b.plural ? -1 : 1))
    .map(({ plural, singular, isNamespaced, kind }) => ({ name: plural, singularName: singular, namespaced: isNamespaced, kind, verbs })),
});

/** The discovery documents by their path. */
export const discoveryDocuments: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups: [apiGroup] }],
  [`/apis/${group}`, { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup }],
  ...versions.map((version): [string, JsonObject] => [`/apis/${group}/${version}`, resourceList(version)]),
]);
