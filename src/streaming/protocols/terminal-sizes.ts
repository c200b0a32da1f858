import type { ByteSource } from '../../env/index.ts';
import { isJsonObject } from '../../meta/index.ts';
import type { TerminalSize } from '../kubelet-api.ts';

/** Reads the resize stream: JSON objects such as `{"Width":80,"Height":24}`. It ends at the first that is not one, as upstream. */
export async function* readTerminalSizes(source: ByteSource): AsyncGenerator<TerminalSize> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of source) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}')) {
      const size = parseSize(text.slice(0, end + 1));
      if (!size) return;
      text = text.slice(end + 1);
      yield size;
    }
  }
}

function parseSize(text: string): TerminalSize | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    return { width: dimension(value['Width']), height: dimension(value['Height']) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function dimension(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < 65_536 ? Math.floor(value) : 0;
}
