/** Yields the lines of a text, without line endings. */
export function* linesOf(text: string): Generator<{ start: number; end: number }> {
  // A byte order mark is not part of the first line.
  let start = text.startsWith('\ufeff') ? 1 : 0
  for (const { index, 0: newline } of text.matchAll(/\r\n|\n|\r/g)) {
    yield { start, end: index }
    start = index + newline.length
  }
  yield { start, end: text.length }
}
