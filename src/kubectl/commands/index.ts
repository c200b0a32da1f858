import type { Command, Subcommand } from '../program/command.ts';

function createSubcommand(about: string, load: () => Promise<Command>, ...aliases: readonly string[]): Subcommand {
  return { about, load, aliases };
}

/** Every command of kubectl. Each is loaded on first use. */
export const rootCommand: Command = {
  subcommands: {
    create: createSubcommand('Create a resource from a file or from stdin', async () => (await import('./create/index.ts')).create),
    expose: createSubcommand(
      'Take a replication controller, service, deployment or pod and expose it as a new Kubernetes service',
      async () => (await import('./workloads/expose.ts')).expose,
    ),
    run: createSubcommand('Run a particular image on the cluster', async () => (await import('./workloads/run.ts')).run),
    set: createSubcommand('Set specific features on objects', async () => (await import('./set/index.ts')).set),
    explain: createSubcommand('Get documentation for a resource', async () => (await import('./discovery/explain.ts')).explain),
    get: createSubcommand('Display one or many resources', async () => (await import('./get/get.ts')).get),
    edit: createSubcommand('Edit a resource on the server', async () => (await import('./changes/edit.ts')).edit),
    delete: createSubcommand(
      'Delete resources by file names, stdin, resources and names, or by resources and label selector',
      async () => (await import('./changes/delete.ts')).deleteCommand,
    ),
    rollout: createSubcommand('Manage the rollout of a resource', async () => (await import('./rollout/index.ts')).rollout),
    scale: createSubcommand(
      'Set a new size for a deployment, replica set, or replication controller',
      async () => (await import('./workloads/scale.ts')).scale,
    ),
    autoscale: createSubcommand(
      'Auto-scale a deployment, replica set, stateful set, or replication controller',
      async () => (await import('./workloads/autoscale.ts')).autoscale,
    ),
    certificate: createSubcommand(
      'Modify certificate resources',
      async () => (await import('./cluster-management/certificate.ts')).certificate,
    ),
    'cluster-info': createSubcommand(
      'Display cluster information',
      async () => (await import('./cluster-management/cluster-info.ts')).clusterInfo,
    ),
    top: createSubcommand('Display resource (CPU/memory) usage', async () => (await import('./cluster-management/top.ts')).top),
    cordon: createSubcommand('Mark node as unschedulable', async () => (await import('./cluster-management/drain.ts')).cordon),
    uncordon: createSubcommand('Mark node as schedulable', async () => (await import('./cluster-management/drain.ts')).uncordon),
    drain: createSubcommand('Drain node in preparation for maintenance', async () => (await import('./cluster-management/drain.ts')).drain),
    taint: createSubcommand('Update the taints on one or more nodes', async () => (await import('./cluster-management/taint.ts')).taint),
    describe: createSubcommand(
      'Show details of a specific resource or group of resources',
      async () => (await import('../describe/command.ts')).describe,
    ),
    logs: createSubcommand('Print the logs for a container in a pod', async () => (await import('./troubleshooting/logs.ts')).logs),
    attach: createSubcommand('Attach to a running container', async () => (await import('./troubleshooting/container-streams.ts')).attach),
    exec: createSubcommand('Execute a command in a container', async () => (await import('./troubleshooting/container-streams.ts')).exec),
    'port-forward': createSubcommand(
      'Forward one or more local ports to a pod',
      async () => (await import('./troubleshooting/port-forward.ts')).portForward,
    ),
    proxy: createSubcommand(
      'Run a proxy to the Kubernetes API server',
      async () => (await import('./troubleshooting/container-streams.ts')).proxy,
    ),
    cp: createSubcommand('Copy files and directories to and from containers', async () => (await import('./troubleshooting/cp.ts')).cp),
    auth: createSubcommand('Inspect authorization', async () => (await import('./auth/index.ts')).auth),
    debug: createSubcommand(
      'Create debugging sessions for troubleshooting workloads and nodes',
      async () => (await import('./troubleshooting/debug.ts')).debug,
    ),
    events: createSubcommand('List events', async () => (await import('./troubleshooting/events.ts')).events),
    diff: createSubcommand(
      'Diff the live version against a would-be applied version',
      async () => (await import('./changes/diff.ts')).diff,
    ),
    apply: createSubcommand(
      'Apply a configuration to a resource by file name or stdin',
      async () => (await import('./apply/index.ts')).apply,
    ),
    patch: createSubcommand('Update fields of a resource', async () => (await import('./changes/patch.ts')).patch),
    replace: createSubcommand('Replace a resource by file name or stdin', async () => (await import('./changes/replace.ts')).replace),
    wait: createSubcommand(
      'Experimental: Wait for a specific condition on one or many resources',
      async () => (await import('./wait.ts')).wait,
    ),
    kustomize: createSubcommand(
      'Build a kustomization target from a directory or URL',
      async () => (await import('../kustomize/index.ts')).kustomize,
    ),
    label: createSubcommand('Update the labels on a resource', async () => (await import('./changes/label.ts')).label),
    annotate: createSubcommand('Update the annotations on a resource', async () => (await import('./changes/label.ts')).annotate),
    completion: createSubcommand(
      'Output shell completion code for the specified shell (bash, zsh, fish, or powershell)',
      async () => (await import('./completion/index.ts')).completion,
    ),
    alpha: createSubcommand('Commands for features in alpha', async () => (await import('./options.ts')).alpha),
    config: createSubcommand('Modify kubeconfig files', async () => (await import('./config/index.ts')).config),
    plugin: createSubcommand('Provides utilities for interacting with plugins', async () => (await import('./plugin.ts')).plugin),
    version: createSubcommand(
      'Print the client and server version information',
      async () => (await import('./discovery/version.ts')).version,
    ),
    'api-versions': createSubcommand(
      'Print the supported API versions on the server, in the form of "group/version"',
      async () => (await import('./discovery/api-resources.ts')).apiVersions,
    ),
    'api-resources': createSubcommand(
      'Print the supported API resources on the server',
      async () => (await import('./discovery/api-resources.ts')).apiResources,
    ),
    options: createSubcommand('Print the list of flags inherited by all commands', async () => (await import('./options.ts')).options),
    help: createSubcommand('Help about any command', async () => (await import('./options.ts')).help),
  },
};
