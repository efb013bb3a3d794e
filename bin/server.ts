import 'reflect-metadata'
import { prettyPrintError } from '@adonisjs/core'
import { GracefulServer } from '#foundation/api/http/graceful_server'
import { makeServer } from '#foundation/api/http/make_server'
import { endUnreadResponses } from '#foundation/api/http/unread_responses'
import { collectStart } from './collect_start.js'
import { ignite } from './ignite.js'

/** Allows for an upload of 4 GiB over a slow line; other requests have stricter limits. */
const MAX_REQUEST_MS = 6 * 3600 * 1000

let graceful: GracefulServer

ignite()
  .tap((app) => {
    app.ready(async () => {
      const { endInAnyCase, graceMs } = await import('#start/grace')
      const grace = graceMs()
      const endings = await app.container.make('endings')
      endings.add((within) => graceful.drain(within))
      // Hooks run in reverse order, so this one runs before the framework's, which would wait for
      // every open connection without limit.
      app.terminating(async () => {
        endInAnyCase()
        await endings.run(grace).finally(() => graceful.close())
      })
    })
  })
  .httpServer()
  .start((handler) => {
    const publicUrl = process.env.PUBLIC_URL?.replace(/\/+$/, '') ?? ''
    graceful = new GracefulServer(handler, (counted) =>
      makeServer(counted, publicUrl, { requestTimeout: MAX_REQUEST_MS })
    )
    endUnreadResponses(graceful.server)
    return graceful.server
  })
  .then(collectStart)
  .catch(async (error: Error & { help?: string; code?: string }) => {
    if (error.code === 'EADDRINUSE') error.help = 'Choose another port by PORT.'
    // One line for people and supervisors; the stack only with LOG_LEVEL=debug.
    if (process.env.LOG_LEVEL === 'debug') await prettyPrintError(error)
    else
      console.error(
        [`Tarmac did not start: ${error.message}`, error.help].filter(Boolean).join('\n')
      )
    // Open pools and timers would keep this useless process alive.
    process.exit(1)
  })
