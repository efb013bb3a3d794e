import { Ignitor } from '@adonisjs/core'
import { HomeError, prepareHome } from '#start/home'

const APP_ROOT = new URL('../', import.meta.url)

/** Makes the application for every entry point: server, console and tests. */
export function ignite(): Ignitor {
  process.env.HOST ??= '127.0.0.1'
  process.env.PORT ??= '3333'
  try {
    prepareHome()
  } catch (error) {
    if (!(error instanceof HomeError)) throw error
    // The logger does not exist yet.
    console.error(`Tarmac did not start: ${error.message}`)
    process.exit(1)
  }
  return new Ignitor(APP_ROOT, {
    importer: (path) =>
      path.startsWith('.') ? import(new URL(path, APP_ROOT).href) : import(path),
  }).tap((app) => {
    app.booting(async () => {
      await import('#start/env')
    })
    const terminate = async () => {
      await app.terminate()
      // A pool that hands out a connection while it closes leaves a timer behind, which would keep
      // the process alive. A second signal gets here while the first termination is still running:
      // only the one that ends it exits.
      if (app.isTerminated) process.exit()
    }
    const end = () => {
      // An incomplete start must complete first, or what it still starts would never be ended.
      if (app.getEnvironment() === 'web' && !app.isReady) app.ready(() => void terminate())
      else void terminate()
    }
    app.listen('SIGTERM', end)
    app.listen('SIGINT', end)
  })
}
