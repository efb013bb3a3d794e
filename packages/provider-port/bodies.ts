import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Accepted content encodings; `bodies.ts` decodes them. */
export const ENCODINGS = 'gzip, br'

/** The answer goes on after the limit. */
export class BodyTooLong extends Error {}

/** The bytes are not what the head says they are. */
export class BodyUnreadable extends Error {}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  'gzip': () => createGunzip(),
  'x-gzip': () => createGunzip(),
  'br': () => createBrotliDecompress(),
  'deflate': () => createInflate(),
}

/**
 * Reads a body whole, up to a limit that counts what it is and what it unfolds to.
 * @throws BodyTooLong, BodyUnreadable, or what the connection throws
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
  const coding = encoding?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return collect(body, limit)
  if (!Object.hasOwn(DECODERS, coding)) {
    body.destroy()
    throw new BodyUnreadable(`It is encoded as ${coding.slice(0, 40)}`)
  }
  const decoder = DECODERS[coding]() as unknown as Readable & NodeJS.WritableStream
  let broken: Error | null = null
  body.once('error', (error) => (broken = error))
  pipeline(body, decoder, () => {})
  try {
    return await collect(decoder, limit)
  } catch (error) {
    body.destroy()
    if (error instanceof BodyTooLong) throw error
    // A connection that broke breaks the decoder too; this distinguishes which of them was first.
    throw broken ?? new BodyUnreadable('It cannot be decoded', { cause: error })
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
 * A body as it comes, that fails when it is longer than a limit.
 * @param failed the error of its reader when it breaks
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
