import { report } from './figures.js'
import { measureAgents } from './parts/agents.js'
import { measureBatches } from './parts/batches.js'
import { measureBuckets } from './parts/buckets.js'
import { measureBoots } from './parts/boots.js'
import { measureCadences } from './parts/cadences.js'
import { measureChanges } from './parts/changes.js'
import { measureConnections } from './parts/connections.js'
import { measureCrowds } from './parts/crowds.js'
import { measureDeliveries } from './parts/deliveries.js'
import { measureDetails, measureDetailsBesideWrites } from './parts/details.js'
import { measureLargeFiles } from './parts/large_files.js'
import { measureLooks } from './parts/looks.js'
import { measureNeighbours } from './parts/neighbours.js'
import { measureObservations } from './parts/observations.js'
import { measurePages } from './parts/pages.js'
import { measurePlugins } from './parts/plugins.js'
import { measureReaches } from './parts/reaches.js'
import { measurePorts } from './parts/ports.js'
import { measureRehearsals } from './parts/rehearsals.js'
import { measureTicks } from './parts/ticks.js'
import { measureTransfers } from './parts/transfers.js'
import { measureWrites } from './parts/writes.js'
import { POSTGRES_URL, type DatabaseKind } from './stand.js'

/*
 * `npm run bench`: everything that docs/benchmarks.md publishes, as ratios within this one
 * run. `npm run bench -- write boot` runs some parts, `-- --list` names them all.
 */

interface Part {
  name: string
  what: string
  run(): Promise<void>
}

/** A part on one of the databases. */
const on = (
  database: DatabaseKind,
  name: string,
  what: string,
  measure: () => Promise<void>
): Part => ({
  name: `${name}-${database}`,
  what,
  run: async () => {
    if (database === 'sqlite' || POSTGRES_URL) return measure()
    report(`${name}-postgres`, 'left out: BENCH_DATABASE_URL names no database')
  },
})

/** A part on each of the databases. */
const both = (
  name: string,
  what: string,
  measure: (database: DatabaseKind) => Promise<void>
): Part[] =>
  (['sqlite', 'postgres'] as const).map((database) =>
    on(database, name, what, () => measure(database))
  )

const parts: Part[] = [
  ...both('write', 'PUT of an item status against the fair server', measureWrites),
  ...both('batch', 'PUT of 500 item statuses against the fair server', measureBatches),
  ...both('agent', 'calls of tools against the REST calls they stand for', measureAgents),
  ...both('detail', 'GET of a release against the bare server', measureDetails),
  ...both('beside', 'GET of a release while another app is written', measureDetailsBesideWrites),
  on('postgres', 'limits-write', 'PUT of an item status, requests counted in the database', () =>
    measureWrites('postgres', 'default')
  ),
  on('postgres', 'limits-detail', 'GET of a release, requests counted in the database', () =>
    measureDetails('postgres', 'default')
  ),
  ...both('neighbour', 'GET of another app while ten clients write', measureNeighbours),
  ...both('delivery', 'webhook deliveries to one and to twenty endpoints', measureDeliveries),
  ...both('reach', 'GET of another app beside what reaches 100 releases', measureReaches),
  { name: 'boot', what: 'first and later starts, idle memory', run: measureBoots },
  { name: 'pages', what: 'a page of releases at the start and at depth', run: measurePages },
  { name: 'tick', what: 'a look for work beside 100 and 100,000 idle releases', run: measureTicks },
  {
    name: 'cadence',
    what: 'a look for work beside 100 and 100,000 apps with a cadence; twelve weeks of schedule',
    run: measureCadences,
  },
  {
    name: 'connection',
    what: 'a look for work beside 10 and 1,000 connections',
    run: measureConnections,
  },
  { name: 'plugins', what: 'a start with 40 plugins over one with none', run: measurePlugins },
  { name: 'port', what: 'a call to a provider against a bare fetch', run: measurePorts },
  {
    name: 'observation',
    what: '1,000 observations that are due at once against bare fetch',
    run: measureObservations,
  },
  {
    name: 'large',
    what: '4 GiB up and down and the memory it takes; on S3 with the settings of S3',
    run: measureLargeFiles,
  },
  {
    name: 'transfer',
    what: 'a file up and down against a bare stream and nginx, and 50 uploads at once',
    run: measureTransfers,
  },
  {
    name: 'look',
    what: 'a look at 5,000 commits and 2,000 tickets of a release',
    run: measureLooks,
  },
  {
    name: 'rehearsal',
    what: 'a simulated day of an app with a provider of every kind; a year',
    run: measureRehearsals,
  },
  { name: 'bucket', what: 'a page of builds beside 1,000 and 1,000,000', run: measureBuckets },
  { name: 'change', what: 'whereIs among 3,000 and 300,000 commits', run: measureChanges },
  { name: 'crowd', what: 'requests beside 10 and 100,000 releases', run: measureCrowds },
]

const asked = process.argv.slice(2)
const chosen = parts.filter(
  ({ name }) =>
    asked.length === 0 || asked.some((each) => name === each || name.startsWith(`${each}-`))
)

if (asked.includes('--list')) {
  for (const { name, what } of parts) console.log(`${name.padEnd(20)} ${what}`)
} else if (chosen.length === 0) {
  console.error(`There is no such part; npm run bench -- --list names them.`)
  process.exitCode = 1
} else {
  for (const part of chosen) await part.run()
}
