import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fixed, inTurn, median } from '../figures.js'
import type { Row } from '../part.js'
import { Stand } from '../stand.js'

/** An idle process frees the memory that its start needed only after some seconds. */
const IDLE_MS = 15_000

/** Starts of the service on SQLite, and what its idle process holds in memory. */
export function measureBoots(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const seconds = (milliseconds: number) => `${fixed(milliseconds / 1000, 2)} s`
    const first = await stand.service()
    await first.stop()
    const { later } = await inTurn({
      later: async () => {
        const again = await stand.service()
        await again.stop()
        return again.bootMs
      },
    })

    const idle = await stand.service()
    await pause(IDLE_MS)
    const resident = residentMegabytes(idle.pid)
    return [
      {
        what: 'first start (migrations, organization, key) to first answer',
        service: seconds(first.bootMs),
      },
      {
        what: 'later start to first answer',
        service: seconds(median(later)),
        aim: 'at most 0.6 s',
      },
      {
        what: `resident memory of the idle process, ${IDLE_MS / 1000} s after its start`,
        service: resident === null ? 'not reported by this system' : `${fixed(resident)} MB`,
        aim: 'at most 120 MB',
      },
    ]
  })
}

/** Resident memory of a process; null if the system does not report it. */
function residentMegabytes(pid: number): number | null {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}
