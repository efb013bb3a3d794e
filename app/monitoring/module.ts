import type { Module } from '#foundation/api/module'
import { problemMembers } from './problems.js'
import { retainSeries } from './retention.js'
import { operations } from './routes.js'

/** Metrics of the health of a version among its users. */
export const monitoring: Module = {
  name: 'monitoring',
  operations,
  problemMembers,
  work: [retainSeries],
}
