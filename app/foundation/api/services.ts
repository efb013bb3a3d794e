import app from '@adonisjs/core/services/app'
import type { Executor } from './execution/execute.js'
import type { Quota } from './limits/quota.js'
import type { Cursors } from './pages.js'

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    executor: Executor
    quota: Quota
    cursors: Cursors
  }
}

let executor: Executor
let quota: Quota
let cursors: Cursors

/** The services of the API, once the application has booted. */
await app.booted(async () => {
  executor = await app.container.make('executor')
  quota = await app.container.make('quota')
  cursors = await app.container.make('cursors')
})

export { cursors, executor, quota }
