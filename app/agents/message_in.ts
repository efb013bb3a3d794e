import { parseJson } from '#foundation/api/http/read_body'
import { Problem } from '#foundation/core/problems/problem'

/** Returns a JSON-RPC error with `id: null`, for a message whose id cannot be read. */
export const fault = (code: number, message: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message },
})

export type Read = { message: unknown } | { fault: ReturnType<typeof fault> }

/**
 * Parses a message. Returns the protocol error to answer with for invalid JSON and for batches.
 * The rate limits would count a batch as one request, whatever it contains.
 * @throws too_complex
 */
export function messageIn(bytes: Buffer): Read {
  let message: unknown
  try {
    message = parseJson(bytes, 'The message')
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'malformed_json') throw error
    return { fault: fault(-32700, `Parse error: ${error.message}`) }
  }
  if (!Array.isArray(message)) return { message }
  return { fault: fault(-32600, 'Batches are not accepted: send each message on its own.') }
}
