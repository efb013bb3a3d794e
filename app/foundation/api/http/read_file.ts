import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { IncomingMessage } from 'node:http'
import type { RawBody } from '../operation/declaration.js'
import { type Problem, refuse } from '../../core/problems/problem.js'
import { tooLarge } from './read_body.js'

const IDLE_MS = 30_000
const FIELD_NAME = /^[A-Za-z0-9_]{1,64}$/

/**
 * Reads the single file part `file` of a multipart body into memory, for small files
 * (icons, configuration files): at most 20 parts with one file among them, short plain names.
 * @throws malformed_multipart, too_large
 */
export function readSmallFile(request: IncomingMessage, maxBytes: number): Promise<RawBody> {
  return new Promise((resolve, reject) => {
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: request.headers as BusboyHeaders,
        limits: {
          fieldNameSize: 64,
          fieldSize: 64 * 1024,
          parts: 20,
          files: 1,
          fileSize: maxBytes,
          headerPairs: 20,
        },
      })
    } catch {
      reject(refuse('malformed_multipart', { detail: 'The multipart boundary is missing.' }))
      return
    }

    let found: RawBody | null = null
    let idle = setTimeout(() => fail(malformed('The body stopped arriving.')), IDLE_MS)
    const malformed = (detail: string) =>
      refuse('malformed_multipart', { detail, headers: { connection: 'close' } })
    const stayAwake = () => {
      clearTimeout(idle)
      idle = setTimeout(() => fail(malformed('The body stopped arriving.')), IDLE_MS)
    }
    const endEarly = () => fail(malformed('The body ended early.'))
    const settle = () => {
      clearTimeout(idle)
      request.off('data', stayAwake)
      request.off('aborted', endEarly)
    }
    const fail = (problem: Problem) => {
      settle()
      request.unpipe(parser)
      request.pause()
      reject(problem)
    }

    request.on('data', stayAwake)
    request.once('aborted', endEarly)
    parser.on('file', (field, stream, fileName, _encoding, contentType) => {
      if (field !== 'file') {
        stream.on('error', () => undefined)
        stream.resume()
        fail(malformed(`There is no file part "${FIELD_NAME.test(field) ? field : '?'}" here.`))
        return
      }
      const chunks: Buffer[] = []
      // Without a listener, a part that ends early would end the process.
      stream.on('error', () => fail(malformed('A part ends early.')))
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('limit', () => fail(tooLarge(maxBytes)))
      stream.on('end', () => {
        found = { bytes: Buffer.concat(chunks), contentType, fileName: fileName || undefined }
      })
    })
    parser.on('field', (field) => {
      if (!FIELD_NAME.test(field)) fail(malformed('A field name is not allowed.'))
    })
    parser.on('filesLimit', () => fail(malformed('There may be one file only.')))
    parser.on('partsLimit', () => fail(malformed('There are too many parts.')))
    parser.on('error', () => fail(malformed('The multipart body is broken.')))
    parser.on('finish', () => {
      settle()
      if (found) resolve(found)
      else reject(malformed('The part "file" is missing.'))
    })
    request.pipe(parser)
  })
}
