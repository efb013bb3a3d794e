import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The content encodings that requests accept. */
export const ENCODINGS = 'gzip, br'

/** The body is longer than the limit. */
export class BodyTooLong extends Error {}

/** The body does not have the encoding that its headers state. */
export class BodyUnreadable extends Error {}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  'gzip': () => createGunzip(),
  'x-gzip': () => createGunzip(),
  'br': () => createBrotliDecompress(),
  'deflate': () => createInflate(),
}

/**
 * Reads a whole body, up to a limit on its size both before and after decoding.
 * @throws BodyTooLong, BodyUnreadable, or an error of the connection
 */
export async function readBody(
  body: Readable,
  { encoding, length }: { encoding: string | null; length: number | null },
  limit: number
): Promise<Buffer> {
  if (length !== null && length > limit) {
    body.destroy()
    throw new BodyTooLong()
  }
  const codec = encoding?.trim().toLowerCase() ?? 'identity'
  if (codec === 'identity' || codec === '') return collect(body, limit)
  if (!Object.hasOwn(DECODERS, codec)) {
    body.destroy()
    throw new BodyUnreadable(`It is encoded as ${codec.slice(0, 40)}`)
  }
  const decoder = DECODERS[codec]() as unknown as Readable & NodeJS.WritableStream
  let connectionError: Error | null = null
  body.once('error', (error) => (connectionError = error))
  pipeline(body, decoder, () => {})
  try {
    return await collect(decoder, limit)
  } catch (error) {
    body.destroy()
    if (error instanceof BodyTooLong) throw error
    // A lost connection also makes the decoder fail; the connection's error is then the cause.
    throw connectionError ?? new BodyUnreadable('It cannot be decoded', { cause: error })
  }
}

async function collect(body: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += (chunk as Buffer).length
    if (length > limit) throw new BodyTooLong()
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks, length)
}

/**
 * Returns a body as a stream that fails once it exceeds a limit.
 * @param failed turns an error into the one that the stream's reader gets
 */
export function limited(
  body: Readable,
  limit: number,
  failed: (error: Error) => Error
): ReadableStream<Uint8Array> {
  const bytes = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let length = 0
  const next = async () => {
    const { done, value } = await bytes.next()
    if (done) return null
    length += value.length
    if (length <= limit) return new Uint8Array(value)
    body.destroy()
    throw new BodyTooLong()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await next().catch((error: Error) => {
          throw failed(error)
        })
        if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
      cancel() {
        body.destroy()
      },
    },
    { highWaterMark: 0 }
  )
}
