import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inTurn, median, report } from '../figures.js'
import { Stand } from '../stand.js'

/** A process that has nothing to do gives back what starting left behind, after some seconds. */
const IDLE_MS = 15_000

/** Starts of the service on SQLite, and what its idle process holds in memory. */
export function measureBoots(): Promise<void> {
  return Stand.use('sqlite', async (stand) => {
    const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
    const first = await stand.service()
    await first.stop()
    report('first start (migrations, organization, key) to first answer', seconds(first.bootMs))
    const { later } = await inTurn({
      later: async () => {
        const again = await stand.service()
        await again.stop()
        return again.bootMs
      },
    })
    report('later start to first answer', seconds(median(later)), 'under 1 s')

    const idle = await stand.service()
    await pause(IDLE_MS)
    const resident = residentMegabytes(idle.pid)
    const figure = resident === null ? 'left out: no /proc' : `${resident.toFixed(0)} MB`
    report('resident memory of the idle process', figure, 'at most 150 MB')
  })
}

/** Null where the system does not tell. */
function residentMegabytes(pid: number): number | null {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}
