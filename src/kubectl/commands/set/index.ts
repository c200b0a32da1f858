import type { Command, Subcommand } from '../../program/command.ts';

function entry(about: string, load: () => Promise<Command>, ...aliases: readonly string[]): Subcommand {
  return { about, load, aliases };
}

export const set: Command = {
  help: {
    about: 'Configure application resources.\n\n These commands help you make changes to existing application resources.',
    usage: 'kubectl set SUBCOMMAND [options]',
  },
  subcommands: {
    env: entry('Update environment variables on a pod template', async () => (await import('./env.ts')).setEnv),
    image: entry('Update the image of a pod template', async () => (await import('./image.ts')).setImage),
    resources: entry(
      'Update resource requests/limits on objects with pod templates',
      async () => (await import('./image.ts')).setResources,
      'limits',
    ),
    selector: entry('Set the selector on a resource', async () => (await import('./others.ts')).setSelector),
    serviceaccount: entry('Update the service account of a resource', async () => (await import('./others.ts')).setServiceAccount, 'sa'),
    subject: entry(
      'Update the user, group, or service account in a role binding or cluster role binding',
      async () => (await import('./others.ts')).setSubject,
    ),
  },
};
