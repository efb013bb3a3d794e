/*
 * `npm test`: runs the whole suite on SQLite and, if reachable, on PostgreSQL (`TEST_DATABASE_URL`,
 * by default the local server), and the rules, which need no database. One queue of parts, the
 * longest first, feeds TEST_WORKERS concurrent processes. With TEST_REQUIRE_POSTGRES=1 a missing
 * server is a failure. TEST_ONLY=sqlite or postgres runs one database. TEST_CHECKS names scripts of
 * package.json that run beside the parts. Arguments are passed to the test runner: the chosen tests
 * run in one process per database. `--changed` runs only the specs that are affected by changes
 * since the main branch. TEST_LEARN=1 updates the list of slow specs that the queue begins with.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import rc from '../adonisrc.js'
import { Databases, whyUnreachable, type Database } from '../tests/runner/databases.js'
import { changedFiles, readImports, touchedBy } from '../tests/runner/changed.js'
import {
  filesOf,
  lastOf,
  onPostgres,
  partsOf,
  SLOW_SPECS,
  type Part,
} from '../tests/runner/parts.js'
import { Report } from '../tests/runner/report.js'
import { endAll, runCheck, runPart } from '../tests/runner/run_part.js'

const url = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const only = process.env.TEST_ONLY
// A test waits half of its time.
const workers = Number(process.env.TEST_WORKERS ?? Math.ceil(2.5 * availableParallelism()))
const checks = (process.env.TEST_CHECKS ?? '').split(',').filter((each) => each !== '')
const CHANGED = '--changed'
const isOfChange = process.argv.includes(CHANGED)
const chosen = process.argv.slice(2).filter((each) => each !== CHANGED)
const isWhole = chosen.length === 0 && !isOfChange

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** A part with its database, or the script of a check. */
type Job = { name: string; seconds: number } & (
  | { part: Part; database: Database | null }
  | { script: string }
)

/** Assumed duration of a check in seconds, so that checks begin early. */
const CHECK_SECONDS = 60

const whyNot = only === 'sqlite' ? null : await whyUnreachable(url)
const hasPostgres = only !== 'sqlite' && whyNot === null
const databaseKinds: Database[] = [
  ...(only === 'postgres' ? [] : (['sqlite'] as const)),
  ...(hasPostgres ? (['postgres'] as const) : []),
]

const changed = isOfChange ? changedFiles() : []
const importsOf = isOfChange ? readImports() : new Map<string, string[]>()

function jobsOf(suite: Part['suite'], make: (files: string[]) => Part[]): Job[] {
  const { files: patterns } = rc.tests!.suites!.find(({ name }) => name === suite)!
  const places = suite === 'rules' ? [null] : databaseKinds
  const isBoth = databaseKinds.length > 1
  return places.flatMap((database) => {
    const all = filesOf(patterns)
    const ours = database === 'postgres' && isBoth ? onPostgres(all) : all
    const files = isOfChange ? touchedBy(changed, ours, importsOf) : ours
    return make(files).map((part) => {
      const name = database ? NAMES[database] : 'Rules'
      return { name, seconds: part.seconds, part, database }
    })
  })
}

const SUITES = ['service', 'rules'] as const
const first: Job[] = [
  ...checks.map((script) => ({ name: 'Check', seconds: CHECK_SECONDS, script })),
  ...SUITES.flatMap((suite) =>
    jobsOf(suite, (files) =>
      chosen.length === 0 ? partsOf(suite, files) : [{ suite, files: null, seconds: 0 }]
    )
  ),
].sort((one, other) => other.seconds - one.seconds)
const last = isWhole
  ? SUITES.flatMap((suite) => jobsOf(suite, (files) => lastOf(suite, files)))
  : []

const report = new Report(first.length + last.length)
const databases = new Databases(hasPostgres ? url : null)
const recorded = mkdtempSync(join(tmpdir(), 'tarmac-test-'))

async function run(job: Job, worker: number) {
  const start = performance.now()
  const fail = (title: string, errors?: string[]) => report.fail(job.name, title, errors)
  const result =
    'script' in job
      ? await runCheck(job.script, (title) => fail(`${job.script}: ${title}`))
      : await runPart(job.part, await placeOf(job.database, worker), chosen, fail)
  const seconds = (performance.now() - start) / 1000
  report.done(job.name, aboutOf(job), seconds, result, !isWhole)
}

async function placeOf(database: Database | null, worker: number) {
  if (!database) return databases.none(worker)
  const folder = join(recorded, database)
  mkdirSync(folder, { recursive: true })
  return { ...(await databases.fresh(database, worker)), TEST_RECORDED: folder }
}

function aboutOf(job: Job): string {
  if ('script' in job) return `npm run ${job.script}`
  const [file, ...others] = job.part.files ?? [chosen.join(' ')]
  return others.length > 0 ? `${file} and ${others.length} more` : file
}

/** Runs the jobs of a queue: several workers at once, each one job at a time. */
async function runAll(queue: Job[]) {
  const work = async (worker: number) => {
    for (let job = queue.shift(); job; job = queue.shift()) await run(job, worker)
  }
  await Promise.all(Array.from({ length: workers }, (_, index) => work(index + 1)))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    endAll()
    await databases.close()
    process.exit(1)
  })
}

if (whyNot !== null) {
  console.log(`PostgreSQL is not reachable (${whyNot}).`)
  if (process.env.TEST_REQUIRE_POSTGRES === '1') {
    report.fail('PostgreSQL', 'is required here (TEST_REQUIRE_POSTGRES=1)')
    report.total.failed += 1
  }
}
try {
  await Promise.all(databaseKinds.map((database) => databases.prepare(database)))
  await runAll(first)
  await runAll(last)
} catch (error) {
  // The run itself has failed, such as by a lost server or a full disk.
  report.fail('The run', String(error))
  report.total.failed += 1
} finally {
  await databases.close()
  rmSync(recorded, { recursive: true })
}
if (process.env.TEST_LEARN === '1') report.learn(SLOW_SPECS)
process.exitCode = report.end() ? 0 : 1
