import 'reflect-metadata'
import { prettyPrintError } from '@adonisjs/core'
import { ignite } from './ignite.js'

ignite()
  .httpServer()
  .start()
  .catch((error) => {
    process.exitCode = 1
    prettyPrintError(error)
  })
