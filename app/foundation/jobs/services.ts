import type { Presence } from '../core/processes/presence.js'
import type { Worker } from './worker.js'

/** The background work of the service; it ends with the application. */
export interface BackgroundWork {
  start(): Promise<void>
}

/** The presence of this process while it works. */
export interface OwnPresence extends Presence {
  start(): Promise<void>
  stop(): Promise<void>
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'jobs.worker': Worker
    'presence': OwnPresence
    'work': BackgroundWork
  }
}
