import { type ApiResponse, isWebSocketRequest, offeredStreamProtocols } from '../../meta/index.ts';
import { KubeletError } from '../kubelet-api.ts';
import type { StreamProtocols } from '../stream-protocols.ts';
import { plainText } from './responses.ts';
import { forwardPortsOverSpdy, forwardPortsOverTunnel, offersTunnel } from './spdy-port-forward.ts';
import { remoteCommandOverSpdy, type SpdyOptions } from './spdy-remote-command.ts';
import { forwardPortsOverChannels } from './websocket-port-forward.ts';
import { remoteCommandOverWebSocket } from './websocket-remote-command.ts';

/** All protocols of kube-apiserver and the kubelet. */
export function createStreamProtocols(options: SpdyOptions): StreamProtocols {
  const { product, featureGates } = options;
  return {
    remoteCommand: ({ headers }, command) =>
      passRefusals(async () => {
        const offered = offeredStreamProtocols(headers, product);
        return (await remoteCommandOverWebSocket(headers, offered, command, options)) ?? remoteCommandOverSpdy(headers, command, options);
      }),
    forwardPorts: ({ headers }, forward) =>
      passRefusals(async () => {
        if (!isWebSocketRequest(headers)) return forwardPortsOverSpdy(headers, forward, options);
        const offered = offeredStreamProtocols(headers, product);
        if (featureGates.enabled('PortForwardWebsockets') && offersTunnel(offered, product))
          return forwardPortsOverTunnel(offered, forward, options);
        return forwardPortsOverChannels(offered, forward, product);
      }),
  };
}

/** The channels over WebSocket only, for hosts whose connections are messages. */
export function createWebSocketProtocols(options: Pick<SpdyOptions, 'product' | 'featureGates'>): StreamProtocols {
  const { product } = options;
  const refused = plainText(400, 'unable to upgrade: only WebSockets are supported');
  return {
    remoteCommand: ({ headers }, command) =>
      passRefusals(
        async () => (await remoteCommandOverWebSocket(headers, offeredStreamProtocols(headers, product), command, options)) ?? refused,
      ),
    forwardPorts: ({ headers }, forward) =>
      passRefusals(async () =>
        isWebSocketRequest(headers) ? forwardPortsOverChannels(offeredStreamProtocols(headers, product), forward, product) : refused,
      ),
  };
}

/** The API server passes the error response of a kubelet on as it is. */
async function passRefusals(open: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof KubeletError) return plainText(error.status, error.message);
    throw error;
  }
}
