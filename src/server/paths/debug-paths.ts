import type { ApiRequest, ApiResponse } from '../../meta/index.ts';
import { uncached } from '../response/respond.ts';
import { plain } from './health.ts';

const profiles = '/debug/pprof/';
const flags = '/debug/flags';

/** Limit of the value of a flag. */
const maxValueBytes = 1024;

/**
 * The debugging paths of `--profiling`; undefined for other paths. There are no profiles of Go here, so the index lists none, and the
 * verbosity of Go's logs has no effect, as with the flag `-v`. Cf. k8s.io/apiserver server/routes profiling.go and flags.go.
 */
export async function answerDebugPath(request: ApiRequest, path: string): Promise<ApiResponse | undefined> {
  if (path === '/debug/pprof') return redirect(request, profiles);
  if (path === profiles) return html(indexOf(profiles, 'Types of profiles available:\n<table>\n</table>'));
  if (path.startsWith(profiles)) return plain(404, 'Unknown profile\n');
  if (path === `${flags}/v`) return answerVerbosity(request);
  if (path === flags || path.startsWith(`${flags}/`)) {
    return html(indexOf(`${flags}/`, 'flags:<br>\n<table>\n<tr>v<br>\n</table>\n<br>\nfull flags configurable<br>'));
  }
  return undefined;
}

async function answerVerbosity(request: ApiRequest): Promise<ApiResponse> {
  if (request.method !== 'PUT') return plain(406, 'unsupported http method');
  await request.receiveBody?.(maxValueBytes);
  if (request.bodyIsTooLarge) return plain(400, 'error reading request body: http: request body too large');
  const value = new TextDecoder().decode(request.body);
  const quoted = JSON.stringify(value);
  if (!/^\d+$/.test(value)) return plain(400, `strconv.ParseUint: parsing ${quoted}: invalid syntax`);
  if (Number(value) > 0xffff_ffff) return plain(400, `strconv.ParseUint: parsing ${quoted}: value out of range`);
  return plain(200, `successfully set klog.logging.verbosity to ${value}`);
}

function indexOf(title: string, content: string): string {
  return `<html>\n<head>\n<title>${title}</title>\n</head>\n<body>\n${title}<br>\n<br>\n${content}\n</body>\n</html>\n`;
}

function html(body: string): ApiResponse {
  return { status: 200, headers: [uncached, ['content-type', 'text/html; charset=utf-8'], ['x-content-type-options', 'nosniff']], body };
}

/** As Go's http.Redirect, which sends a body only for GET. */
function redirect({ method }: ApiRequest, location: string): ApiResponse {
  const isRead = method === 'GET' || method === 'HEAD';
  const type = isRead ? [['content-type', 'text/html; charset=utf-8'] as const] : [];
  return {
    status: 302,
    headers: [uncached, ['location', location], ...type],
    body: isRead ? `<a href="${location}">Found</a>.\n\n` : undefined,
  };
}
