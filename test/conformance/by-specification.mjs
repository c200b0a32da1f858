/**
 * Adapts a recorded scenario to the specification, where it changes many scenarios: an object that lacks only required fields gets 400
 * instead of 422 (part 7), and the `continue` of a complete list is an empty string (part 2.3). Changes the scenario and returns it.
 */
export function bySpecification(scenario) {
  for (const { do: sent, expect, loose = [], hide = [] } of scenario.steps) {
    if (!expect?.json) continue;
    const isCompared = !loose.includes('/json/metadata/continue') && !hide.includes('/metadata/continue');
    if (isCompared && isListRequest(sent)) expect.json = withEmptyContinue(expect.json);
    const causes = expect.json.details?.causes;
    if (expect.status !== 422 || !causes?.length || !causes.every(({ reason }) => reason === 'FieldValueRequired')) continue;
    expect.status = 400;
    expect.json = { ...expect.json, code: 400, reason: 'BadRequest' };
  }
  return scenario;
}

function isListRequest({ method = 'GET', path = '' } = {}) {
  const [, rest] = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/(.+?)\/?(?:\?.*)?$/.exec(path) ?? [];
  if (method !== 'GET' || rest === undefined) return false;
  const [first, , third, ...more] = rest.split('/');
  if (third === undefined) return !rest.includes('/');
  return first === 'namespaces' && more.length === 0 && third !== 'status';
}

/** `json`: a body, or the parts picked from it, pointer → value. */
function withEmptyContinue(json) {
  if (json['/metadata/continue'] === '<absent>') return { ...json, '/metadata/continue': '' };
  const picked = '/metadata' in json;
  const metadata = picked ? json['/metadata'] : json.metadata;
  if (json.kind === 'Status' || metadata === null || typeof metadata !== 'object' || 'continue' in metadata) return json;
  return { ...json, [picked ? '/metadata' : 'metadata']: { ...metadata, continue: '' } };
}
