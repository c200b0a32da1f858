import {
  type ApiObject,
  badRequest,
  conflict,
  type FieldError,
  invalid,
  invalidObject,
  isJsonObject,
  type JsonObject,
  notFound,
  StatusError,
  withMetadata,
} from '../../meta/index.ts';
import { groupVersionOf, parseGroupVersion } from '../../schema/index.ts';
import { type Answer, type Call, nowOf } from '../call.ts';
import { refOf } from './get.ts';
import { membersOf } from './members.ts';
import { admitOperation, readOperation } from './operation.ts';

const leastSeconds = 600;
const mostSeconds = 2 ** 32;
/** What a token may be bound to. */
const boundKinds: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' };

/** A token of a service account, for a time and for some audiences. Cf. upstream serviceaccount TokenREST. */
export async function requestToken(call: Call): Promise<Answer> {
  const { server, subresource, info } = call;
  const groupVersion = subresource?.groupVersion ?? '';
  const operation = await readOperation(call, groupVersion, 'TokenRequest');
  const { group } = parseGroupVersion(groupVersion);
  const given = operation.object.metadata.name ?? '';
  if (given !== '' && given !== info.name) {
    const wrong = invalid('metadata.name', given, 'must match the service account name if specified');
    throw invalidObject({ group, name: 'TokenRequest' }, info.name, [wrong]);
  }
  const { object: account } = await server.store.get(refOf(call));
  const request = completed(operation.object, account, call);
  const errors = expirationErrors(request);
  if (errors.length > 0) {
    const { code, reason, message, details } = invalidObject({ group, name: 'TokenRequest' }, '', errors);
    throw new StatusError(code, reason, message, details);
  }
  await admitOperation(call, { ...operation, object: request });
  await checkBound(call, membersOf(request, 'spec'));
  if (operation.options.dryRun) return { form: 'object', status: 201, object: request };
  throw new StatusError(501, '', 'this server has no key to sign service account tokens with');
}

function completed(request: ApiObject, account: ApiObject, call: Call): ApiObject {
  const { audiences, expirationSeconds, boundObjectRef } = membersOf(request, 'spec');
  const { status: _, ...rest } = request;
  const api = call.server.product.rename('https://kubernetes.default.svc.cluster.local');
  const spec = {
    audiences: Array.isArray(audiences) && audiences.length > 0 ? audiences : [api],
    expirationSeconds: expirationSeconds ?? 3600,
    boundObjectRef: boundObjectRef ?? null,
  };
  const { name = '', namespace = '', uid = '' } = account.metadata;
  return withMetadata({ ...rest, spec } as ApiObject, { name, namespace, uid, creationTimestamp: nowOf(call) });
}

function expirationErrors(request: ApiObject): readonly FieldError[] {
  const seconds = Number(membersOf(request, 'spec')['expirationSeconds']);
  const refuse = (why: string): readonly FieldError[] => [invalid('spec.expirationSeconds', seconds, why)];
  if (seconds < leastSeconds) return refuse('may not specify a duration less than 10 minutes');
  return seconds > mostSeconds ? refuse('may not specify a duration larger than 2^32 seconds') : [];
}

/** What a token is bound to must be there, and be what is meant. */
async function checkBound(call: Call, spec: JsonObject): Promise<void> {
  const bound = spec['boundObjectRef'];
  if (!isJsonObject(bound)) return;
  const { kind = '', apiVersion = '', name = '', uid = '' } = bound as Readonly<Record<string, string>>;
  const resource = apiVersion === 'v1' ? call.server.catalog.resource('v1', boundKinds[kind] ?? '') : undefined;
  if (!resource) {
    const { group, version } = parseGroupVersion(apiVersion);
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const found = await call.server.store.find({ resource, namespace: resource.namespaced ? call.info.namespace : '', name });
  if (!found) throw notFound({ group: '', name: resource.name }, name);
  if (uid !== '' && uid !== found.object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: groupVersionOf(resource) === 'v1' ? '' : resource.group, name: kind }, name, why);
  }
  if (kind === 'Pod' && membersOf(found.object, 'spec')['serviceAccountName'] !== call.info.name)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(call.info.name)} to pod running with different serviceaccount name.`,
    );
}
