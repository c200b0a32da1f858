import type { Subcommand } from '../program/command.ts';

type Entry = readonly [name: string, entry: Subcommand];

interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Cf. the command groups of kubectl's pkg/cmd/cmd.go. */
const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Basic Commands (Beginner):', ['create', 'expose', 'run', 'set']],
  ['Basic Commands (Intermediate):', ['explain', 'get', 'edit', 'delete']],
  ['Deploy Commands:', ['rollout', 'scale', 'autoscale']],
  ['Cluster Management Commands:', ['certificate', 'cluster-info', 'top', 'cordon', 'uncordon', 'drain', 'taint']],
  [
    'Troubleshooting and Debugging Commands:',
    ['describe', 'logs', 'attach', 'exec', 'port-forward', 'proxy', 'cp', 'auth', 'debug', 'events'],
  ],
  ['Advanced Commands:', ['diff', 'apply', 'patch', 'replace', 'wait', 'kustomize']],
  ['Settings Commands:', ['label', 'annotate', 'completion']],
  ['Subcommands provided by plugins:', []],
];

const unlisted: ReadonlySet<string> = new Set(['alpha', 'help', 'options']);

/** The commands in the groups of `kubectl --help`; all further ones are the last group, sorted by name. */
export function commandGroups(entries: readonly Entry[]): readonly Group[] {
  const grouped = new Set(groups.flatMap(([, names]) => names));
  const others = entries
    .filter(([name]) => !grouped.has(name) && !unlisted.has(name))
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return [
    ...groups.map(([title, names]) => ({
      title,
      entries: names.flatMap((wanted) => entries.filter(([name]) => name === wanted)),
    })),
    { title: 'Other Commands:', entries: others },
  ];
}
