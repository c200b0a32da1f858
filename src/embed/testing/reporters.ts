import type { ExampleReport } from './test-document.ts';

/** The results of one document. */
export interface DocumentReport {
  readonly file: string;
  readonly examples: readonly ExampleReport[];
}

/** Formats the results of all documents. */
export type Reporter = (documents: readonly DocumentReport[]) => string;

export const reporters: ReadonlyMap<string, Reporter> = new Map([
  ['text', formatText],
  ['junit', formatJunit],
  ['github', formatAnnotations],
]);

export const isFailed = ({ failure }: ExampleReport): boolean => failure !== '';

/** `docs/start.md:12: kubectl get pods: exits with 1: …`, and the counts. */
function formatText(documents: readonly DocumentReport[]): string {
  const failures = documents.flatMap(({ file, examples }) =>
    examples.filter(isFailed).map(({ line, title, failure }) => `${file}:${line}: ${title}\n  ${failure.replaceAll('\n', '\n  ')}\n`),
  );
  const passed = documents.flatMap(({ file, examples }) =>
    examples.some(isFailed) ? [] : [`ok ${file} (${examples.length === 1 ? '1 example' : `${examples.length} examples`})\n`],
  );
  const all = documents.flatMap(({ examples }) => examples);
  const failed = all.filter(isFailed).length;
  return `${[...passed, ...failures].join('')}${all.length - failed} passed, ${failed} failed\n`;
}

/** Cf. https://github.com/testmoapp/junitxml. */
function formatJunit(documents: readonly DocumentReport[]): string {
  const suites = documents.map(({ file, examples }) => {
    const cases = examples.map(({ line, title, failure, output }) => {
      const name = `name="${escapeXml(`line ${line}: ${title}`)}" classname="${escapeXml(file)}" file="${escapeXml(file)}" line="${line}"`;
      const [message = ''] = failure.split('\n', 1);
      const details = `<failure message="${escapeXml(message)}">${escapeXml(failure)}</failure><system-out>${escapeXml(output)}</system-out>`;
      return failure === '' ? `    <testcase ${name}/>` : `    <testcase ${name}>${details}</testcase>`;
    });
    const counts = `tests="${examples.length}" failures="${examples.filter(isFailed).length}"`;
    return [`  <testsuite name="${escapeXml(file)}" ${counts}>`, ...cases, '  </testsuite>'].join('\n');
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>', ''].join('\n');
}

const xmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Control characters are not allowed in XML 1.0, not even escaped. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (char) => xmlEntities[char] ?? '');
}

/** Workflow commands, which GitHub shows at their lines, followed by the text. */
function formatAnnotations(documents: readonly DocumentReport[]): string {
  const commands = documents.flatMap(({ file, examples }) =>
    examples
      .filter(isFailed)
      .map(
        ({ line, title, failure }) =>
          `::error file=${escapeProperty(file)},line=${line},title=${escapeProperty(title)}::${escapeData(failure)}\n`,
      ),
  );
  return commands.join('') + formatText(documents);
}

const escapeData = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
