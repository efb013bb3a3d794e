import Database from 'better-sqlite3'
import { fixed, inTurn, timings, reported } from '../figures.js'
import type { Row } from '../part.js'
import { cpuOf } from '../processes.js'
import { makeApp, seed, type Seeded } from '../seed.js'
import { Stand } from '../stand.js'
import { besideMany, looksAt } from './ticks.js'

const FEW = 100
const MANY = 100_000
/** Sequential requests of a schedule: the processor time of one is too short to measure. */
const SCHEDULES = 300

const DAY = 86_400_000
const dayIn = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

/** Sets a weekly cadence whose next train is to be drafted some days from now. */
async function setCadence({ api }: Seeded, appId: string, days: number): Promise<void> {
  await api.call('PUT', `/app/${appId}/scheduleCadence`, {
    startDate: dayIn(days),
    timezone: 'Europe/Berlin',
    draftWeeksAhead: 1,
    targets: [
      {
        kickoff: { dayOffset: 0, time: '10:00' },
        submit: { dayOffset: 3, time: '09:30' },
        release: { dayOffset: 5, time: '10:00' },
      },
    ],
  })
}

/**
 * Makes apps that draft their next train in the far future; answers a function that times a look
 * for work.
 */
async function makeApps(stand: Stand, apps: number) {
  const seeded = await seed(stand)
  const appId = await makeApp(seeded, 'Train', 2)
  await setCadence(seeded, appId, 300)
  await seeded.service.stop()
  const database = new Database(stand.sqliteFile)
  copyRows(database, { table: 'apps', key: 'id', of: appId, count: apps - 1 })
  copyRows(database, { table: 'app_plans', key: 'app_id', of: appId, count: apps - 1 })
  copyRows(database, {
    table: 'jobs',
    key: 'subject',
    of: appId,
    count: apps - 1,
    also: ['id', 'idempotency_key'],
  })
  const waiting = database
    .prepare("select count(*) from jobs where kind = 'planning.draft'")
    .pluck()
    .get()
  if (waiting !== apps) throw new Error(`${String(waiting)} apps wait to draft a train`)
  return looksAt(database)
}

interface Copies {
  table: string
  /** The column that names the app. */
  key: string
  of: string
  count: number
  /** Further columns that have to differ from row to row. */
  also?: string[]
}

function copyRows(database: Database.Database, { table, key, of, count, also = [] }: Copies): void {
  const columns = (database.pragma(`table_info(${table})`) as { name: string; pk: number }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'place')
  const copied = columns.map((name) =>
    name === key || also.includes(name) ? `t.${name} || '-' || n.i` : `t.${name}`
  )
  database
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
      insert into ${table} (${columns.join(', ')}) select ${copied.join(', ')}
      from ${table} t, n where t.${key} = ?`
    )
    .run(count, of)
}

/** Measures twelve weeks of schedule of an app that drafts every week. */
function measureSchedule(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const seeded = await seed(stand)
    const { api, service } = seeded
    const appId = await makeApp(seeded, 'Train', 15)
    await setCadence(seeded, appId, 1)
    const ask = () => api.call('GET', `/app/${appId}/releaseSchedule`)
    await timings(100, ask)
    const before = cpuOf(service.pid)
    const figures = await timings(SCHEDULES, ask)
    // `timings` sends 20 requests more to warm up.
    const cpu = (cpuOf(service.pid) - before) / (SCHEDULES + 20)
    const what = 'twelve weeks of schedule of one app'
    return [
      {
        what: `${what}, processor time of the service`,
        service: `${fixed(cpu, 2)} ms`,
        aim: 'under 10 ms',
      },
      { what: `${what}, answered in`, service: reported(figures, 'ms', 2) },
    ]
  })
}

/** Measures a look for work with few and with many apps that have a cadence. */
export async function measureCadences(): Promise<Row[]> {
  const looks = await Stand.use('sqlite', (first) =>
    Stand.use('sqlite', async (second) => {
      const [few, many] = [await makeApps(first, FEW), await makeApps(second, MANY)]
      return besideMany('apps with a cadence', [FEW, MANY], await inTurn({ few, many }))
    })
  )
  return [looks, ...(await measureSchedule())]
}
