import type { JsonObject } from '../../../meta/index.ts';
import { builtInResource } from '../../api/discovery.ts';
import { int, list, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { getObject } from '../../resources/changes.ts';
import { randomSuffix } from '../../resources/random-suffix.ts';
import { buildObject, completeCreation, createAndPrint, generatorFlags } from './create-object.ts';

const deployments = builtInResource('apps/v1', 'deployments', 'Deployment');
const jobs = builtInResource('batch/v1', 'jobs', 'Job');
const cronJobs = builtInResource('batch/v1', 'cronjobs', 'CronJob');

/** Arguments after `--`. */
function commandArguments({ words, flags }: Call): readonly string[] {
  return flags.argsBeforeDash === undefined ? [] : words.slice(flags.argsBeforeDash);
}

export const deployment: Command = {
  flags: {
    ...generatorFlags,
    image: list(),
    port: int(-1),
    replicas: int(1, 'r'),
  },
  required: ['image'],
  async run(call) {
    const name = await completeCreation(call);
    const { flags } = call;
    const images = flags.list('image');
    const command = commandArguments(call);
    if (images.length > 1 && command.length > 0) throw new KubectlError(`cannot specify multiple --image options and command`);
    const labels = { app: name };
    const containers = images.map((image, index) => ({
      name: containerName(call, image),
      image,
      ...(command.length > 0 ? { command } : {}),
      ...(flags.int('port') >= 0 && index === 0 ? { ports: [{ containerPort: flags.int('port') }] } : {}),
      resources: {},
    }));
    if (flags.changed('port') && flags.int('port') < 0) throw new KubectlError('Invalid port value');
    const spec = {
      replicas: flags.int('replicas'),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
      strategy: {},
    };
    return createAndPrint(call, {
      resource: deployments,
      object: buildObject(deployments, { name, labels }, { spec, status: {} }),
      failure: 'failed to create deployment: ',
    });
  },
};

/** The last path segment of the image without tag and digest; with a suffix if it has characters that names cannot have. */
function containerName(call: Call, image: string): string {
  const last = image.split('/').at(-1) ?? '';
  const bare = last.split(':', 1)[0]?.split('@', 1)[0] ?? '';
  if (!/[_.]/.test(bare)) return bare;
  return `${bare.replace(/[_.]/g, '-')}-${randomSuffix(call)}`;
}

const jobFlags = { ...generatorFlags, image: text() };

function podTemplate(name: string, image: string, command: readonly string[], restartPolicy: string): JsonObject {
  return {
    metadata: {},
    spec: { containers: [{ name, image, ...(command.length > 0 ? { command } : {}), resources: {} }], restartPolicy },
  };
}

export const job: Command = {
  flags: { ...jobFlags, from: text() },
  async run(call) {
    const name = await completeCreation(call);
    const { flags } = call;
    const [image, from, command] = [flags.text('image'), flags.text('from'), commandArguments(call)];
    if ((image === '') === (from === '')) throw new KubectlError('either --image or --from must be specified');
    if (from !== '' && command.length > 0) throw new KubectlError('cannot specify --from and command');
    const object =
      from === ''
        ? buildObject(jobs, { name }, { spec: { template: podTemplate(name, image, command, 'Never') }, status: {} })
        : await buildJobFromCronJob(call, name, from);
    return createAndPrint(call, { resource: jobs, object, failure: 'failed to create job: ' });
  },
};

async function buildJobFromCronJob(call: Call, name: string, from: string): Promise<JsonObject> {
  const [type = '', source = ''] = from.split('/');
  const cluster = await call.cluster();
  const resource = await cluster.resourceFor(type, 4);
  const { name: namespace } = await call.namespace();
  const found = await getObject(call, { resource, namespace, name: source });
  if (resource.name !== 'cronjobs') throw new KubectlError(`unknown object type *v1.${resource.kind}`);
  const metadata = found['metadata'] as JsonObject;
  const template = (found['spec'] as JsonObject)['jobTemplate'] as JsonObject;
  const inner = (template['metadata'] ?? {}) as JsonObject;
  return buildObject(
    jobs,
    {
      name,
      ...(inner['labels'] === undefined ? {} : { labels: inner['labels'] }),
      annotations: { ...(inner['annotations'] as JsonObject | undefined), 'cronjob.kubernetes.io/instantiate': 'manual' },
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'CronJob', name: metadata['name'] ?? '', uid: metadata['uid'] ?? '', controller: true },
      ],
    },
    { spec: template['spec'] ?? {}, status: {} },
  );
}

export const cronJob: Command = {
  flags: {
    ...jobFlags,
    restart: text(),
    schedule: text(),
  },
  required: ['image', 'schedule'],
  async run(call) {
    const name = await completeCreation(call);
    const { flags } = call;
    const template = podTemplate(name, flags.text('image'), commandArguments(call), flags.text('restart') || 'OnFailure');
    const spec = { schedule: flags.text('schedule'), jobTemplate: { metadata: { name }, spec: { template } } };
    return createAndPrint(call, {
      resource: cronJobs,
      object: buildObject(cronJobs, { name }, { spec, status: {} }),
      failure: 'failed to create cronjob: ',
    });
  },
};
