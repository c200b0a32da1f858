/** The names of the tools, whose code is loaded when one of them is run. */
export const toolNames: readonly string[] =
  'arp dirname free groups gunzip gzip ifconfig install killall link logname nohup pgrep pidof ping pkill realpath route setsid stty telnet top truncate tty unlink uptime users usleep w who zcat'.split(
    ' ',
  );
