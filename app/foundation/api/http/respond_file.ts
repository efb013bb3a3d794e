import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'
import { giveBack } from '../../core/files/give_back.js'
import { openStoredFile } from '../../core/files/stored_files.js'
import { refuse } from '../../core/problems/problem.js'
import { matchesTag } from '../execution/entity_tag.js'
import type { StoredFile } from '../operation/response.js'
import { byteRange } from './byte_range.js'

/**
 * Streams a stored file: whole, or the part that `Range` asks for. Its tag is its SHA-256, so that
 * clients can resume a download, and get 304 for a file that they have.
 * @throws range_not_satisfiable
 */
export async function respondFile(http: HttpContext, file: StoredFile): Promise<void> {
  const { request, response } = http
  const tag = `"${file.sha256}"`
  const digest = Buffer.from(file.sha256, 'hex').toString('base64')
  response.header('etag', tag)
  response.header('repr-digest', `sha-256=:${digest}:`)
  response.header('accept-ranges', 'bytes')
  response.header('cache-control', 'private, no-cache')

  const ifNoneMatch = request.header('if-none-match')
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag, true)) {
    response.status(304).send(null)
    return
  }
  const ifRange = request.header('if-range')
  const isSame = ifRange === undefined || ifRange === tag
  const range = isSame ? byteRange(request.header('range'), file.size) : null
  if (range === 'unsatisfiable') {
    throw refuse('range_not_satisfiable', {
      detail: `The file has ${file.size} bytes.`,
      headers: { 'content-range': `bytes */${file.size}` },
    })
  }

  response.header('content-type', file.contentType)
  response.header('content-disposition', disposition(file.fileName))
  response.header('x-content-type-options', 'nosniff')
  response.header('content-security-policy', "sandbox; default-src 'none'")
  response.header('content-length', range ? range.last - range.first + 1 : file.size)
  if (range) {
    response.status(206)
    response.header('content-range', `bytes ${range.first}-${range.last}/${file.size}`)
  }
  if (request.method() === 'HEAD') {
    response.stream(Readable.from([]))
    return
  }
  const bytes = await openStoredFile(file.key, range ?? undefined)
  if ((range?.first ?? 0) === 0) await begin(file, bytes, request.header('user-agent'))
  giveBackWhatIsSent(response.response)
  response.stream(bytes)
}

/** Releases the memory of each chunk as soon as it is sent; nobody else reads the chunks. */
function giveBackWhatIsSent(response: ServerResponse): void {
  const write = response.write.bind(response) as (chunk: Buffer, sent: () => void) => boolean
  response.write = (chunk: Buffer) => write(chunk, () => giveBack(chunk))
}

/** Calls `onBegin` at the beginning of a download; if that fails, nothing is sent. */
async function begin({ onBegin }: StoredFile, bytes: Readable, userAgent: string | undefined) {
  try {
    await onBegin?.(userAgent)
  } catch (error) {
    bytes.destroy()
    throw error
  }
}

/** Contains both forms of the name: as UTF-8, and as ASCII for old clients (RFC 6266). */
function disposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
