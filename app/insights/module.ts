import type { Module } from '#foundation/api/module'
import { operations } from './routes.js'

/** Metrics of the organization. */
export const insights: Module = {
  name: 'insights',
  operations,
}
