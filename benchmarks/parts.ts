import { both, on, type Part } from './part.js'
import { measureAgents } from './parts/agents.js'
import { measureBatches } from './parts/batches.js'
import { measureBoots } from './parts/boots.js'
import { measureBuckets } from './parts/buckets.js'
import { measureCadences } from './parts/cadences.js'
import { measureChanges } from './parts/changes.js'
import { measureConnections } from './parts/connections.js'
import { measureCrowds } from './parts/crowds.js'
import { measureHome, measureTabs } from './parts/dashboards.js'
import { measureDeliveries } from './parts/deliveries.js'
import { measureDetails, measureDetailsBesideWrites } from './parts/details.js'
import { measureHostileFiles } from './parts/hostile_files.js'
import { measureLargeFiles, measureLargeFilesOnS3 } from './parts/large_files.js'
import { measureLimitStores } from './parts/limit_stores.js'
import { measureLooks } from './parts/looks.js'
import { measureNeighbours } from './parts/neighbours.js'
import { measureObservations } from './parts/observations.js'
import { measurePages } from './parts/pages.js'
import { measurePaints } from './parts/paints.js'
import { measurePlugins } from './parts/plugins.js'
import { measurePorts } from './parts/ports.js'
import { measureReaches } from './parts/reaches.js'
import { measureRehearsals } from './parts/rehearsals.js'
import { measureTicks } from './parts/ticks.js'
import {
  measureDownloads,
  measureResumableUploads,
  measureUploads,
  measureUploadsAtOnce,
} from './parts/transfers.js'
import { measureWrites } from './parts/writes.js'

/** All parts by the heading of their table in docs/benchmarks.md, in the order of that page. */
export const TABLES: Readonly<Record<string, Part[]>> = {
  'Requests': [
    ...both('write', 'PUT of an item status against the fair server', measureWrites),
    on('postgres', 'limits-write', 'PUT of an item status, requests counted in the database', () =>
      measureWrites('postgres', 'default')
    ),
    ...both('batch', 'PUT of 500 item statuses against the fair server', measureBatches),
    ...both('detail', 'GET of a release against the bare server', measureDetails),
    ...both('beside', 'GET of a release while another app is written', measureDetailsBesideWrites),
    on('postgres', 'limits-detail', 'GET of a release, requests counted in the database', () =>
      measureDetails('postgres', 'default')
    ),
    on('postgres', 'limits-store', 'GET of a release by where requests are counted', () =>
      measureLimitStores()
    ),
    ...both('neighbour', 'GET of another app while ten clients write', measureNeighbours),
    ...both('agent', 'calls of tools against the REST calls they stand for', measureAgents),
  ],
  'Pages': [
    ...both('home', 'Home of 50 apps against its API call, and its bytes', measureHome),
    ...both('tabs', '50 tabs on one release', measureTabs),
    {
      name: 'paint',
      what: 'pages in Chromium until their first contentful paint',
      needs: 'CHROMIUM',
      measure: measurePaints,
    },
  ],
  'Large data': [
    { name: 'pages', what: 'a page of releases at the start and at depth', measure: measurePages },
    { name: 'crowd', what: 'requests beside 10 and 100,000 releases', measure: measureCrowds },
    { name: 'change', what: 'whereIs among 3,000 and 300,000 commits', measure: measureChanges },
    {
      name: 'bucket',
      what: 'a page of builds beside 1,000 and 1,000,000',
      measure: measureBuckets,
    },
    {
      name: 'hostile',
      what: 'the worst configuration file for the main thread',
      measure: measureHostileFiles,
    },
    ...both('reach', 'GET of another app beside what reaches 100 releases', measureReaches),
  ],
  'Work in the background': [
    ...both('delivery', 'webhook deliveries to one and to twenty endpoints', measureDeliveries),
    {
      name: 'tick',
      what: 'a look for work beside 100 and 100,000 idle releases',
      measure: measureTicks,
    },
    {
      name: 'cadence',
      what: 'a look for work beside 100 and 100,000 apps with a cadence; twelve weeks of schedule',
      measure: measureCadences,
    },
    {
      name: 'connection',
      what: 'a look for work beside 10 and 1,000 connections',
      measure: measureConnections,
    },
    { name: 'port', what: 'a call to a provider against a bare fetch', measure: measurePorts },
    {
      name: 'observation',
      what: '1,000 observations that are due at once against bare fetch',
      measure: measureObservations,
    },
    {
      name: 'look',
      what: 'a look at 5,000 commits and 2,000 tickets of a release',
      measure: measureLooks,
    },
    {
      name: 'rehearsal',
      what: 'a simulated day of an app with a provider of every kind; a year',
      measure: measureRehearsals,
    },
  ],
  'Files': [
    {
      name: 'transfer-upload',
      what: 'a build by a form against a bare stream with its SHA-256',
      measure: measureUploads,
    },
    {
      name: 'transfer-crowd',
      what: '50 builds at once against bare streams, and a GET beside them',
      measure: measureUploadsAtOnce,
    },
    {
      name: 'transfer-tus',
      what: 'a build in parts against @tus/file-store',
      measure: measureResumableUploads,
    },
    { name: 'transfer-download', what: 'a build down against nginx', measure: measureDownloads },
    {
      name: 'large',
      what: '4 GiB up and down and the memory it takes',
      measure: measureLargeFiles,
    },
    { name: 'large-s3', what: 'the same with files in S3', measure: measureLargeFilesOnS3 },
  ],
  'Start and memory': [
    { name: 'boot', what: 'first and later starts, idle memory', measure: measureBoots },
    {
      name: 'plugins',
      what: 'a start with 40 plugins over one with none',
      measure: measurePlugins,
    },
  ],
}
