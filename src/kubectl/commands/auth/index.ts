import type { Command, Subcommand } from '../../program/command.ts';

function createSubcommand(about: string, load: () => Promise<Command>): Subcommand {
  return { about, load };
}

export const auth: Command = {
  subcommands: {
    'can-i': createSubcommand('Check whether an action is allowed', async () => (await import('./can-i.ts')).canI),
    reconcile: createSubcommand(
      'Reconciles rules for RBAC role, role binding, cluster role, and cluster role binding objects',
      async () => (await import('./reconcile.ts')).reconcile,
    ),
    whoami: createSubcommand('Experimental: Check self subject attributes', async () => (await import('./whoami.ts')).whoami),
  },
};
