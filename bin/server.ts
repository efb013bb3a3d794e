import 'reflect-metadata'
import { createServer } from 'node:http'
import { prettyPrintError } from '@adonisjs/core'
import { EndingServer } from '#foundation/http/ending_server'
import { ignite } from './ignite.js'

let ending: EndingServer

ignite()
  .tap((app) => {
    app.ready(async () => {
      const { default: env } = await import('#start/env')
      const grace = (env.get('SHUTDOWN_GRACE') ?? 10) * 1000
      // Hooks run in reverse: this one ends the server before the framework closes it.
      app.terminating(() => ending.end(grace))
    })
  })
  .httpServer()
  .start((handler) => {
    const server = createServer(handler)
    ending = new EndingServer(server)
    return server
  })
  .catch((error) => {
    process.exitCode = 1
    prettyPrintError(error)
  })
