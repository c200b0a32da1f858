import type { Command, Subcommand } from '../../program/command.ts';

function createSubcommand(about: string, load: () => Promise<Command>, ...aliases: readonly string[]): Subcommand {
  return { about, load, aliases };
}

export const set: Command = {
  subcommands: {
    env: createSubcommand('Update environment variables on a pod template', async () => (await import('./env.ts')).setEnv),
    image: createSubcommand('Update the image of a pod template', async () => (await import('./image.ts')).setImage),
    resources: createSubcommand(
      'Update resource requests/limits on objects with pod templates',
      async () => (await import('./resources.ts')).setResources,
    ),
    selector: createSubcommand('Set the selector on a resource', async () => (await import('./others.ts')).setSelector),
    serviceaccount: createSubcommand(
      'Update the service account of a resource',
      async () => (await import('./others.ts')).setServiceAccount,
      'sa',
    ),
    subject: createSubcommand(
      'Update the user, group, or service account in a role binding or cluster role binding',
      async () => (await import('./subject.ts')).setSubject,
    ),
  },
};
