import { type ApiHandler, withHeaders } from '../meta/index.ts';

/** The API for a component, with the permissions of a token. The name of the component becomes the field manager. */
export function createLoopbackHandler(handle: ApiHandler, token: string, component: string): ApiHandler {
  return withHeaders(handle, [
    ['authorization', `Bearer ${token}`],
    ['user-agent', `${component}/v1`],
  ]);
}
