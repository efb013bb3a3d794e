import type { Module } from '#foundation/api/module'
import { problems } from './problems.js'

/** What apps are connected to. */
export const integrations: Module = {
  name: 'integrations',
  problems,
}
