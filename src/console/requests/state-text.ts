import { msg } from '@lit/localize';

/** The state of an unfinished command or request. */
export function stateText(state: 'waiting' | 'running' | 'streaming'): string {
  switch (state) {
    case 'waiting':
      return msg('waiting', { desc: 'a command behind another one' });
    case 'running':
      return msg('running', { desc: 'a command or a request' });
    case 'streaming':
      return msg('streaming', { desc: 'a request with a streaming response' });
    default:
      return state satisfies never;
  }
}
