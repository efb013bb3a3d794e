import 'reflect-metadata'
import { rmSync } from 'node:fs'
import { configure, processCLIArgs, run } from '@japa/runner'

process.env.NODE_ENV = 'test'
process.env.TARMAC_HOME ??= `tmp/test-${process.env.DATABASE_URL ? 'postgres' : 'sqlite'}`
process.env.PORT ??= '0'
process.env.LOG_LEVEL ??= 'fatal'
// Tests of the limits set limits of their own.
process.env.LIMIT_PER_SECOND ??= '1000000'
process.env.LIMIT_PER_DAY ??= '100000000'
process.env.LIMIT_FAILURES_PER_MINUTE ??= '1000000'
rmSync(process.env.TARMAC_HOME, { recursive: true, force: true })

const { ignite } = await import('./ignite.js')

ignite()
  .testRunner()
  .configure(async (app) => {
    const { bootstrap } = await import('../tests/bootstrap.js')
    processCLIArgs(process.argv.slice(2))
    const wanted = process.env.TEST_SUITE ?? 'tarmac'
    const suites = app.rcFile.tests.suites.filter(({ name }) => name === wanted)
    configure({
      ...app.rcFile.tests,
      suites,
      ...(await bootstrap(app)),
    })
  })
  .run(() => run())
  .catch((error) => {
    process.exitCode = 1
    console.error(error)
  })
