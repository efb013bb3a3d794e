import { classOf, type ErrorClass } from './errors.js'
import { OutboundFailure, type OpenResponse, type Opening, type Timings } from './opening.js'

export interface OutboundRequest {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: Buffer
  /** Total timeout in milliseconds. */
  timeout?: number
  /** Maximum number of bytes to read of the answer; the connection is then closed. */
  maxBytes?: number
  /** Names of the answer's headers to return. */
  keepHeaders?: readonly string[]
  /** Aborts the request. */
  signal?: AbortSignal
}

export interface OutboundResult {
  /** Null if an answer was read, to its end or up to `maxBytes`. */
  errorClass: ErrorClass | null
  /** One line for logs and people, without secrets. */
  errorMessage: string | null
  status: number | null
  headers: Record<string, string>
  body: Buffer
  /** True if the answer went on after `body`. */
  truncated: boolean
  /** The beginning of the answer as text that any database stores. */
  bodyPrefix: string
  remoteAddress: string | null
  /** Milliseconds from the start; a stage that was not reached is absent. */
  timings: Timings & { total: number }
}

export const MAX_ANSWER_BYTES = 16 * 1024
const PREFIX_BYTES = 4 * 1024

const KEPT_HEADERS = ['content-type', 'content-length', 'date', 'location', 'retry-after', 'server']

/**
 * Reads the answer of a running request, up to its limit.
 * @returns everything known about it, also after a failure
 */
export async function readExchange(
  opening: Opening,
  { maxBytes = MAX_ANSWER_BYTES, keepHeaders = KEPT_HEADERS }: OutboundRequest
): Promise<OutboundResult> {
  const chunks: Buffer[] = []
  let length = 0
  let response: OpenResponse | null = null
  let error: Error | null = null
  try {
    response = await opening.opened
    for await (const chunk of response.body) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      // Leaving the loop closes the connection.
      if (length > maxBytes) break
    }
  } catch (thrown) {
    error = thrown instanceof OutboundFailure ? (thrown.cause as Error) : (thrown as Error)
  }
  const body = Buffer.concat(chunks).subarray(0, maxBytes)
  return {
    errorClass: error && classOf(error),
    errorMessage: error && describe(error),
    status: response?.status ?? null,
    headers: response ? keptHeaders(response.headers, keepHeaders) : {},
    body,
    truncated: length > maxBytes,
    bodyPrefix: storable(body.subarray(0, PREFIX_BYTES)),
    remoteAddress: opening.remoteAddress,
    timings: { ...opening.timings, total: opening.elapsed() },
  }
}

function keptHeaders(
  headers: OpenResponse['headers'],
  names: readonly string[]
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of names.map((each) => each.toLowerCase())) {
    // The first of duplicate headers counts, as in Node.
    const first = headers.find(([each]) => each === name)
    if (first) kept[name] = first[1]
  }
  return kept
}

function describe(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code
  return code && !error.message.includes(code) ? `${error.message} (${code})` : error.message
}

/** Decodes text without NUL, which PostgreSQL refuses, and without an incomplete last character. */
function storable(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\u0000', '\ufffd')
}
