import type { Product } from '../../meta/index.ts';
import { evaluateChecks } from '../checks/evaluate-checks.ts';
import type { CommandRecord, RequestRecord } from '../checks/expressions.ts';
import { type CommandPart, commandLines, type Lesson, type Step } from '../lesson.ts';
import { type LessonWorkspace, runSolution, setUpLesson, writeStepFiles } from '../run/lab.ts';
import type { CheckState } from '../run/lesson-run.ts';
import { runChecks } from '../run/run-checks.ts';

/** A workspace that records commands and requests. */
export interface TestLab extends LessonWorkspace {
  /** Runs lines in the foreground, as the learner does. */
  runRecorded(lines: string): Promise<CommandRecord & { readonly stderr: string }>;
  /** The requests of the learner's commands since the last call. */
  takeRequests(): readonly RequestRecord[];
  /** Waits until the controllers, the scheduler and the nodes have nothing to do. */
  settle(): Promise<void>;
  /** Stops its cluster. */
  close(): Promise<void>;
}

export interface TestOptions {
  readonly product: Product;
  readonly groupsOf: (user: string) => readonly string[];
}

/** Runs a lesson: every check must fail before its step's solution and pass after it, and every command must exit as expected. */
export async function testLesson(lesson: Lesson, lab: TestLab, options: TestOptions): Promise<readonly string[]> {
  const failures: string[] = [];
  await setUpLesson(lab, lesson);
  const stepIds = new Set<string>();
  for (const step of lesson.steps) {
    if (stepIds.has(step.id)) failures.push(`duplicate step id ${step.id}`);
    stepIds.add(step.id);
    failures.push(...(await testStep(step, lab, options)).map((failure) => `step ${step.id}: ${failure}`));
  }
  return failures;
}

async function testStep(step: Step, lab: TestLab, { product, groupsOf }: TestOptions): Promise<readonly string[]> {
  const options = { api: lab.api, product, groupsOf, signal: new AbortController().signal };
  const evaluate = async (commands: readonly CommandRecord[]): Promise<readonly CheckState[]> => {
    await lab.settle();
    const facts = { commands, requests: lab.takeRequests(), files: await lab.files(), step: { started: '' } };
    const { standings } = await runChecks(step.checks, {
      lab,
      evaluate: (cels) => evaluateChecks(cels, facts, options),
      clock: undefined,
    });
    return step.checks.flatMap((check, at) => (standings[at] ? { check, ...standings[at] } : []));
  };
  await writeStepFiles(lab, step);
  lab.takeRequests();
  const before = await evaluate([]);
  const commands: CommandRecord[] = [];
  const failures: string[] = [];
  await runSolution(lab, step, async (part) => {
    const { failure, ...command } = await runPart(part, lab);
    commands.push(...command.commands);
    if (failure !== '') failures.push(failure);
    return 0;
  });
  const after = await evaluate(commands);
  return [
    ...before.flatMap(({ broken, check }) => (broken === '' ? [] : [`"${check.source}" cannot be evaluated: ${broken}`])),
    ...before.filter(({ passed, check }) => passed && !check.optional).map(({ check }) => `"${check.source}" passes before the solution`),
    ...failures,
    ...after
      .filter(({ passed }) => !passed)
      .map(({ check, seen, broken }) => {
        const why = broken === '' ? seen : broken;
        return `"${check.source}" fails after the solution${why === '' ? '' : ` (${why})`}`;
      }),
  ];
}

async function runPart(
  part: CommandPart,
  lab: TestLab,
): Promise<{ readonly commands: readonly CommandRecord[]; readonly failure: string }> {
  const ran = await lab.runRecorded(commandLines(part));
  const failure = ran.exit === part.expect ? '' : `"${part.lines}" exits with ${ran.exit}, not ${part.expect}: ${ran.stderr.trim()}`;
  return { commands: [ran], failure };
}
