import { type DocumentBlock, splitDocument } from '../blocks/index.ts';
import { parseInfoString } from '../format/info-string.ts';
import { type ParseOptions, parseLesson } from '../format/parse-lesson.ts';
import type { Lesson, Step } from '../lesson.ts';
import { verifyScript } from './verify-script.ts';

/** A lesson as a scenario. */
export interface ExportedScenario {
  /** The files of its folder, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Parts that have no equivalent in a scenario. */
  readonly notes: readonly string[];
}

/** Killercoda offers Kubernetes with one node or two. */
const nodesMax = 2;

/** Converts a lesson; `options` read the other files of its folder. */
export function exportScenario(source: string, options: ParseOptions): ExportedScenario {
  const { lesson } = parseLesson(source, options);
  const pages = splitPages(source);
  const files = new Map<string, string>();
  const notes = findNotes(lesson);
  const [intro = '', ...texts] = pages;
  files.set('intro.md', intro);
  const background = setupScript(lesson);
  if (background !== '') files.set('background.sh', background);
  const steps = lesson.steps.map((step, at) => {
    const folder = `step${at + 1}`;
    files.set(`${folder}/text.md`, texts[at] ?? '');
    return { title: step.title, text: `${folder}/text.md`, ...addVerify(step, folder, files, notes) };
  });
  const index = {
    title: lesson.title,
    description: lesson.summary,
    details: { intro: { text: 'intro.md', ...(background === '' ? {} : { background: 'background.sh' }) }, steps },
    backend: { imageid: `kubernetes-kubeadm-${Math.min(nodesMax, Math.max(1, lesson.nodes))}node${lesson.nodes > 1 ? 's' : ''}` },
  };
  files.set('index.json', `${JSON.stringify(index, undefined, 2)}\n`);
  return { files, notes };
}

function addVerify(step: Step, folder: string, files: Map<string, string>, notes: string[]): { readonly verify?: string } {
  if (step.checks.length === 0) return {};
  const { text, untranslated } = verifyScript(step.checks);
  notes.push(...untranslated.map((source) => `${folder}/verify.sh does not have the check ${source}`));
  files.set(`${folder}/verify.sh`, text);
  return { verify: `${folder}/verify.sh` };
}

function findNotes({ nodes, snapshot, exam }: Lesson): string[] {
  return [
    ...(nodes > nodesMax ? [`the scenario has ${nodesMax} nodes, the lesson has ${nodes}`] : []),
    ...(snapshot === undefined ? [] : ['the snapshot of the lesson is not exported']),
    ...(exam === undefined ? [] : ['the time limit and the weights of the exam are not exported']),
  ];
}

function setupScript({ setup, scripts }: Lesson): string {
  const manifests = setup.map((manifest) => `kubectl apply -f - <<'END_OF_MANIFEST'\n${manifest.trimEnd()}\nEND_OF_MANIFEST`);
  const lines = [...manifests, ...scripts.map((script) => script.trimEnd())];
  return lines.length === 0 ? '' : `#!/bin/bash\n${lines.join('\n')}\n`;
}

/** The text before the first step, and that of each step. */
function splitPages(source: string): readonly string[] {
  const body = source.replaceAll('\r\n', '\n').replace(/^---\n[\s\S]*?\n---\n/, '');
  const pages: string[][] = [[]];
  for (const block of splitDocument(body, 1)) {
    if (block.kind === 'heading') pages.push([]);
    else pages.at(-1)?.push(pageText(block));
  }
  return pages.map((parts) => `${parts.filter((part) => part !== '').join('\n\n')}\n`);
}

function pageText(block: Exclude<DocumentBlock, { kind: 'heading' }>): string {
  if (block.kind === 'text') return block.text.trim();
  const { language, flags, values } = parseInfoString(block.info);
  const file = values.get('file');
  if (language === 'sh' && flags.has('run')) return command(impersonate(block.text, values.get('as')));
  if (language === 'yaml' && file !== undefined) return command(`cat > ${file} <<'END_OF_FILE'\n${block.text}END_OF_FILE\n`);
  if (language === 'hint') return details('Tip', block.text.trim());
  if (language === 'solution') return details('Solution', command(impersonate(block.text, values.get('as'))));
  return language === 'check' ? '' : `\`\`\`${block.info}\n${block.text}\`\`\``;
}

function command(lines: string): string {
  return `\`\`\`plain\n${lines}\`\`\`{{exec}}`;
}

/** The users of lessons are not in the kubeconfig of a scenario, but its administrator may act as them. */
function impersonate(lines: string, user: string | undefined): string {
  return user === undefined ? lines : lines.replace(/(^|[|;&(]\s*)kubectl(?=\s)/gm, `$1kubectl --as=${user}`);
}

function details(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
