/* Migrates the template of the environment, from which the databases of tests are copied. */
import 'reflect-metadata'

process.env.NODE_ENV = 'test'
process.env.LOG_LEVEL ??= 'fatal'
const { ignite } = await import('../../bin/ignite.js')

const app = ignite().createApp('console')
await app.init()
await app.boot()
const { migrate } = await import('#start/migrate')
await migrate(app)
await app.terminate()
process.exit()
