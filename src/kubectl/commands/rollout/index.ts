import type { Command, Subcommand } from '../../program/command.ts';

function createSubcommand(about: string, load: () => Promise<Command>): Subcommand {
  return { about, load };
}

export const rollout: Command = {
  help: {
    onOutput: true,
  },
  subcommands: {
    history: createSubcommand('View rollout history', async () => (await import('./history.ts')).history),
    pause: createSubcommand('Mark the provided resource as paused', async () => (await import('./pause-resume-restart.ts')).pause),
    restart: createSubcommand('Restart a resource', async () => (await import('./pause-resume-restart.ts')).restart),
    resume: createSubcommand('Resume a paused resource', async () => (await import('./pause-resume-restart.ts')).resume),
    status: createSubcommand('Show the status of the rollout', async () => (await import('./status.ts')).status),
    undo: createSubcommand('Undo a previous rollout', async () => (await import('./history.ts')).undo),
  },
};
