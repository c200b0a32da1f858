import { type ApiHandler, createHeaders } from '../meta/index.ts';

/** The API for a component of the server, with all permissions. The name of the component becomes the field manager. */
export function createLoopbackHandler(handle: ApiHandler, token: string, component: string): ApiHandler {
  const identity = [
    ['authorization', `Bearer ${token}`],
    ['user-agent', `${component}/v1`],
  ] as const;
  return (request) => handle({ ...request, headers: createHeaders([...request.headers, ...identity]) });
}
