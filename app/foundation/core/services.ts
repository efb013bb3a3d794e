import app from '@adonisjs/core/services/app'
import type { Clock } from './clock.js'
import type { SelectRunner } from './database/runner.js'
import type { UnitOfWork } from './database/unit_of_work.js'
import type { Quota } from '../api/limits/quota.js'
import type { Cursors } from '../api/pages.js'

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    clock: Clock
    selects: SelectRunner
    unitOfWork: UnitOfWork
    quota: Quota
    cursors: Cursors
  }
}

let clock: Clock
let unitOfWork: UnitOfWork
let quota: Quota
let selects: SelectRunner
let cursors: Cursors

/** The services of the foundation, once the application has booted. */
await app.booted(async () => {
  clock = await app.container.make('clock')
  unitOfWork = await app.container.make('unitOfWork')
  selects = await app.container.make('selects')
  quota = await app.container.make('quota')
  cursors = await app.container.make('cursors')
})

export { clock, cursors, quota, selects, unitOfWork }
