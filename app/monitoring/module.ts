import type { Module } from '#foundation/api/module'
import { problemMembers } from './problems.js'
import { retainSeries } from './retention.js'
import { operations } from './routes.js'

/** Numbers that tell how a version fares with its users. */
export const monitoring: Module = {
  name: 'monitoring',
  operations,
  problemMembers,
  work: [retainSeries],
}
