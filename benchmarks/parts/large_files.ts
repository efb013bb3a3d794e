import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFauxqs } from 'fauxqs'
import { fixed } from '../figures.js'
import type { Row } from '../part.js'
import { Stand } from '../stand.js'

const MIB = 1024 ** 2
const SIZE = Number(process.env.BENCH_LARGE_MIB ?? 4096) * MIB
const BUCKET = 'tarmac-bench'
const BOUNDARY = 'large-file'

/** Measures upload and download of a very large build, and the memory of the service meanwhile. */
export function measureLargeFiles(): Promise<Row[]> {
  return measureFiles('files in a folder')
}

/** Measures the same with files in an S3 (fauxqs) that this process serves from a folder. */
export async function measureLargeFilesOnS3(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-s3-'))
  const s3 = await startFauxqs({ port: 0, logger: false, s3StorageDir: folder })
  s3.createBucket(BUCKET)
  try {
    return await measureFiles('files in S3', {
      DRIVE_DISK: 's3',
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${s3.port}`,
      S3_PATH_STYLE: 'true',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    })
  } finally {
    await s3.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function measureFiles(place: string, settings: Record<string, string> = {}): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const { service, api } = await stand.firstService(settings)
    const { id: app } = await api.call<{ id: string }>(
      'POST',
      '/app/config',
      'name: Large\nplatform: ios'
    )
    const [bucket] = await api.call<{ id: string }[]>('GET', `/app/${app}/bucket`)
    const path = `/app/${app}/bucket/${bucket.id}`
    const memory = new Memory(service.pid)

    const plain = await memory.during(() => upload(service.base, api.key, `${path}/build`))
    const parts = await memory.during(() => uploadInParts(service.base, api.key, path))
    const down = await memory.during(() => download(api.key, plain.result.url))
    if (down.result !== plain.result.sha256) throw new Error('What came back is something else')
    return [
      ...rowsOf(`up by a form, ${place}`, plain),
      ...rowsOf(`up in parts (tus), ${place}`, parts),
      ...rowsOf(`down, ${place}`, down),
    ]
  })
}

function rowsOf(transfer: string, { ms, peak, growth }: Measure<unknown>): Row[] {
  const size = SIZE / MIB
  const what = `build of ${fixed(size)} MiB ${transfer}`
  return [
    { what: `${what}: peak of the resident memory`, service: `${fixed(peak)} MB` },
    { what: `${what}: growth of the memory`, service: `${fixed(growth)} MB` },
    { what: `${what}: rate`, service: `${fixed(size / (ms / 1000))} MiB/s` },
  ]
}

interface Measure<Result> {
  result: Result
  ms: number
  /** In MiB. */
  peak: number
  /** In MiB. */
  growth: number
}

/** The resident memory of a process. */
class Memory {
  constructor(private readonly pid: number) {}

  async during<Result>(work: () => Promise<Result>): Promise<Measure<Result>> {
    const before = this.#now()
    let peak = before
    const sampling = setInterval(() => (peak = Math.max(peak, this.#now())), 25)
    const began = performance.now()
    try {
      const result = await work()
      const ms = performance.now() - began
      return { result, ms, peak, growth: Math.max(peak - before, 1) }
    } finally {
      clearInterval(sampling)
    }
  }

  #now(): number {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))
    return Number(kilobytes?.[1] ?? 0) / 1024
  }
}

/** Content of `SIZE` bytes, every MiB of which differs. */
function* bytes(from = 0): Generator<Buffer> {
  const block = randomBytes(MIB)
  for (let at = from; at < SIZE; at += MIB) {
    block.writeDoubleBE(at)
    yield Buffer.from(block)
  }
}

async function send(
  url: string,
  method: string,
  headers: Record<string, string | number>,
  chunks: Iterable<Buffer>
): Promise<{
  status: number
  headers: IncomingMessage['headers']
  body: { downloadUrl?: string } | null
}> {
  const sent = request(url, { method, headers })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  for (const chunk of chunks) if (!sent.write(chunk)) await once(sent, 'drain')
  sent.end()
  const [response] = await answered
  const text = Buffer.concat(await response.toArray()).toString()
  const status = response.statusCode ?? 0
  if (status >= 300) throw new Error(`${method} ${url}: ${status} ${text}`)
  return { status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

async function upload(base: string, key: string, path: string) {
  const hash = createHash('sha256')
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="large.ipa"\r\n\r\n`
  function* form() {
    yield Buffer.from(head)
    for (const chunk of bytes()) {
      hash.update(chunk)
      yield chunk
    }
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  }
  const type = `multipart/form-data; boundary=${BOUNDARY}`
  const headers = { 'x-api-key': key, 'content-type': type }
  const { body } = await send(`${base}${path}`, 'POST', headers, form())
  return { url: String(body?.downloadUrl), sha256: hash.digest('hex') }
}

async function uploadInParts(base: string, key: string, path: string) {
  const tus = { 'x-api-key': key, 'tus-resumable': '1.0.0' }
  const length = { ...tus, 'upload-length': SIZE }
  const { headers } = await send(`${base}${path}/uploads`, 'POST', length, [])
  const type = 'application/offset+octet-stream'
  const part = { ...tus, 'upload-offset': 0, 'content-type': type, 'content-length': SIZE }
  await send(`${base}${headers.location}`, 'PATCH', part, bytes())
}

async function download(key: string, url: string): Promise<string> {
  const hash = createHash('sha256')
  const answer = await fetch(url, { headers: { 'x-api-key': key } })
  for await (const chunk of answer.body!) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
