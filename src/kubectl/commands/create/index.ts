import { bool, text } from '../../parse/flags.ts';
import { createPrinter, parseDryRun, withDryRun } from '../../printers/printer.ts';
import { type Call, type Command, type Subcommand, usageError } from '../../program/command.ts';
import { KubectlError, withSource } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, recordFlag, selectorFlag, validateFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { createObject, parseValidation } from '../../resources/changes.ts';
import { setLastApplied } from '../../resources/last-applied.ts';
import { requestFromFlags, requireFiles } from '../../resources/requests.ts';

function createSubcommand(about: string, load: () => Promise<Command>, ...aliases: readonly string[]): Subcommand {
  return { about, load, aliases };
}

const rbac = (): Promise<typeof import('./rbac.ts')> => import('./rbac.ts');
const simple = (): Promise<typeof import('./simple.ts')> => import('./simple.ts');
const workloads = (): Promise<typeof import('./workloads.ts')> => import('./workloads.ts');

export const create: Command = {
  flags: {
    ...dryRunFlag,
    ...fileFlags,
    ...outputFlags,
    ...selectorFlag,
    ...validateFlag,
    ...managerFlag('kubectl-create'),
    ...recordFlag,
    edit: bool(),
    raw: text(),
    'save-config': bool(),
    'windows-line-endings': bool(),
  },
  subcommands: {
    clusterrole: createSubcommand('Create a cluster role', async () => (await rbac()).clusterRole),
    clusterrolebinding: createSubcommand(
      'Create a cluster role binding for a particular cluster role',
      async () => (await rbac()).clusterRoleBinding,
    ),
    configmap: createSubcommand(
      'Create a config map from a local file, directory or literal value',
      async () => (await import('./configmap.ts')).configMap,
      'cm',
    ),
    cronjob: createSubcommand('Create a cron job with the specified name', async () => (await workloads()).cronJob, 'cj'),
    deployment: createSubcommand('Create a deployment with the specified name', async () => (await workloads()).deployment, 'deploy'),
    ingress: createSubcommand('Create an ingress with the specified name', async () => (await import('./ingress.ts')).ingress, 'ing'),
    job: createSubcommand('Create a job with the specified name', async () => (await workloads()).job),
    namespace: createSubcommand('Create a namespace with the specified name', async () => (await simple()).namespace, 'ns'),
    poddisruptionbudget: createSubcommand(
      'Create a pod disruption budget with the specified name',
      async () => (await simple()).podDisruptionBudget,
      'pdb',
    ),
    priorityclass: createSubcommand('Create a priority class with the specified name', async () => (await simple()).priorityClass, 'pc'),
    quota: createSubcommand('Create a quota with the specified name', async () => (await simple()).quota, 'resourcequota'),
    role: createSubcommand('Create a role with single rule', async () => (await rbac()).role),
    rolebinding: createSubcommand('Create a role binding for a particular role or cluster role', async () => (await rbac()).roleBinding),
    secret: createSubcommand('Create a secret using a specified subcommand', async () => (await import('./secret.ts')).secret),
    service: createSubcommand('Create a service using a specified subcommand', async () => (await import('./service.ts')).service, 'svc'),
    serviceaccount: createSubcommand('Create a service account with the specified name', async () => (await simple()).serviceAccount, 'sa'),
    token: createSubcommand('Request a service account token', async () => (await import('./token.ts')).token),
  },
  run: createFromFiles,
};

async function createFromFiles(call: Call): Promise<number> {
  const { flags, words, out } = call;
  if (words.length > 0) throw usageError(call, `Unexpected args: [${words.join(' ')}]`);
  const dryRun = parseDryRun(call);
  const validation = parseValidation(call);
  const printer = await createPrinter(call, { operation: withDryRun('created', dryRun) });
  requireFiles(call);
  if (flags.text('raw') !== '') return createRaw(call);
  if (validation !== 'Ignore') await call.cluster();
  const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true, validate: validation }));
  let count = 0;
  await builder.visit(async (info) => {
    let object = info.object ?? {};
    if (flags.bool('save-config')) object = setLastApplied(call, object);
    object = withChangeCause(call, object);
    if (dryRun !== 'client') {
      try {
        object = await createObject(call, info, object, { manager: flags.text('field-manager'), dryRun, validation });
      } catch (error) {
        throw withSource(error, 'creating', info.source);
      }
    }
    count++;
    out(printer(object));
  });
  if (count === 0) throw new KubectlError('no objects passed to create');
  return 0;
}

async function createRaw(call: Call): Promise<number> {
  const { flags } = call;
  if (flags.bool('edit')) throw new KubectlError('--raw and --edit are mutually exclusive');
  const { requireRawFile, sendRawBody } = await import('../raw-body.ts');
  requireRawFile(call);
  if (flags.text('selector') !== '') throw new KubectlError('--raw and --selector (-l) are mutually exclusive');
  return sendRawBody(call, 'POST');
}
