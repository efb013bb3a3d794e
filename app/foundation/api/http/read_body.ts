import type { IncomingMessage } from 'node:http'
import { refuse } from '../../core/problems/problem.js'
import { requireSimple } from '../execution/plain_json.js'
import type { Input } from '../execution/request.js'

/** Milliseconds without a byte after which a body is given up. */
export const IDLE_MS = 30_000

/** Milliseconds that a body of limited size may take, however slowly it trickles in. */
export const TOTAL_MS = 300_000

const DECIMAL = /^\d+$/

/** A body, as received and as parsed. */
export interface ReadBody extends Pick<Input, 'discard'> {
  value: unknown
  /** The bytes that distinguish it from another body. */
  sent: (string | Buffer)[]
}

/** Returns a size for people: `1 MiB`, `128 KiB`, `300 bytes`. */
export function sizeName(bytes: number): string {
  for (const [unit, size] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= size && bytes % size === 0) return `${bytes / size} ${unit}`
  }
  return `${bytes} bytes`
}

export function tooLarge(limit: number) {
  return refuse('too_large', {
    detail: `The body is larger than ${sizeName(limit)}.`,
    members: { limit },
    // The rest of the body is not read, so the connection cannot be used again.
    headers: { connection: 'close' },
  })
}

/** Refuses a compressed body. @throws unsupported_media_type */
export function requirePlainEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw refuse('unsupported_media_type', { detail: 'Send the body without Content-Encoding.' })
  }
}

/**
 * Refuses a body whose Content-Length exceeds `most` bytes, before any of it is read.
 * @throws too_large, which names `limit`
 */
export function requireSize({ headers }: IncomingMessage, most: number, limit = most): void {
  const announced = headers['content-length']
  if (announced && DECIMAL.test(announced) && Number(announced) > most) throw tooLarge(limit)
}

/**
 * Reads a whole body of at most `limit` bytes.
 * @throws too_large as soon as the limit is passed, unsupported_media_type when compressed,
 * malformed_request when it ends early, nothing arrives for `idleMs` or not all of it within
 * five minutes.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  idleMs = IDLE_MS
): Promise<Buffer> {
  requirePlainEncoding(request)
  requireSize(request, limit)

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stalled = () => {
      cleanUp()
      request.pause()
      reject(refuse('malformed_request', { detail: 'The body stopped arriving.' }))
    }
    const idle = setTimeout(stalled, idleMs)
    const whole = setTimeout(stalled, TOTAL_MS)
    const cleanUp = () => {
      clearTimeout(idle)
      clearTimeout(whole)
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('error', onAbort)
      request.off('close', onAbort)
    }
    const onData = (chunk: Buffer) => {
      idle.refresh()
      size += chunk.length
      if (size > limit) {
        cleanUp()
        request.pause()
        reject(tooLarge(limit))
        return
      }
      chunks.push(chunk)
    }
    const onEnd = () => {
      cleanUp()
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    }
    const onAbort = () => {
      cleanUp()
      reject(refuse('malformed_request', { detail: 'The body ended early.' }))
    }
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('error', onAbort)
    request.on('close', onAbort)
  })
}

/** Returns the media type of a Content-Type header, lower case and without parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0].trim().toLowerCase()
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses JSON of UTF-8.
 * @throws malformed_json with the position, but never the parser's message; too_complex
 */
export function parseJson(bytes: Buffer, what = 'The body'): unknown {
  requireSimple(bytes, what)
  let source: string
  try {
    source = utf8.decode(bytes)
  } catch {
    throw refuse('malformed_json', { detail: `${what} is not valid UTF-8.` })
  }
  try {
    return JSON.parse(source)
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1]
    // For a short text, the parser reports no position.
    const why = position
      ? `: there is an error at character ${Number(position) + 1}`
      : /end of JSON/.test(String(error))
        ? ': it ends early or is empty'
        : ''
    throw refuse('malformed_json', { detail: `${what} is not valid JSON${why}.` })
  }
}
