/** Reads a watch of a cluster in this process. `onLines` gets the complete lines of each chunk; `ended` resolves at its end. */
export async function watchLines({ fetch }, path, headers, onLines) {
  const { body } = await fetch(`http://cluster.test${path}`, { headers });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => {
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (rest + next.value).split('\n');
      rest = lines.pop();
      onLines(lines);
    }
  };
  return { ended: read(), end: () => reader.cancel() };
}
