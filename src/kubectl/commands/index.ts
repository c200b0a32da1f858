import type { Command, Subcommand } from '../program/command.ts';

function entry(about: string, load: () => Promise<Command>, ...aliases: readonly string[]): Subcommand {
  return { about, load, aliases };
}

/** Every command of kubectl. Each is loaded on first use. */
export const rootCommand: Command = {
  subcommands: {
    create: entry('Create a resource from a file or from stdin', async () => (await import('./create/index.ts')).create),
    expose: entry(
      'Take a replication controller, service, deployment or pod and expose it as a new service',
      async () => (await import('./expose.ts')).expose,
    ),
    run: entry('Run a particular image on the cluster', async () => (await import('./run.ts')).run),
    set: entry('Set specific features on objects', async () => (await import('./set/index.ts')).set),
    explain: entry('Get documentation for a resource', async () => (await import('./explain.ts')).explain),
    get: entry('Display one or many resources', async () => (await import('./get/get.ts')).get),
    edit: entry('Edit a resource on the server', async () => (await import('./edit.ts')).edit),
    delete: entry(
      'Delete resources by file names, stdin, resources and names, or by resources and label selector',
      async () => (await import('./delete.ts')).deleteCommand,
    ),
    rollout: entry('Manage the rollout of a resource', async () => (await import('./rollout/index.ts')).rollout),
    scale: entry('Set a new size for a deployment, replica set, or replication controller', async () => (await import('./scale.ts')).scale),
    autoscale: entry(
      'Auto-scale a deployment, replica set, stateful set, or replication controller',
      async () => (await import('./autoscale.ts')).autoscale,
    ),
    certificate: entry('Modify certificate resources', async () => (await import('./certificate.ts')).certificate),
    'cluster-info': entry('Display cluster information', async () => (await import('./cluster-info.ts')).clusterInfo),
    top: entry('Display resource (CPU/memory) usage', async () => (await import('./top.ts')).top),
    cordon: entry('Mark node as unschedulable', async () => (await import('./drain.ts')).cordon),
    uncordon: entry('Mark node as schedulable', async () => (await import('./drain.ts')).uncordon),
    drain: entry('Drain node in preparation for maintenance', async () => (await import('./drain.ts')).drain),
    taint: entry('Update the taints on one or more nodes', async () => (await import('./taint.ts')).taint),
    describe: entry(
      'Show details of a specific resource or group of resources',
      async () => (await import('../describe/command.ts')).describe,
    ),
    logs: entry('Print the logs for a container in a pod', async () => (await import('./logs.ts')).logs),
    attach: entry('Attach to a running container', async () => (await import('./container-streams.ts')).attach),
    exec: entry('Execute a command in a container', async () => (await import('./container-streams.ts')).exec),
    'port-forward': entry('Forward one or more local ports to a pod', async () => (await import('./container-streams.ts')).portForward),
    proxy: entry('Run a proxy to the Kubernetes API server', async () => (await import('./container-streams.ts')).proxy),
    cp: entry('Copy files and directories to and from containers', async () => (await import('./container-streams.ts')).cp),
    auth: entry('Inspect authorization', async () => (await import('./auth/index.ts')).auth),
    debug: entry(
      'Create debugging sessions for troubleshooting workloads and nodes',
      async () => (await import('./container-streams.ts')).debug,
    ),
    events: entry('List events', async () => (await import('./events.ts')).events),
    diff: entry('Diff the live version against a would-be applied version', async () => (await import('./diff.ts')).diff),
    apply: entry('Apply a configuration to a resource by file name or stdin', async () => (await import('./apply/index.ts')).apply),
    patch: entry('Update fields of a resource', async () => (await import('./patch.ts')).patch),
    replace: entry('Replace a resource by file name or stdin', async () => (await import('./replace.ts')).replace),
    wait: entry('Wait for a specific condition on one or many resources', async () => (await import('./wait.ts')).wait),
    kustomize: entry(
      'Build a kustomization target from a directory or URL',
      async () => (await import('../kustomize/command.ts')).kustomize,
    ),
    label: entry('Update the labels on a resource', async () => (await import('./label.ts')).label),
    annotate: entry('Update the annotations on a resource', async () => (await import('./label.ts')).annotate),
    'api-resources': entry(
      'Print the supported API resources on the server',
      async () => (await import('./api-resources.ts')).apiResources,
    ),
    'api-versions': entry(
      'Print the supported API versions on the server, in the form of "group/version"',
      async () => (await import('./api-resources.ts')).apiVersions,
    ),
    config: entry('Modify kubeconfig files', async () => (await import('./config/index.ts')).config),
    version: entry('Print the client and server version information', async () => (await import('./version.ts')).version),
    options: entry('Print the list of flags inherited by all commands', async () => (await import('./options.ts')).options),
    help: entry('Help about any command', async () => (await import('./options.ts')).help),
  },
};
