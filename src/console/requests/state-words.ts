import { msg } from '@lit/localize';

/** How far a command or a request has come that is not done. */
export function stateText(state: 'waiting' | 'running' | 'streaming'): string {
  switch (state) {
    case 'waiting':
      return msg('waiting', { desc: 'a command behind another one' });
    case 'running':
      return msg('running', { desc: 'a command or a request' });
    case 'streaming':
      return msg('streaming', { desc: 'a request whose answer goes on' });
    default:
      return state satisfies never;
  }
}
