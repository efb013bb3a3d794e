import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fixed, inTurn, median, percentile, ratio, reported } from '../figures.js'
import { hasNginx, withNginx } from '../nginx.js'
import type { Row } from '../part.js'
import { Stand } from '../stand.js'
import { download, makeBucket, metered, rate, upload, uploadInParts } from '../transferring.js'

/** In MiB. */
const SIZE = Number(process.env.BENCH_TRANSFER_MIB ?? 256)
const UPLOADS = 50
/** In MiB. */
const UPLOAD_SIZE = 20
/** Size of a request of a resumable upload, in MiB. */
const PART_SIZE = 32

interface Compared {
  /** The measured thing: `upload`. */
  what: string
  /** Its comparison: `bare stream`. */
  beside: string
  aim: string
}

/** MiB a second, and processor time of a MiB, of the service and of what it is compared with. */
interface Rates {
  rate: Record<'service' | 'other', number[]>
  cpu: Record<'service' | 'other', number[]>
}

/** A row of the rates, and one of the processor times if those of both are known. */
function rowsOf({ what, beside, aim }: Compared, { rate: rates, cpu }: Rates): Row[] {
  const row = {
    what,
    service: reported(rates.service, 'MiB/s'),
    beside: `${beside} ${reported(rates.other, 'MiB/s')}`,
    ratio: ratio(rates.service, rates.other),
    aim,
  }
  if (cpu.service.length === 0 || cpu.other.length === 0) return [row]
  const processor = {
    what: `processor time of a MiB, ${what}`,
    service: reported(cpu.service, 'ms', 2),
    beside: `${beside} ${reported(cpu.other, 'ms', 2)}`,
    ratio: ratio(cpu.other, cpu.service),
  }
  return [row, processor]
}

const noSamples = () => ({ service: [] as number[], other: [] as number[] })

/** Measures an upload by a form against a bare stream that is hashed and stored in a file. */
export function measureUploads(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const { service, api } = await stand.firstService()
    const bare = await stand.stream()
    const url = `${service.base}${await makeBucket(api)}/build`
    const cpu = noSamples()
    const rates = await inTurn({
      service: () => metered(service, cpu.service, SIZE, () => upload(url, SIZE, api.key)),
      other: () => metered(bare, cpu.other, SIZE, () => upload(bare.base, SIZE)),
    })
    const what = `upload of ${SIZE} MiB`
    return rowsOf({ what, beside: 'bare stream', aim: 'at least 0.8' }, { rate: rates, cpu })
  })
}

/** Measures many uploads at once against as many bare streams, and the wait of a GET meanwhile. */
export function measureUploadsAtOnce(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const { service, api } = await stand.firstService()
    const bare = await stand.stream()
    const bucket = `${service.base}${await makeBucket(api)}`
    const waits: number[] = []
    const uploadAll = (url: string, key?: string) => async () => {
      let isDone = false
      // Only the service, which is sent a key, has a bucket to ask for.
      const asking = (async () => {
        while (key !== undefined && !isDone) {
          const began = performance.now()
          await (await fetch(bucket, { headers: { 'x-api-key': key } })).arrayBuffer()
          waits.push(performance.now() - began)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })()
      await Promise.all(Array.from({ length: UPLOADS }, () => upload(url, UPLOAD_SIZE, key)))
      isDone = true
      await asking
    }
    const size = UPLOADS * UPLOAD_SIZE
    const cpu = noSamples()
    const rates = await inTurn({
      service: () => metered(service, cpu.service, size, uploadAll(`${bucket}/build`, api.key)),
      other: () => metered(bare, cpu.other, size, uploadAll(bare.base)),
    })
    const what = `${UPLOADS} uploads of ${UPLOAD_SIZE} MiB at once`
    const [middle, most] = [median(waits), percentile(waits, 99)]
    return [
      ...rowsOf({ what, beside: 'bare streams', aim: 'at least 0.8' }, { rate: rates, cpu }),
      {
        what: `GET of the bucket beside ${what}, p50 and p99`,
        service: `${fixed(middle)} and ${fixed(most)} ms`,
      },
    ]
  })
}

/** A build in several requests against the library of the protocol with its own store of files. */
export function measureResumableUploads(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const { service, api } = await stand.firstService()
    const library = await stand.tus()
    const own = `${service.base}${await makeBucket(api)}/uploads`
    const other = `${library.base}/uploads`
    const cpu = noSamples()
    const send = (url: string, key?: string) => () => uploadInParts(url, SIZE, PART_SIZE, key)
    const rates = await inTurn({
      service: () => metered(service, cpu.service, SIZE, send(own, api.key)),
      other: () => metered(library, cpu.other, SIZE, send(other)),
    })
    const what = `resumable upload of ${SIZE} MiB`
    return rowsOf({ what, beside: '@tus/file-store', aim: 'at least 0.8' }, { rate: rates, cpu })
  })
}

/** The same file from the service and from nginx, where there is one. */
export function measureDownloads(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const { service, api } = await stand.firstService()
    const path = await makeBucket(api)
    await upload(`${service.base}${path}/build`, SIZE, api.key)
    const { data } = await api.call<{ data: { id: string }[] }>('GET', `${path}/builds?limit=1`)
    const url = `${service.base}${path}/build/${data[0].id}/download`
    const files = join(stand.home, 'files', 'files')
    const { [0]: name } = readdirSync(files)
    const cpu = noSamples()
    const own = () => metered(service, cpu.service, SIZE, () => download(url, SIZE, api.key))
    const what = `download of ${SIZE} MiB`
    if (!hasNginx()) {
      const rates = await inTurn({ service: own })
      return [{ what, service: reported(rates.service, 'MiB/s'), beside: 'no nginx (BENCH_NGINX)' }]
    }
    return withNginx(files, join(stand.home, 'nginx'), async (base) => {
      const other = () => rate(SIZE, () => download(`${base}/${name}`, SIZE))
      const rates = await inTurn({ service: own, other })
      return rowsOf({ what, beside: 'nginx', aim: 'at least 0.5' }, { rate: rates, cpu })
    })
  })
}
