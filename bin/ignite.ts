import { Ignitor } from '@adonisjs/core'
import { HomeError, prepareHome } from '#start/home'

const APP_ROOT = new URL('../', import.meta.url)

/** The application as every entry point (server, console, tests) starts it. */
export function ignite(): Ignitor {
  process.env.HOST ??= '127.0.0.1'
  process.env.PORT ??= '3333'
  try {
    prepareHome()
  } catch (error) {
    if (!(error instanceof HomeError)) throw error
    // Nothing is there yet that could log or answer.
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
      // A pool that gives out a connection while it is being closed leaves a timer behind, which
      // would keep the process. Asked once more, it is not over yet.
      if (app.isTerminated) process.exit()
    }
    const end = () => {
      // Ending half a start would leave behind what its second half begins.
      if (app.getEnvironment() === 'web' && !app.isReady) app.ready(() => void terminate())
      else void terminate()
    }
    app.listen('SIGTERM', end)
    app.listen('SIGINT', end)
  })
}
