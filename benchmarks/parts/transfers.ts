import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Api } from '../api.js'
import { inTurn, median, percentile, ratio, report } from '../figures.js'
import { hasNginx, withNginx } from '../nginx.js'
import { cpuOf, type Measured } from '../processes.js'
import { Stand } from '../stand.js'

const MIB = 1024 ** 2
const SIZE = Number(process.env.BENCH_TRANSFER_MIB ?? 256)
const UPLOADS = 50
const UPLOAD_SIZE = 20
const BOUNDARY = 'transfer'

/** Files up and down against servers that do nothing else, and many uploads at the same time. */
export function measureTransfers(): Promise<void> {
  return Stand.use('sqlite', async (stand) => {
    const { service, api } = await stand.firstService()
    const bare = await stand.stream()
    const app = await api.call<{ id: string }>('POST', '/app/config', 'name: Up\nplatform: ios')
    const [bucket] = await api.call<{ id: string }[]>('GET', `/app/${app.id}/bucket`)
    const path = `/app/${app.id}/bucket/${bucket.id}`
    const to = { service: `${service.base}${path}/build`, bare: bare.base }

    const cpu = { service: [] as number[], bare: [] as number[] }
    const up = await inTurn({
      service: () => metered(service, cpu.service, () => upload(to.service, SIZE, api.key)),
      bare: () => metered(bare, cpu.bare, () => upload(to.bare, SIZE)),
    })
    report(`upload of ${SIZE} MiB`, `${median(up.service).toFixed(0)} MiB/s`)
    report(
      'the same as a bare stream with SHA-256 to the disk',
      `${median(up.bare).toFixed(0)} MiB/s`
    )
    report('upload : bare stream', ratio(up.service, up.bare).toFixed(2), 'at least 0.8')
    report('processor time of the upload', `${median(cpu.service).toFixed(2)} ms/MiB`)
    report('the same of the bare stream', `${median(cpu.bare).toFixed(2)} ms/MiB`)
    report('bare stream : upload', ratio(cpu.bare, cpu.service).toFixed(2), 'at least 0.8')

    await measureDownloads(stand, api, path)
    await measureCrowd(api, to, `${service.base}${path}`)
  })
}

/** The same file from the service and from nginx. */
async function measureDownloads(stand: Stand, api: Api, path: string): Promise<void> {
  if (!hasNginx()) {
    report('download against nginx', 'left out', 'there is no nginx here (BENCH_NGINX)')
    return
  }
  const { data } = await api.call<{ data: { id: string }[] }>('GET', `${path}/builds?limit=1`)
  const url = `${api.base}${path}/build/${data[0].id}/download`
  const files = join(stand.home, 'files', 'files')
  const { [0]: name } = readdirSync(files)
  await withNginx(files, join(stand.home, 'nginx'), async (base) => {
    const down = await inTurn({
      service: () => rate(SIZE, () => download(url, api.key)),
      nginx: () => rate(SIZE, () => download(`${base}/${name}`)),
    })
    report(`download of ${SIZE} MiB`, `${median(down.service).toFixed(0)} MiB/s`)
    report('the same from nginx', `${median(down.nginx).toFixed(0)} MiB/s`)
    report('download : nginx', ratio(down.service, down.nginx).toFixed(2), 'at least 0.5')
  })
}

/** Many uploads at once, and how long a look at the bucket takes meanwhile. */
async function measureCrowd(api: Api, to: Record<'service' | 'bare', string>, bucket: string) {
  const waits: number[] = []
  const all = (url: string, key?: string) => () =>
    rate(UPLOADS * UPLOAD_SIZE, async () => {
      let isDone = false
      const looking = (async () => {
        while (key !== undefined && !isDone) {
          const began = performance.now()
          await (await fetch(bucket, { headers: { 'x-api-key': key } })).arrayBuffer()
          waits.push(performance.now() - began)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })()
      await Promise.all(Array.from({ length: UPLOADS }, () => upload(url, UPLOAD_SIZE, key)))
      isDone = true
      await looking
    })
  const crowd = await inTurn({ service: all(to.service, api.key), bare: all(to.bare) })
  const what = `${UPLOADS} uploads of ${UPLOAD_SIZE} MiB at once`
  report(what, `${median(crowd.service).toFixed(0)} MiB/s`)
  report('the same as bare streams', `${median(crowd.bare).toFixed(0)} MiB/s`)
  report('uploads at once : bare streams', ratio(crowd.service, crowd.bare).toFixed(2))
  const [middle, most] = [median(waits), percentile(waits, 99)]
  report(
    'GET of the bucket meanwhile, p50 and p99',
    `${middle.toFixed(0)} and ${most.toFixed(0)} ms`
  )
}

/** MiB a second of an upload; notes the processor time of its server, in milliseconds a MiB. */
async function metered(server: Measured, cpu: number[], work: () => Promise<unknown>) {
  const before = cpuOf(server.pid)
  const figure = await rate(SIZE, work)
  cpu.push((cpuOf(server.pid) - before) / SIZE)
  return figure
}

/** MiB a second. */
async function rate(mib: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (mib * 1000) / (performance.now() - began)
}

/** What is sent is made once: its making is not what is measured. */
const block = randomBytes(MIB)
let next = 0

/** Sends bytes that nobody sent before: as a form with a key, else as they are. */
async function upload(url: string, mib: number, key?: string): Promise<void> {
  const headers: Record<string, string> =
    key === undefined
      ? {}
      : { 'x-api-key': key, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const sent = request(url, { method: 'POST', headers })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  const write = async (bytes: Buffer | string) => {
    if (!sent.write(bytes)) await once(sent, 'drain')
  }
  const disposition = 'content-disposition: form-data; name="file"; filename="a.ipa"'
  if (key !== undefined) await write(`--${BOUNDARY}\r\n${disposition}\r\n\r\n`)
  await write(String(next++).padStart(12))
  for (let at = 0; at < mib; at++) await write(block)
  if (key !== undefined) await write(`\r\n--${BOUNDARY}--\r\n`)
  sent.end()
  const [response] = await answered
  const text = Buffer.concat(await response.toArray()).toString()
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${text}`)
}

async function download(url: string, key?: string): Promise<void> {
  const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key }
  const asked = request(url, { headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let bytes = 0
  for await (const chunk of response) bytes += (chunk as Buffer).length
  if (response.statusCode !== 200 || bytes < SIZE * MIB) throw new Error(`${url}: ${bytes} bytes`)
}
