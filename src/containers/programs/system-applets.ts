import { sysctlName } from '../../component-helpers/index.ts';
import { compareTexts } from '../../meta/index.ts';
import type { Applet } from '../process/applet.ts';
import { parseOptions } from './options.ts';
import { groupNameOf, knownUserName, userNameOf } from './user-names.ts';

const kernel = '6.8.0';

const env: Applet = async ({ args, environment, state, shell, out, ...streams }) => {
  const { flags } = parseOptions(args.slice(0, 1));
  const isEmpty = flags.has('i');
  const rest = isEmpty ? args.slice(1) : args;
  const from = rest.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(arg));
  const assigned = (from < 0 ? rest : rest.slice(0, from)).map((arg) => arg.split(/=([\s\S]*)/, 2) as [string, string]);
  const variables = new Map([...(isEmpty ? [] : environment), ...assigned]);
  if (from < 0) {
    for (const [name, value] of variables) out(`${name}=${value}\n`);
    return 0;
  }
  const inner = { ...state, variables, exported: new Set(variables.keys()) };
  return shell.runWords(rest.slice(from), inner, { ...streams, out });
};

const printenv: Applet = ({ args, environment, out }) => {
  if (args.length === 0) for (const [name, value] of environment) out(`${name}=${value}\n`);
  const values = args.map((name) => environment.get(name));
  for (const value of values) if (value !== undefined) out(`${value}\n`);
  return values.includes(undefined) ? 1 : 0;
};

const id: Applet = ({ args, out, err }, process) => {
  const { flags } = parseOptions(args);
  const { uid, gid } = process.user;
  const groups = [...new Set([gid, ...process.user.groups])];
  const nameOfGroup = (group: number): string => groupNameOf(group, process) ?? String(group);
  if (flags.has('u') && flags.has('n')) {
    const name = knownUserName(uid, process);
    if (name === undefined) err(`id: unknown ID ${uid}\n`);
    out(`${name ?? uid}\n`);
    return name === undefined ? 1 : 0;
  }
  if (flags.has('u')) out(`${uid}\n`);
  else if (flags.has('g')) out(`${flags.has('n') ? nameOfGroup(gid) : gid}\n`);
  else if (flags.has('G')) out(`${groups.map((group) => (flags.has('n') ? nameOfGroup(group) : group)).join(' ')}\n`);
  else {
    const named = (number: number, name: string | undefined): string => (name === undefined ? String(number) : `${number}(${name})`);
    const all = groups.map((group) => named(group, groupNameOf(group, process))).join(',');
    const isAlone = groups.length === 1 && process.user.groups.length === 0 && uid !== 0;
    out(`uid=${named(uid, knownUserName(uid, process))} gid=${named(gid, groupNameOf(gid, process))}${isAlone ? '' : ` groups=${all}`}\n`);
  }
  return 0;
};

const whoami: Applet = ({ out, err }, process) => {
  const name = knownUserName(process.user.uid, process);
  if (name === undefined) err(`whoami: unknown uid ${process.user.uid}\n`);
  else out(`${name}\n`);
  return name === undefined ? 1 : 0;
};

const hostname: Applet = ({ args, out, err }, { container }) => {
  const { flags, operands } = parseOptions(args);
  if (operands.length > 0) {
    err('hostname: sethostname: Operation not permitted\n');
    return 1;
  }
  const { hostname: name, fullHostname, podIP } = container;
  if (flags.has('i') || flags.has('I')) out(`${podIP}\n`);
  else if (flags.has('f')) out(`${fullHostname}\n`);
  else if (flags.has('d')) out(`${fullHostname.slice(name.length + 1)}\n`);
  else out(`${name}\n`);
  return 0;
};

const uname: Applet = ({ args, out }, { container }) => {
  const { flags } = parseOptions(args);
  const parts: readonly (readonly [string, string])[] = [
    ['s', 'Linux'],
    ['n', container.hostname],
    ['r', kernel],
    ['v', '#1 SMP PREEMPT_DYNAMIC'],
    ['m', 'x86_64'],
    ['o', 'GNU/Linux'],
  ];
  const shown = flags.size === 0 ? ['s'] : flags.has('a') ? parts.map(([flag]) => flag) : [...flags];
  out(
    `${parts
      .filter(([flag]) => shown.includes(flag))
      .map(([, text]) => text)
      .join(' ')}\n`,
  );
  return 0;
};

const ps: Applet = ({ out }, { container }) => {
  out('PID   USER     TIME  COMMAND\n');
  for (const process of [...container.processes.values()].sort((a, b) => a.pid - b.pid)) {
    const user = userNameOf(process.user.uid, process);
    out(`${String(process.pid).padStart(5)} ${user.padEnd(8)}  0:00 ${process.argv.join(' ')}\n`);
  }
  return 0;
};

const sleep: Applet = async ({ args, err, signal }, process) => {
  const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  let ms = 0;
  for (const arg of args) {
    const match = /^(\d+(?:\.\d*)?|\.\d+)([smhd]?)$/.exec(arg);
    if (!match && !/^inf(inity)?$/.test(arg)) {
      err(`sleep: invalid number '${arg}'\n`);
      return 1;
    }
    ms += match ? Number(match[1]) * (units[match[2] || 's'] ?? 1_000) : Number.POSITIVE_INFINITY;
  }
  await process.sleep(ms, signal);
  return 0;
};

const yes: Applet = async ({ args, out, signal }, { container }) => {
  const line = `${args.length === 0 ? 'y' : args.join(' ')}\n`.repeat(64);
  while (!signal.aborted) {
    out(line);
    await container.pause();
  }
  return 0;
};

const mount: Applet = ({ args, out }, { container }) => {
  const type = args[0] === '-t' ? args[1] : undefined;
  for (const { path, store, isReadOnly } of container.files.mounts.all) {
    if (type === undefined || type === store.type)
      out(`${store.type} on ${path} type ${store.type} (${isReadOnly ? 'ro' : 'rw'},relatime)\n`);
  }
  return 0;
};

const df: Applet = ({ args, out, path }, { container: { files }, user }) => {
  const { flags, operands } = parseOptions(args);
  out(`Filesystem           1K-blocks      Used Available Use% Mounted on\n`);
  const mounts = operands.length === 0 ? files.mounts.all : operands.flatMap((name) => files.find(path(name), user)?.mount ?? []);
  for (const { path: at, store } of mounts) {
    const size = Math.floor(Math.min(store.limitBytes, 2 ** 40) / 1024);
    const used = Math.ceil(store.usedBytes / 1024);
    const percent = size === 0 ? 0 : Math.ceil((used / size) * 100);
    out(
      `${store.type.padEnd(20)} ${String(size).padStart(9)} ${String(used).padStart(9)} ${String(size - used).padStart(9)} ${String(percent).padStart(3)}% ${at}${flags.has('T') ? ` ${store.type}` : ''}\n`,
    );
  }
  return 0;
};

const sysctl: Applet = ({ args, out, err }, { container }) => {
  const { flags, operands } = parseOptions(args);
  let code = 0;
  for (const operand of operands) {
    const name = sysctlName(operand);
    const value = container.sysctls.get(name);
    if (value === undefined) {
      err(`sysctl: error: '${operand}' is an unknown key\n`);
      code = 1;
    } else out(flags.has('n') ? `${value}\n` : `${name} = ${value}\n`);
  }
  return code;
};

const ip: Applet = ({ args, out, err }, { container }) => {
  const isChange = args.some((arg) => /^(add|del|delete|set|replace|change|flush)$/.test(arg));
  if (isChange && !container.isPrivileged) {
    err('ip: RTNETLINK answers: Operation not permitted\n');
    return 2;
  }
  if (isChange) return 0;
  out(
    '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue qlen 1000\n    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n    inet 127.0.0.1/8 scope host lo\n       valid_lft forever preferred_lft forever\n',
  );
  out(
    `2: eth0@if3: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue\n    inet ${container.podIP}/24 scope global eth0\n       valid_lft forever preferred_lft forever\n`,
  );
  return 0;
};

const expr: Applet = ({ args, out, err }) => {
  const result = evaluate([...args]);
  if (result === undefined) {
    err('expr: syntax error\n');
    return 2;
  }
  out(`${result}\n`);
  return result === '0' || result === '' ? 1 : 0;
};

/** Operators of expr by their precedence, the weakest first. */
const operators: readonly (readonly string[])[] = [
  ['|'],
  ['&'],
  ['=', '==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
  [':'],
];

function evaluate(words: string[], level = 0): string | undefined {
  if (level === operators.length) {
    const word = words.shift();
    if (word !== '(') return word;
    const inner = evaluate(words);
    return words.shift() === ')' ? inner : undefined;
  }
  let left = evaluate(words, level + 1);
  while (left !== undefined && operators[level]?.includes(words[0] ?? '')) {
    const operator = words.shift() ?? '';
    const right = evaluate(words, level + 1);
    if (right === undefined) return undefined;
    left = apply(operator, left, right);
  }
  return level === 0 && words.length > 0 && words[0] !== ')' ? undefined : left;
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

const isTrue = (text: string): boolean => text !== '' && text !== '0';

function apply(operator: string, left: string, right: string): string | undefined {
  if (operator === '|') return isTrue(left) ? left : right;
  if (operator === '&') return isTrue(left) && isTrue(right) ? left : '0';
  const areNumbers = isInteger(left) && isInteger(right);
  const compares = comparisons[operator];
  if (compares) return compares(areNumbers ? Number(left) - Number(right) : compareTexts(left, right)) ? '1' : '0';
  return areNumbers ? calculate(operator, Number(left), Number(right)) : undefined;
}

function calculate(operator: string, a: number, b: number): string | undefined {
  if (operator === ':' || (/[/%]/.test(operator) && b === 0)) return undefined;
  const results: Readonly<Record<string, number>> = { '+': a + b, '-': a - b, '*': a * b, '/': Math.trunc(a / b), '%': a % b };
  return String(results[operator] ?? 0);
}

/** The programs that show or change the system. */
export const systemApplets: Readonly<Record<string, Applet>> = {
  df,
  env,
  expr,
  hostname,
  id,
  ip,
  mount,
  nproc: ({ out }) => {
    out('4\n');
    return 0;
  },
  printenv,
  ps,
  sleep,
  sync: () => 0,
  sysctl,
  uname,
  whoami,
  yes,
};
