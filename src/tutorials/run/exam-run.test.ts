import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import type { StepFacts } from '../checks/expressions.ts';
import { parseLesson } from '../format/index.ts';
import { ExamRun } from './exam-run.ts';
import type { Lab } from './lab.ts';
import type { ProgressStore } from './progress.ts';

const source = [
  '---',
  'title: Exam',
  'exam: {minutes: 10, pass: 60, weights: {pods: 3}}',
  '---',
  '## Make pods {#pods}',
  '```check',
  '- {cel: "a", message: no a}',
  '- {cel: "b", message: no b}',
  '- {cel: "z", message: no z, optional: true}',
  '```',
  '## Look {#look}',
  '```check',
  '- {cel: "c", message: no c}',
  '```',
].join('\n');

function memoryStore(): ProgressStore {
  const values = new Map<string, unknown>();
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
  };
}

/** A lab in which the named checks pass. Records the facts that it receives. */
function createLab(passing: ReadonlySet<string>, recordedFacts: StepFacts[] = []): Lab {
  return {
    api: () => Promise.reject(new Error('not asked')),
    exists: async () => true,
    create: async () => undefined,
    run: async () => 0,
    writeFile: async () => undefined,
    files: async () => ({}),
    copy: async () => undefined,
    restore: async () => undefined,
    evaluateChecks: async (cels, facts) => {
      recordedFacts.push(facts);
      return { standings: cels.map((cel) => ({ passed: passing.has(cel), seen: '', broken: '' })), queriedPaths: [] };
    },
  };
}

function exam(lab: Lab, store = memoryStore(), clock = createManualClock()) {
  const { lesson } = parseLesson(source, { render: (text) => text, file: () => undefined, inherited: {} });
  if (lesson.exam === undefined) throw new Error('no exam');
  return { run: new ExamRun({ lesson, exam: lesson.exam, lab, store, clock }), store, clock };
}

test('grades a submitted exam with weights and partial points', async () => {
  const { run } = exam(createLab(new Set(['a', 'c'])));
  await run.start(10);
  await run.finish();
  expect(run.state?.results).toEqual([
    { title: 'Make pods', weight: 3, passed: 1, checks: 2, missing: ['no b'] },
    { title: 'Look', weight: 1, passed: 1, checks: 1, missing: [] },
  ]);
  expect(run.points).toEqual({ reached: 2.5, all: 4, percent: 62, passed: true });
});

test('submits the exam when its time is over', async () => {
  const { run, clock } = exam(createLab(new Set()));
  await run.start(10);
  await clock.advance(9 * 60_000);
  expect([run.remainingMs, run.state?.endedMs]).toEqual([60_000, undefined]);
  await clock.advance(60_001);
  await new Promise((resolve) => setImmediate(resolve));
  expect(run.points).toMatchObject({ percent: 0, passed: false });
  expect(run.state?.endedMs).toBe(run.state?.endsMs);
});

test('an exam without a time limit does not end by itself', async () => {
  const { run, clock } = exam(createLab(new Set()));
  await run.start(undefined);
  await clock.advance(24 * 60 * 60_000);
  expect([run.remainingMs, run.state?.endedMs]).toEqual([undefined, undefined]);
});

test('a reopened exam resumes its time and recorded activity', async () => {
  const recordedFacts: StepFacts[] = [];
  const first = exam(createLab(new Set()));
  await first.run.start(10);
  first.run.recordRequest({ user: 'alice', method: 'GET', path: '/api', code: 403 });
  first.run.recordCommand({ line: 'kubectl get pods', exit: 1, stdout: '' });
  first.run.close();
  await first.clock.advance(4 * 60_000);
  const again = exam(createLab(new Set(['a', 'b', 'c']), recordedFacts), first.store, first.clock);
  await again.run.open();
  expect(again.run.remainingMs).toBe(6 * 60_000);
  await again.run.finish();
  expect(recordedFacts[0]?.requests).toEqual([{ user: 'alice', method: 'GET', path: '/api', code: 403 }]);
  expect(again.run.points.percent).toBe(100);
});
