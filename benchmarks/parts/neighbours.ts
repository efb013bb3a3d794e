import { setTimeout as pause } from 'node:timers/promises'
import { fixed, percentile } from '../figures.js'
import { Load, SECONDS, statusChanges } from '../load.js'
import type { Row } from '../part.js'
import { makeRunningRelease, seed } from '../seed.js'
import { NAMES, Stand, type DatabaseKind } from '../stand.js'

const PAUSE_MS = 5

/** Measures a GET of another app while ten clients write. */
export function measureNeighbours(database: DatabaseKind): Promise<Row[]> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const busy = await makeRunningRelease(seeded, { items: 21 })
    const other = await makeRunningRelease(seeded, { name: 'Other' })
    const ask = () => seeded.api.call('GET', other.detail)
    const row = (when: string, figures: number[]): Row => {
      const shown = [50, 99].map((percent) => fixed(percentile(figures, percent), 1)).join(' and ')
      const what = `GET of another app, ${NAMES[database]}, ${when}, p50 and p99`
      return { what, service: `${shown} ms` }
    }
    const idle = row('idle', await waitsDuring(pause(SECONDS * 1000), ask))
    const writes = new Load(seeded.api, statusChanges(busy, 10))
    await writes.measure()
    return [idle, row('while ten clients write', await waitsDuring(writes.measure(), ask))]
  })
}

/** Sends sequential requests until some work ends; answers the milliseconds of each. */
async function waitsDuring(work: Promise<unknown>, ask: () => Promise<unknown>): Promise<number[]> {
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  const figures: number[] = []
  while (!isOver) {
    const began = performance.now()
    await ask()
    figures.push(performance.now() - began)
    await pause(PAUSE_MS)
  }
  await ended
  return figures
}
