import type { ApiObject } from '../meta/index.ts';

/** An object in another version of its kind. Versions that differ in nothing but their name need no more than that. */
export function convertObject(object: ApiObject, groupVersion: string): ApiObject {
  return object.apiVersion === groupVersion ? object : { ...object, apiVersion: groupVersion };
}
