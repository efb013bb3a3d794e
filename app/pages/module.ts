import type { Module } from '#foundation/api/module'

/** The web interface: pages that call the operations as the person who is signed in. */
export const pages: Module = { name: 'pages', commands: () => import('./commands.js') }
