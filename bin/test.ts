import 'reflect-metadata'
import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { configure, processCLIArgs, run } from '@japa/runner'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

process.env.NODE_ENV = 'test'
process.env.TARMAC_HOME ??= `tmp/test-${process.env.DATABASE_URL ? 'postgres' : 'sqlite'}`
process.env.PORT ??= '0'
process.env.LOG_LEVEL ??= 'fatal'
// Tests of the limits set limits of their own.
process.env.LIMIT_PER_SECOND ??= '1000000'
process.env.LIMIT_PER_DAY ??= '100000000'
process.env.LIMIT_FAILURES_PER_MINUTE ??= '1000000'
// No test cuts the power: what a disk is waited for costs a third of the time.
process.env.SQLITE_SYNCHRONOUS ??= 'NORMAL'
process.env.PGOPTIONS ??= '-c synchronous_commit=off'
rmSync(process.env.TARMAC_HOME, { recursive: true, force: true })

const { ignite } = await import('./ignite.js')

/** What is this process's to run: the part `TEST_PART` names, as in `2/12`, or all. */
function partOf(files: string[]): string[] {
  const [part, parts] = (process.env.TEST_PART ?? '1/1').split('/').map(Number)
  const bound = (number: number) => Math.round((files.length * number) / parts)
  return files.slice(bound(part - 1), bound(part))
}

/** The runner knows no patterns of what is left out (`!…`). */
function filesOf(patterns: readonly string[]): URL[] {
  const included = patterns.filter((each) => !each.startsWith('!'))
  const left = patterns.filter((each) => each.startsWith('!')).map((each) => each.slice(1))
  const exclude = new Set(globSync(left, { cwd: ROOT }))
  const found = globSync(included, { cwd: ROOT }).filter((each) => !exclude.has(each))
  return partOf(found.sort()).map((each) => pathToFileURL(join(ROOT, each)))
}

ignite()
  .testRunner()
  .configure(async (app) => {
    const { bootstrap } = await import('../tests/bootstrap.js')
    processCLIArgs(process.argv.slice(2))
    const { suites, ...settings } = app.rcFile.tests
    configure({
      ...settings,
      suites: suites
        .filter(({ name }) => (name === 'browser') === (process.env.TEST_BROWSER === '1'))
        .map((suite) => ({ ...suite, files: () => filesOf([suite.files].flat()) })),
      ...(await bootstrap(app)),
    })
  })
  .run(() => run())
  .catch((error) => {
    process.exitCode = 1
    console.error(error)
  })
