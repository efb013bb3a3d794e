import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

const BEGUN = 'http.server.request.start'

/** Chunks that passed through streams. A chunk whose memory has been freed has the length 0. */
export class WatchedChunks {
  /** The number of bytes that passed. */
  bytes = 0
  readonly #chunks: Uint8Array[] = []

  /** The number of bytes that are still in memory. */
  get held(): number {
    return this.#chunks.reduce((sum, { length }) => sum + length, 0)
  }

  see(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.bytes += chunk.length
  }

  watch(stream: Readable): void {
    const push = stream.push.bind(stream)
    stream.push = (chunk: Buffer | null, encoding) => {
      if (chunk) this.see(chunk)
      return push(chunk, encoding)
    }
  }
}

/** Watches the bodies that the HTTP server of this process receives during some work. */
export async function bodiesDuring(work: () => Promise<unknown>): Promise<WatchedChunks> {
  const chunks = new WatchedChunks()
  const watch = (message: unknown) =>
    chunks.watch((message as { request: IncomingMessage }).request)
  subscribe(BEGUN, watch)
  try {
    await work()
  } finally {
    unsubscribe(BEGUN, watch)
  }
  return chunks
}
