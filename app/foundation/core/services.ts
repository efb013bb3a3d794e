import app from '@adonisjs/core/services/app'
import type { Clock } from './clock.js'
import type { SelectRunner } from './database/runner.js'
import type { UnitOfWork } from './database/unit_of_work.js'
import type { ChangeNumbers } from './events/change_numbers.js'

/** Brings a database up to date; bound by the code that starts the service. */
interface Migrations {
  /** Takes no lock if nothing is due, so that it can run beside a running service. */
  runDue(): Promise<void>
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    clock: Clock
    selects: SelectRunner
    changes: ChangeNumbers
    unitOfWork: UnitOfWork
    migrations: Migrations
  }
}

let clock: Clock
let unitOfWork: UnitOfWork
let selects: SelectRunner
let changes: ChangeNumbers

/** Services that everything depends on, once the application has booted. */
await app.booted(async () => {
  clock = await app.container.make('clock')
  unitOfWork = await app.container.make('unitOfWork')
  selects = await app.container.make('selects')
  changes = await app.container.make('changes')
})

export { changes, clock, selects, unitOfWork }
