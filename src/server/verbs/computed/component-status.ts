import { type ApiObject, notFound } from '../../../meta/index.ts';
import type { Resource } from '../../../schema/index.ts';
import { readListOptions } from '../../parameters/list-options.ts';
import { readSelection } from '../../parameters/selection.ts';
import type { Answer, RequestContext } from '../../request-context.ts';
import { unstoredObject } from './unstored-object.ts';

/**
 * Component statuses are checked on every read; they are not stored. The scheduler and the controller manager would be probed on this
 * machine, where none run. Cf. upstream registry/core/componentstatus.
 */
export function isComponentStatus({ group, name }: Resource): boolean {
  return group === '' && name === 'componentstatuses';
}

const healthAddresses: Readonly<Record<string, string>> = { scheduler: '127.0.0.1:10259', 'controller-manager': '127.0.0.1:10257' };
const store = 'etcd-0';
const names = [...Object.keys(healthAddresses), store];

export async function getComponentStatus(context: RequestContext): Promise<Answer> {
  const { name } = context.info;
  if (!names.includes(name)) throw notFound({ group: '', name: 'componentstatus' }, name);
  return { form: 'object', status: 200, object: await statusOf(context, name), stored: undefined };
}

/** Selectors count, pages and versions do not. */
export async function listComponentStatuses(context: RequestContext): Promise<Answer> {
  const { selects = () => true } = readSelection(context, readListOptions(context.info.query, context.server));
  const items = (await Promise.all(names.map((name) => statusOf(context, name))))
    .map((object) => unstoredObject(context, object))
    .filter(selects);
  return { form: 'list', listed: { items, revision: 0, continue: '', remaining: undefined }, kind: context.resource.listKind };
}

async function statusOf({ server, resource }: RequestContext, name: string): Promise<ApiObject> {
  const problem = await problemOf(server.healthChecks(), name);
  const condition = { type: 'Healthy', status: problem === undefined ? 'True' : 'False', message: problem ?? 'ok' };
  return { kind: resource.kind, apiVersion: 'v1', metadata: { name }, conditions: [condition] };
}

async function problemOf(checks: ReturnType<RequestContext['server']['healthChecks']>, name: string): Promise<string | undefined> {
  const address = healthAddresses[name];
  if (address !== undefined) return `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`;
  return checks.find((check) => check.name === 'etcd')?.run();
}
