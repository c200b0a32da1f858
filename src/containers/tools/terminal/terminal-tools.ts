import { CommandError, type Invocation, readNumber } from '../../../shell/index.ts';
import type { Applet } from '../../process/applet.ts';
import { Tty } from '../../process/tty.ts';
import { readArguments } from '../arguments.ts';

const tty: Applet = (invocation) => {
  const { flags } = readArguments(invocation, { options: 's', synopsis: '[-s]' });
  const isTerminal = invocation.input instanceof Tty;
  if (!flags.has('s')) invocation.out(isTerminal ? '/dev/pts/0\n' : 'not a tty\n');
  return isTerminal ? 0 : 1;
};

const characters = `intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;
eol2 = <undef>; swtch = <undef>; start = ^Q; stop = ^S; susp = ^Z; rprnt = ^R;
werase = ^W; lnext = ^V; flush = ^O; min = 1; time = 0;
`;

const modes = (echo: string): string => `-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts
-ignbrk -brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr icrnl ixon -ixoff
-iuclc -ixany -imaxbel -iutf8
opost -olcuc -ocrnl onlcr -onocr -onlret -ofill -ofdel nl0 cr0 tab0 bs0 vt0 ff0
isig icanon iexten ${echo} echoe echok -echonl -noflsh -xcase -tostop -echoprt
echoctl echoke -flusho -extproc
`;

const stty: Applet = (invocation) => {
  const { args, input, out } = invocation;
  if (!(input instanceof Tty)) throw new CommandError('stty: standard input: Inappropriate ioctl for device');
  const { height, width } = input.size;
  const echo = input.isEchoing ? 'echo' : '-echo';
  if (args.length === 0) out(`speed 38400 baud; line = 0;\n${characters}-brkint -imaxbel\n${input.isEchoing ? '' : '-echo\n'}`);
  else if (args.includes('-a')) out(`speed 38400 baud; rows ${height}; columns ${width}; line = 0;\n${characters}${modes(echo)}`);
  else applySettings([...args], input, invocation);
  return 0;
};

/** Other settings have no effect. */
function applySettings(settings: string[], input: Tty, invocation: Invocation): void {
  for (let setting = settings.shift(); setting !== undefined; setting = settings.shift()) {
    const { height, width } = input.size;
    if (setting === 'size') invocation.out(`${height} ${width}\n`);
    else if (setting === 'sane' || /^-?echo$/.test(setting)) input.isEchoing = setting !== '-echo';
    else if (/^(?:rows|col(?:umn)?s)$/.test(setting)) {
      const value = readNumber(invocation, settings.shift() ?? '', { most: 65_535 });
      input.resize(setting === 'rows' ? { height: value, width } : { height, width: value });
    }
  }
}

export const terminalTools: Readonly<Record<string, Applet>> = { stty, tty };
