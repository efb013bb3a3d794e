import 'reflect-metadata'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { configure, processCLIArgs, run } from '@japa/runner'
import { filesOf } from '../tests/runner/parts.js'
import { isLong, LONG } from '../tests/support/effort.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

process.env.NODE_ENV = 'test'
const home =
  (process.env.TARMAC_HOME ??= `tmp/test-${process.env.DATABASE_URL ? 'postgres' : 'sqlite'}`)
process.env.PORT ??= '0'
process.env.LOG_LEVEL ??= 'fatal'
// Tests of the limits set limits of their own.
process.env.LIMIT_PER_SECOND ??= '1000000'
process.env.LIMIT_PER_DAY ??= '100000000'
process.env.LIMIT_FAILURES_PER_MINUTE ??= '1000000'
// No test cuts the power, and waiting for the disk would take a third of the time.
process.env.SQLITE_SYNCHRONOUS ??= 'OFF'
process.env.PGOPTIONS ??= '-c synchronous_commit=off'

// Set by the queue of `npm test`: the files to run, a home with a migrated database, and whether to
// report to the queue.
const { TEST_FILES, TEST_TEMPLATE, TEST_QUEUE } = process.env
rmSync(home, { recursive: true, force: true })
if (TEST_TEMPLATE) cpSync(TEST_TEMPLATE, home, { recursive: true })

const { ignite } = await import('./ignite.js')

const chosen = TEST_FILES && new Set<string>(JSON.parse(TEST_FILES))
const urlsOf = (patterns: string | readonly string[]) =>
  filesOf(patterns)
    .filter((each) => !chosen || chosen.has(each))
    .map((each) => pathToFileURL(join(ROOT, each)))

ignite()
  .testRunner()
  .configure(async (app) => {
    const { bootstrap } = await import('../tests/bootstrap.js')
    processCLIArgs(process.argv.slice(2))
    const { suites, ...settings } = app.rcFile.tests
    const { plugins = [], ...hooks } = await bootstrap(app, {
      isMigrated: TEST_TEMPLATE !== undefined,
      isServed: process.argv[2] !== 'rules',
    })
    const reported = TEST_QUEUE ? await import('../tests/runner/report_queue.js') : null
    if (reported) plugins.push(reported.reportQueue())
    // A run of files that a person chose reports every result and includes long tests.
    const isQuiet = reported && chosen
    const isBrowser = process.env.TEST_BROWSER === '1' && process.argv.length === 2
    const isUsual = (isQuiet || isBrowser) && !isLong
    configure({
      ...settings,
      ...(isUsual && { filters: { tags: [`~${LONG}`] } }),
      ...(isQuiet && { reporters: { activated: ['failures'], list: [reported.failuresAlone] } }),
      suites: suites
        .filter(({ name }) => (name === 'browser') === (process.env.TEST_BROWSER === '1'))
        .map((suite) => ({ ...suite, files: () => urlsOf(suite.files) })),
      plugins,
      ...hooks,
    })
  })
  .run(() => run())
  .catch((error) => {
    process.exitCode = 1
    console.error(error)
  })
