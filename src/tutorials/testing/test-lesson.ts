import type { Product } from '../../meta/index.ts';
import type { SeenCommand, SeenRequest } from '../checks/expressions.ts';
import { lookAt } from '../checks/look.ts';
import { type CommandPart, type Lesson, linesOf, type Step } from '../lesson.ts';
import { beginLesson, layOut, solveStep, type Workplace } from '../run/lab.ts';
import type { CheckState } from '../run/lesson-run.ts';

/** A workplace whose commands and requests are heard. */
export interface TestLab extends Workplace {
  /** Runs lines as the learner would. */
  runSeen(lines: string): Promise<SeenCommand & { readonly stderr: string }>;
  /** The requests that the learner's commands made since the last call. */
  takeRequests(): readonly SeenRequest[];
  /** Ends its cluster. */
  close(): Promise<void>;
}

export interface TestOptions {
  readonly product: Product;
  readonly groupsOf: (user: string) => readonly string[];
}

/** Plays a lesson: every check must fail before its step's solution and hold after it, and every command must end as it says. */
export async function testLesson(lesson: Lesson, lab: TestLab, options: TestOptions): Promise<readonly string[]> {
  const failures: string[] = [];
  await beginLesson(lab, lesson);
  const seen = new Set<string>();
  for (const step of lesson.steps) {
    if (seen.has(step.id)) failures.push(`there are two steps ${step.id}`);
    seen.add(step.id);
    failures.push(...(await testStep(step, lab, options)).map((failure) => `step ${step.id}: ${failure}`));
  }
  return failures;
}

async function testStep(step: Step, lab: TestLab, { product, groupsOf }: TestOptions): Promise<readonly string[]> {
  const options = { api: lab.api, product, groupsOf, signal: new AbortController().signal };
  const look = async (commands: readonly SeenCommand[]): Promise<readonly CheckState[]> => {
    const facts = { commands, requests: lab.takeRequests(), files: await lab.files(), step: { started: '' } };
    const cels = step.checks.map(({ cel }) => cel);
    const { standings } = await lookAt(cels, facts, options);
    return step.checks.flatMap((check, at) => (standings[at] ? { check, ...standings[at] } : []));
  };
  await layOut(lab, step);
  lab.takeRequests();
  const before = await look([]);
  const commands: SeenCommand[] = [];
  const failures: string[] = [];
  await solveStep(lab, step, async (part) => {
    const { failure, ...command } = await play(part, lab);
    commands.push(...command.commands);
    if (failure !== '') failures.push(failure);
    return 0;
  });
  const after = await look(commands);
  return [
    ...before.flatMap(({ broken, check }) => (broken === '' ? [] : [`"${check.cel}" cannot be evaluated: ${broken}`])),
    ...before.filter(({ passed, check }) => passed && !check.optional).map(({ check }) => `"${check.cel}" holds before anything was done`),
    ...failures,
    ...after
      .filter(({ passed }) => !passed)
      .map(({ check, seen, broken }) => {
        const why = broken === '' ? seen : broken;
        return `"${check.cel}" does not hold after the solution${why === '' ? '' : ` (${why})`}`;
      }),
  ];
}

async function play(part: CommandPart, lab: TestLab): Promise<{ readonly commands: readonly SeenCommand[]; readonly failure: string }> {
  const ran = await lab.runSeen(linesOf(part));
  const failure = ran.exit === part.expect ? '' : `"${part.lines}" ends with ${ran.exit}, not ${part.expect}: ${ran.stderr.trim()}`;
  return { commands: [ran], failure };
}
