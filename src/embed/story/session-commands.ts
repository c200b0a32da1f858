/** The commands of a shell session, in which they follow a prompt, and their documented output, which is everything else. */
export interface SessionParts {
  readonly commands: string;
  readonly output: string;
}

/**
 * Splits the text of a shell session:
 *
 *     $ kubectl get pods \
 *         -o name
 *     pod/web
 */
export function splitSession(text: string): SessionParts {
  const commands: string[] = [];
  const output: string[] = [];
  let continues = false;
  for (const line of text.split('\n')) {
    const command: string | undefined = line.startsWith('$ ') ? line.slice(2) : continues ? line.replace(/^> /, '') : undefined;
    if (command === undefined) output.push(line);
    else commands.push(command);
    continues = command?.endsWith('\\') === true;
  }
  return { commands: commands.join('\n'), output: output.join('\n').trim() };
}
