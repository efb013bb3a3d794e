import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HttpContext } from '@adonisjs/core/http'

/** Bytes below which an answer is sent as it is: compressing it would save no packet. */
const LEAST_BYTES = 1024

const zip = promisify(gzip)

/** Compresses an answer for a client that takes gzip. */
export async function compressed({ request, response }: HttpContext, bytes: Buffer) {
  if (bytes.length < LEAST_BYTES || request.encoding(['gzip']) !== 'gzip') return bytes
  response.header('content-encoding', 'gzip')
  return zip(bytes)
}
