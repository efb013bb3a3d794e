import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { Api } from './api.js'
import { cpuOf, type Measured } from './processes.js'

/** Files that are sent to a server and fetched from it, one MiB after the other. */

export const MIB = 1024 ** 2
const BOUNDARY = 'transfer'

/** The content is generated once, outside of the measurement. */
const block = randomBytes(MIB)
let next = 0

/**
 * Content that differs from that of every other upload: 12 bytes of a number, then equal blocks.
 */
function* freshBytes(mib: number): Generator<Buffer | string> {
  yield String(next++).padStart(12)
  for (let at = 0; at < mib; at++) yield block
}

/** Length of the content, in bytes. */
const lengthOf = (mib: number) => mib * MIB + 12

type Headers = Record<string, string | number>

const keyed = (key: string | undefined): Headers => (key === undefined ? {} : { 'x-api-key': key })

/** Sends a request with a body. @throws on any answer but 2xx */
async function send(
  method: string,
  url: string,
  headers: Headers,
  bytes: Iterable<Buffer | string> = []
): Promise<IncomingMessage> {
  const sent = request(url, { method, headers })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  for (const chunk of bytes) if (!sent.write(chunk)) await once(sent, 'drain')
  sent.end()
  const [response] = await answered
  const text = Buffer.concat(await response.toArray()).toString()
  const status = response.statusCode ?? 0
  if (status < 200 || status > 299) throw new Error(`${method} ${url}: ${status} ${text}`)
  return response
}

/** Sends a file: as a form with a key, else as it is. */
export async function upload(url: string, mib: number, key?: string): Promise<void> {
  if (key === undefined) {
    await send('POST', url, {}, freshBytes(mib))
    return
  }
  const disposition = 'content-disposition: form-data; name="file"; filename="a.ipa"'
  function* form() {
    yield `--${BOUNDARY}\r\n${disposition}\r\n\r\n`
    yield* freshBytes(mib)
    yield `\r\n--${BOUNDARY}--\r\n`
  }
  const type = `multipart/form-data; boundary=${BOUNDARY}`
  await send('POST', url, { ...keyed(key), 'content-type': type }, form())
}

/** Sends a file by tus, in requests of `partMib` MiB. */
export async function uploadInParts(
  uploads: string,
  mib: number,
  partMib: number,
  key?: string
): Promise<void> {
  const headers = { ...keyed(key), 'tus-resumable': '1.0.0' }
  const begun = await send('POST', uploads, { ...headers, 'upload-length': lengthOf(mib) })
  const place = new URL(String(begun.headers.location), uploads).href
  const type = 'application/offset+octet-stream'
  const bytes = freshBytes(mib)
  for (let at = 0, size = 0; at < lengthOf(mib); at += size) {
    // The first request also takes the chunk of 12 bytes.
    const count = at === 0 ? partMib + 1 : partMib
    const part = Array.from({ length: count }, () => bytes.next().value)
    const chunks = part.filter((chunk) => chunk !== undefined)
    size = chunks.reduce((sum, { length }) => sum + length, 0)
    const offset = { 'upload-offset': at, 'content-length': size, 'content-type': type }
    await send('PATCH', place, { ...headers, ...offset }, chunks)
  }
}

/** Downloads a file. @throws unless it has at least `mib` MiB */
export async function download(url: string, mib: number, key?: string): Promise<void> {
  const asked = request(url, { headers: keyed(key) }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let bytes = 0
  response.on('data', (chunk: Buffer) => (bytes += chunk.length))
  await once(response, 'end')
  if (response.statusCode !== 200 || bytes < mib * MIB) throw new Error(`${url}: ${bytes} bytes`)
}

/** Transfers a file; answers MiB per second. */
export async function rate(mib: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (mib * 1000) / (performance.now() - began)
}

/** Answers MiB per second; adds the server's processor time to `cpu`, in milliseconds per MiB. */
export async function metered(
  server: Pick<Measured, 'pid'>,
  cpu: number[],
  mib: number,
  work: () => Promise<unknown>
): Promise<number> {
  const before = cpuOf(server.pid)
  const figure = await rate(mib, work)
  cpu.push((cpuOf(server.pid) - before) / mib)
  return figure
}

/** Makes an app; answers the path of its bucket. */
export async function makeBucket(api: Api): Promise<string> {
  const app = await api.call<{ id: string }>('POST', '/app/config', 'name: Up\nplatform: ios')
  const [bucket] = await api.call<{ id: string }[]>('GET', `/app/${app.id}/bucket`)
  return `/app/${app.id}/bucket/${bucket.id}`
}
