import { errorMessage } from '../../env/index.ts';
import { joinHostPort } from '../../meta/index.ts';
import { lookUpHost } from '../network/host-names.ts';
import { requestHttp, responseText } from '../network/http-call.ts';
import type { HttpAnswer, HttpRequest } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { formValue, text } from './http-server.ts';

const timeoutMs = 5_000;

/** Sends requests to another server, and returns its responses. Cf. test/images/agnhost/netexec dialHandler. */
export async function dial(request: HttpRequest, process: Process): Promise<HttpAnswer> {
  const value = (name: string): string => formValue(name, request);
  const tries = value('tries') === '' ? 1 : Number(value('tries'));
  if (!Number.isInteger(tries)) return text(`tries parameter is invalid. strconv.Atoi: parsing "${value('tries')}": invalid syntax\n`, 400);
  if (value('request') === '') return text('request parameter not specified. <nil>\n', 400);
  const protocol = value('protocol').toLowerCase();
  if (!['', 'http', 'udp'].includes(protocol)) return text(`unsupported protocol. ${protocol}\n`, 400);
  const [address] = await lookUpHost(value('host'), process);
  if (address === undefined) return text(`host and/or port param are invalid. lookup ${value('host')}: no such host\n`, 400);
  const port = Number(value('port'));
  const send = protocol === 'udp' ? sendDatagram : sendRequest;
  const responses: string[] = [];
  const errors: string[] = [];
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      responses.push(await send(value('request'), address, port, process));
    } catch (error) {
      errors.push(errorMessage(error));
    }
  }
  return text(JSON.stringify({ ...(errors.length > 0 ? { errors } : {}), ...(responses.length > 0 ? { responses } : {}) }));
}

async function sendRequest(path: string, address: string, port: number, process: Process): Promise<string> {
  const url = new URL(`http://${joinHostPort(address, port)}/${path}`);
  return getText(url, process);
}

/** Gets a URL as a client in Go does, with the timeout of five seconds that agnhost's clients have. @throws RequestError */
export async function getText(url: URL, process: Process): Promise<string> {
  const headers = [['User-Agent', 'Go-http-client/1.1']] as const;
  const call = { url, method: 'GET', headers, body: undefined, timeoutMs, authorities: '' };
  return responseText(await requestHttp(call, process.signal, process));
}

async function sendDatagram(data: string, address: string, port: number, process: Process): Promise<string> {
  let receive = (_: string | undefined): void => {};
  const received = new Promise<string | undefined>((resolve) => {
    receive = resolve;
  });
  const socket = process.container.listeners.bind({ port: 0 }, ({ bytes }) => receive(new TextDecoder().decode(bytes)));
  const cancel = process.container.env.clock.schedule(timeoutMs, () => receive(undefined));
  try {
    socket?.send(new TextEncoder().encode(data), { address, port });
    const answer = await received;
    if (answer === undefined) throw new Error(`reading from udp connection failed. err:'read udp ${address}:${port}: i/o timeout'`);
    return answer;
  } finally {
    cancel();
    socket?.close();
  }
}
