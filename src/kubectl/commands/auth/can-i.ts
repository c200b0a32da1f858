import type { JsonObject } from '../../../meta/index.ts';
import type { authorizationv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { ApiResource } from '../../api/discovery.ts';
import { toRuleRows } from '../../describe/rbac-rules.ts';
import { bool, text } from '../../parse/flags.ts';
import { alignColumns } from '../../printers/table-writer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';

export const canI: Command = {
  flags: {
    'all-namespaces': bool(false, 'A'),
    list: bool(),
    'no-headers': bool(),
    quiet: bool(false, 'q'),
    subresource: text(),
  },
  run: runCanI,
};

async function runCanI(call: Call): Promise<number> {
  const { flags, words } = call;
  if (flags.bool('list')) {
    if (words.length > 0) throw new KubectlError('list option must be specified with no arguments');
    if (flags.bool('quiet') || flags.bool('all-namespaces') || flags.text('subresource') !== '')
      throw new KubectlError("list option can't be specified with neither quiet, all-namespaces nor subresource options");
    await call.cluster();
    return listRules(call);
  }
  const [verb, typed] = words;
  if (verb === undefined || typed === undefined || words.length > 2) {
    throw new KubectlError(
      "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.",
    );
  }
  const spec = typed.startsWith('/')
    ? { nonResourceAttributes: pathAttributesOf(call, verb, typed) }
    : { resourceAttributes: await resourceAttributesOf(call, verb, typed) };
  if (flags.bool('no-headers')) throw new KubectlError('--no-headers cannot be set without --list specified');
  const body = {
    kind: 'SelfSubjectAccessReview',
    apiVersion: call.product.rename('authorization.k8s.io/v1'),
    metadata: {},
    spec,
    status: { allowed: false },
  };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const { status = {} }: Decoded<authorizationv1.SelfSubjectAccessReview> = await (await call.api()).read('POST', path, { body });
  if (!flags.bool('quiet')) call.out(`${formatDecision(status)}\n`);
  return status.allowed ? 0 : 1;
}

function formatDecision({
  allowed,
  reason = '',
  evaluationError: problem = '',
}: Decoded<authorizationv1.SubjectAccessReviewStatus>): string {
  if (allowed) return 'yes';
  return `no${reason === '' ? '' : ` - ${reason}`}${problem === '' ? '' : ` - ${problem}`}`;
}

const resourceVerbs = new Set([
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'use',
  'bind',
  'impersonate',
  '*',
  'approve',
  'sign',
  'escalate',
  'attest',
]);
const pathVerbs = new Set(['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*']);

function warnAboutVerb({ err }: Call, verb: string, known: ReadonlySet<string>): void {
  if (!known.has(verb)) err(`Warning: verb '${verb}' is not a known verb\n\n`);
}

function pathAttributesOf(call: Call, verb: string, path: string): JsonObject {
  if (call.flags.text('subresource') !== '') throw new KubectlError('--subresource can not be used with NonResourceURL');
  warnAboutVerb(call, verb, pathVerbs);
  return { verb, path };
}

async function resourceAttributesOf(call: Call, verb: string, typed: string): Promise<JsonObject> {
  const { flags, err } = call;
  const cut = typed.indexOf('/');
  const type = cut < 0 ? typed : typed.slice(0, cut);
  const name = cut < 0 ? '' : typed.slice(cut + 1);
  const resource = await findResourceType(call, type);
  if (!flags.bool('all-namespaces')) {
    if (resource && !resource.namespaced) {
      const kind = `'${resource.name}' is not namespace scoped${resource.group === '' ? '' : ` in group '${resource.group}'`}`;
      err(`Warning: resource ${kind}\n\n`);
    }
    warnAboutVerb(call, verb, resourceVerbs);
  }
  const { name: namespace } = await call.namespace();
  const subresource = flags.text('subresource');
  return {
    ...(flags.bool('all-namespaces') ? {} : { namespace }),
    verb,
    ...(resource && resource.group !== '' ? { group: resource.group } : {}),
    resource: resource?.name ?? type,
    ...(subresource === '' ? {} : { subresource }),
    ...(name === '' ? {} : { name }),
  };
}

/** Undefined, after a warning, for an unknown type: it is then sent as typed. */
async function findResourceType(call: Call, type: string): Promise<ApiResource | undefined> {
  if (type === '*') return undefined;
  const cluster = await call.cluster();
  try {
    await cluster.resources(false, 2);
    return await cluster.resourceFor(type);
  } catch {
    // Access to a type may be granted before the type exists.
    const [resource = '', ...group] = type.split('.');
    const where = group.length > 0 ? ` in group '${group.join('.')}'` : '';
    call.err(`Warning: the server doesn't have a resource type '${resource}'${where}\n\n`);
    return undefined;
  }
}

async function listRules(call: Call): Promise<number> {
  const { name: namespace } = await call.namespace();
  const body = {
    kind: 'SelfSubjectRulesReview',
    apiVersion: call.product.rename('authorization.k8s.io/v1'),
    metadata: {},
    spec: { namespace },
  };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const { status = {} }: Decoded<authorizationv1.SelfSubjectRulesReview> = await (await call.api()).read('POST', path, { body });
  if (status.incomplete) {
    const { evaluationError: problem = '' } = status;
    call.err(`warning: the list may be incomplete${problem === '' ? '' : `: ${problem}`}\n`);
  }
  const rules = toRuleRows([...(status.resourceRules ?? []), ...(status.nonResourceRules ?? [])]);
  const lines = rules.map(({ resource, url, name, verbs }) => [resource, url, name, verbs]);
  const header = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];
  call.out(alignColumns(call.flags.bool('no-headers') ? lines : [header, ...lines]));
  return 0;
}
