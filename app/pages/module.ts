import type { Module } from '#foundation/api/module'
import { operations } from './session/operations.js'

/** The web interface: pages that call the operations as the person who is signed in. */
export const pages: Module = {
  name: 'pages',
  operations,
  commands: () => import('./commands.js'),
}
