import { type DnsAnswer, type RecordType, resolveName, reverseName } from '../../../network/index.ts';
import { hostsEntries, lookUpHost, nameServerConfig } from '../../network/host-names.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { parseOptions } from '../options.ts';

/** `nslookup NAME`, with the name server of /etc/resolv.conf. */
export const nslookup: Applet = async ({ args, out }, process) => {
  const [name = '', other] = parseOptions(args).operands;
  const server = other ?? nameServerConfig(process).servers[0] ?? '';
  out(`Server:\t\t${server}\nAddress:\t${server}:53\n\n`);
  const addresses = await lookUpHost(name, process);
  for (const address of addresses) out(`Name:\t${name}\nAddress: ${address}\n`);
  if (addresses.length === 0) out(`** server can't find ${name}: NXDOMAIN\n`);
  out('\n');
  return addresses.length === 0 ? 1 : 0;
};

const types: ReadonlySet<string> = new Set<RecordType>(['A', 'AAAA', 'CNAME', 'SRV', 'PTR']);

const isType = (word: string): word is RecordType => types.has(word);

/** `dig [@SERVER] [+short] [+search] [+noall] [+answer] [-x] NAME [TYPE]`. */
export const dig: Applet = async ({ args, out }, process) => {
  const question = parseQuestion(args);
  const { name, type, features } = question;
  const answer = await query(name, type, features.has('search'), process);
  if (features.has('short')) for (const { value } of answer.records) out(`${value}\n`);
  else out(formatAnswer(answer, question, args));
  return 0;
};

interface Question {
  readonly name: string;
  readonly type: RecordType;
  /** The parts of the output, and `short` and `search`. */
  readonly features: ReadonlySet<string>;
}

/** Options apply from left to right. */
function parseQuestion(args: readonly string[]): Question {
  const features = new Set(['question', 'answer', 'comments']);
  let [name, type]: [string, RecordType] = ['', 'A'];
  for (const [at, arg] of args.entries()) {
    if (arg === '+noall') features.clear();
    else if (arg.startsWith('+no')) features.delete(arg.slice(3));
    else if (arg.startsWith('+')) features.add(arg.slice(1));
    else if (args[at - 1] === '-x') [name, type] = [reverseName(arg) ?? arg, 'PTR'];
    else if (isType(arg.toUpperCase())) type = arg.toUpperCase() as RecordType;
    else if (!/^[@-]/.test(arg) && !/^-[bcfkpqtxy]$/.test(args[at - 1] ?? '')) name = arg;
    else if (arg === '-t' && isType(args[at + 1] ?? '')) type = args[at + 1] as RecordType;
  }
  return { name, type, features };
}

function formatAnswer({ code, records }: DnsAnswer, { name, type, features }: Question, args: readonly string[]): string {
  const hasComments = features.has('comments');
  let text = '';
  if (hasComments)
    text += `\n; <<>> DiG 9.18.28 <<>> ${args.join(' ')}\n;; global options: +cmd\n;; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: ${code}, id: 1\n\n`;
  if (features.has('question') && hasComments) text += `;; QUESTION SECTION:\n;${name}\t\tIN\t${type}\n\n`;
  if (!features.has('answer')) return text;
  if (hasComments && records.length > 0) text += ';; ANSWER SECTION:\n';
  return text + records.map((record) => `${record.name}\t${record.ttlSeconds}\tIN\t${record.type}\t${record.value}\n`).join('');
}

async function query(name: string, type: RecordType, usesSearch: boolean, process: Process): Promise<DnsAnswer> {
  const { network } = process.container.listeners;
  const { searches, ndots } = nameServerConfig(process);
  if (!network || name === '') return { code: 'SERVFAIL', records: [] };
  return resolveName(network, name, type, usesSearch ? { searches, ndots } : { searches: [], ndots: 0 });
}

/** `getent hosts NAME`, `getent ahosts NAME`. */
export const getent: Applet = async ({ args, out }, process) => {
  const [database = '', name = ''] = args;
  if (database !== 'hosts' && !database.startsWith('ahosts')) return 1;
  const [known] = hostsEntries(name, process);
  if (known) {
    const [address = '', ...names] = known;
    out(`${address.padEnd(15)} ${names.join(' ')}\n`);
    return 0;
  }
  const addresses = await lookUpHost(name, process);
  for (const address of addresses) out(`${address.padEnd(15)} ${name}\n`);
  return addresses.length === 0 ? 2 : 0;
};
