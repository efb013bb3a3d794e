/** Ids per statement, well under what either database allows. */
const PER_STATEMENT = 1000

/** Splits values into chunks that fit into one statement each. */
export function chunked<Value>(values: readonly Value[], size = PER_STATEMENT): Value[][] {
  const chunks: Value[][] = []
  for (let start = 0; start < values.length; start += size) {
    chunks.push(values.slice(start, start + size))
  }
  return chunks
}
