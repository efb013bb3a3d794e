import type { Module } from '#foundation/api/module'
import { events } from './events.js'

/** Target dates: reminders of them. */
export const planning: Module = {
  name: 'planning',
  events,
}
