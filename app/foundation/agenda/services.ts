import type { Worker } from './worker.js'

/** What is done without being asked; it ends with the application. */
export interface BackgroundWork {
  start(): Promise<void>
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'agenda.worker': Worker
    'work': BackgroundWork
  }
}
